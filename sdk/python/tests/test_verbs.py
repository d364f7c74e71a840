"""Every verb against the real server, with both clients; answers must match their types."""

from __future__ import annotations

import asyncio
import datetime
import inspect
import types as python
import typing
from typing import Any

import pytest
import typing_extensions
from conftest import Server

from griot import AsyncGriot, Griot, Memory, errors, types
from griot._verbs import REFUSALS, VERBS

OWN = {"events", "export"}
"""Streams; see test_streams.py."""


class Asked:
    """Records calls and checks answers against their types."""

    def __init__(self, griot: Griot | AsyncGriot | Memory) -> None:
        self._griot = griot
        self.names: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._griot, name)

        async def call(*arguments: object, **named: object) -> Any:
            self.names.add(name)
            answer = method(*arguments, **named)
            if inspect.isawaitable(answer):
                answer = await answer
            credited = inspect.signature(method).return_annotation
            conform(name, answer, eval(credited, {"types": types, "Any": Any}))
            return answer

        return call


def conform(place: str, value: Any, kind: Any) -> None:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return
    if origin in (typing.Union, python.UnionType):
        assert any(is_like(value, one) for one in inner), f"{place}: {value!r} is not {kind}"
    elif origin is list:
        assert isinstance(value, list), place
        for one in value:
            conform(f"{place}[]", one, inner[0])
    elif origin is dict:
        assert isinstance(value, dict), place
        for name, one in value.items():
            conform(f"{place}.{name}", one, inner[1])
    elif typing.is_typeddict(kind):
        assert isinstance(value, dict), place
        hints = typing_extensions.get_type_hints(kind, vars(types), {"NotRequired": typing_extensions.NotRequired})
        assert set(value) == set(hints), f"{place}: {set(value) ^ set(hints)}"
        for name, hint in hints.items():
            conform(f"{place}.{name}", value[name], hint)
    elif kind is float:
        assert isinstance(value, (int, float)), place
    else:
        assert isinstance(value, kind), f"{place}: {value!r} is not {kind}"


def is_like(value: Any, kind: Any) -> bool:
    try:
        conform("", value, kind)
    except AssertionError:
        return False
    return True


async def on_a_workspace(griot: Asked) -> None:
    restart = await griot.remember(
        "Ops restarts the Redis cluster every night", kind="event", occurred_at="2026-03-05", tags=["ops", "night"]
    )
    many = await griot.remember_many(
        [
            {
                "text": "Customers were logged out because the nightly Redis restart wiped their sessions",
                "occurred_at": "2026-03-06",
            },
            {
                "text": "We moved sessions to Postgres because customers were logged out",
                "kind": "decision",
                "occurred_at": "2026-03-09",
                "entities": ["Ada:person", {"name": "Session Store", "type": "tool"}],
            },
        ]
    )
    decision = many[1]["id"]
    assert restart["action"] == "added"

    found = await griot.recall("why did we move sessions to Postgres?", limit=3)
    assert decision in [result["id"] for result in found["results"]]
    assert (await griot.recall("sessions", kinds=["decision"], no_floor=True))["results"][0]["kind"] == "decision"
    assert decision in (await griot.context("sessions in Postgres"))["results"]
    assert await griot.traverse("Postgres")
    linked = await griot.link("Ada", "Redis", kind="relation", label="maintains", reason="on call")
    assert linked
    assert (await griot.path("Ada", "Redis"))["hops"]
    assert len((await griot.path("Ada", "Redis", relations_only=True))["hops"]) == 1
    assert [hub["entity"]["name"] for hub in await griot.hubs(type="tool", limit=1)] == ["Redis"]
    assert (await griot.edge(linked["edge"]["id"]))["label"] == "maintains"
    assert await griot.unlink("Ada", "Redis", kind="relation")
    assert (await griot.why(decision, direction="causes"))["causes"]
    assert await griot.related("Redis", families=["entity"])
    await griot.similar(decision, limit=2)
    assert await griot.timeline(before=1, after=1)
    assert (await griot.show(decision))["text"].startswith("We moved sessions")
    assert [memory["id"] for memory in await griot.memories(kinds=["decision"])] == [decision]
    noted = await griot.remember("The kettle is blue")
    edited = await griot.edit_memory(noted["id"], "The kettle is green")
    assert edited["id"] != noted["id"]
    assert [hub["entity"]["name"] for hub in await griot.entities(search="redis", type="tool")] == ["Redis"]
    # Ids and names with a slash, a space or non-ASCII letters must survive in a URL.
    assert (await griot.entity("tool:redis", hops=2))["entity"]["name"] == "Redis"
    with pytest.raises(errors.NotFound):
        await griot.entity("Müller & Söhne / 100 %?#")
    fact = await griot.add_fact("Shop", "runs_on", "Postgres", reason="seen")
    assert fact["predicate"] == "runs_on"
    assert await griot.facts(entity="Shop", as_of="2030-01-01")
    assert await griot.conflicts(entity="Shop") == []
    assert (await griot.end_fact(fact["id"], valid_to="2031-01-01"))["valid_to"].startswith("2031-01-01")
    assert (await griot.end_fact(fact["id"], undo=True))["valid_to"] is None
    assert (await griot.recalls(limit=5))["enabled"] is False
    assert (await griot.compare_recalls(limit=5))["questions"] == []
    ingested = await griot.ingest(
        text="# Minutes\n\nAda owns the cache.\n",
        name="minutes.md",
        tags=["team"],
        metadata={"author": "Ada"},
    )
    assert ingested
    names = [source["source"]["id"] for source in await griot.sources()]
    assert names
    assert (await griot.source(names[-1]))["source"]["source"]["metadata"] == {"author": "Ada"}
    assert (await griot.source_graph(names[-1], limit=5))["entity_count"] > 0
    assert (await griot.tag_source(names[-1], ["minutes"]))["source"]["tags"] == ["minutes"]
    with pytest.raises(errors.InvalidInput):
        await griot.refresh_source(names[0])
    crawl = str((await griot.crawl("http://nowhere.invalid/", mode="single", max_pages=1))["id"])
    assert (await griot.job(crawl))["kind"] == "crawl"
    assert [job["id"] for job in await griot.jobs()] == [crawl]
    assert (await griot.pause_job(crawl))["id"] == crawl
    assert (await griot.resume_job(crawl))["id"] == crawl
    assert (await griot.cancel_job(crawl))["id"] == crawl
    assert (await griot.retry_job(crawl))["id"] == crawl
    assert await griot.offers(all=True, limit=5) is not None
    # This server has no language model.
    with pytest.raises(errors.InvalidInput, match="language model"):
        await griot.answer("who owns the cache?")
    with pytest.raises(errors.InvalidInput, match="language model"):
        await griot.judge_merges(limit=1)
    assert (await griot.enrich(estimate=True, limit=2))["estimate"]["calls"] > 0
    assert await griot.notes(decision) == []
    with pytest.raises(errors.GriotError, match="no note"):
        await griot.undo_note(decision)
    assert (await griot.usage(days=7))["rows"] == []
    assert await griot.forget(decision)
    assert await griot.restore(decision)
    assert (await griot.status())["counts"]["memories"] == 6
    assert await griot.verify(all=True)
    assert (await griot.warnings())["warnings"] == []
    with pytest.raises(errors.NotFound):
        await griot.acknowledge_warning("w-000000000000", note="a loop")
    assert (await griot.graph_layout())["revision"] is None
    assert (await griot.lay_out_graph())["state"] in {"running", "ready"}
    built = await griot.build_graphs(graphs=["temporal"])
    assert built["temporal_total"] > 0
    assert (await griot.build_graphs(graphs=["temporal"]))["temporal_added"] == 0
    assert await griot.gc(threshold=1, limit=1)
    assert (await griot.doctor())["sound"] is True
    credited = await griot.feedback(True, answer=found["rollout"]["id"], memories=[decision])
    assert credited["good"] is True
    assert (await griot.set_rollout("shadow"))["mode"] == "shadow"
    assert (await griot.set_rollout("on", force=True))["mode"] == "on"
    assert (await griot.rollout())["mode"] == "on"

    await griot.remember("Postgress keeps the orders", entities=["Postgress:tool"])
    merged = await griot.merge("tool:postgresql", "tool:postgress", reason="misspelt")
    log = await griot.merges()
    assert log["merges"]
    await griot.unmerge(str(log["merges"][0]["id"]))
    assert merged
    suggested = (await griot.suggest_merges())["suggestions"]
    for verb in (griot.apply_merge, griot.dismiss_merge):
        if suggested:
            await verb(str(suggested.pop()["id"]))
        else:
            with pytest.raises(errors.NotFound):
                await verb("999")

    assert (await griot.erase_memory(decision, dry_run=True))["counts"]["memories"] == 1
    assert (await griot.erase_source(names[-1]))["kind"] == "source"
    assert (await griot.erase_entity("Shop"))["finished_at"]
    with pytest.raises(errors.NotFound):
        await griot.erase_user("nobody")
    assert [receipt["found"] for receipt in await griot.erasures(verify=True)] == [0, 0]


@pytest.mark.parametrize("client", [Griot, AsyncGriot])
def test_every_verb_works_and_answers_what_its_type_says(server: Server, client: type[Griot] | type[AsyncGriot]) -> None:
    async def run() -> set[str]:
        griot = client(server.url)
        asked = Asked(griot)
        await on_a_workspace(asked)
        assert await asked.health() == "ok\n"
        assert await asked.ready() == "ready\n"
        assert "# EOF" in await asked.metrics()
        await asked.open_api()
        closed = griot.close()
        if inspect.isawaitable(closed):
            await closed
        return asked.names

    assert asyncio.run(run()) == {verb.name for verb in VERBS} - OWN


def test_every_path_of_the_document_is_a_method(server: Server) -> None:
    with Griot(server.url) as griot:
        document = griot.open_api()
    # Routes under /api/ keep clients of older memory servers running; they say the same in other words. The
    # drawn graph is binary, for the page.
    credited = {
        (method.upper(), path)
        for path, methods in document["paths"].items()
        for method in methods
        if not path.startswith("/api/") and path != "/v1/graph"
    }
    assert {(verb.method, verb.path) for verb in VERBS} == credited
    for verb in VERBS:
        assert callable(getattr(Griot, verb.name)) and callable(getattr(AsyncGriot, verb.name))


def test_both_clients_take_the_same() -> None:
    def taken(client: type) -> dict[str, list[str]]:
        names = {verb.name for verb in VERBS} | {"__init__", "close"}
        return {name: list(inspect.signature(getattr(client, name)).parameters) for name in sorted(names)}

    assert taken(Griot) == taken(AsyncGriot)


def test_every_kind_of_refusal_is_an_exception() -> None:
    assert set(errors.BY_KIND) == set(REFUSALS)


def test_a_scope_is_that_of_the_client_unless_the_call_names_one(server: Server) -> None:
    server.run("workspace", "create", "acme")
    with Griot(server.url, workspace="acme", user="ada", project="shop") as griot:
        mine = griot.remember("Ada likes tea")
        assert griot.show(mine["id"])["user"] == "ada"
        assert griot.show(mine["id"])["project"] == "shop"
        assert griot.recall("tea", no_floor=True)["results"]
        assert griot.recall("tea", user="ben", no_floor=True)["results"] == []
        assert griot.recall("tea", workspace="default", no_floor=True)["results"] == []
        with pytest.raises(errors.NotFound):
            griot.show(mine["id"], workspace="default")


def test_what_is_written_in_any_script_comes_back_as_it_was(server: Server) -> None:
    text = 'Grüße, 世界 🌍 – "quoted" \\ back\nslash \u2028 \x7f'
    with Griot(server.url) as griot:
        assert griot.show(griot.remember(text)["id"])["text"] == text


def test_a_date_of_python_is_a_time(server: Server) -> None:
    day: Any = datetime.date(2026, 3, 5)
    with Griot(server.url) as griot:
        stored = griot.remember("It rained", occurred_at=day)
        assert griot.show(stored["id"])["occurred_at"].startswith("2026-03-05")
