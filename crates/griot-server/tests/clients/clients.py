"""Do strangers' clients get along with Griot? `clients.py PATH_OF_GRIOT`

The official client of MCP speaks to `griot mcp` over stdio and to `griot serve` over Streamable HTTP, in the
current revision of the protocol and in the one before. The published JSON Schema is held to what the command
line prints. Then schemathesis fuzzes every route of the OpenAPI document.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import jsonschema
from mcp import Client, StdioServerParameters

TOOLS = ["remember", "recall", "link", "forget", "why", "inspect", "ingest", "status"]
# A revision without a handshake, and the last one with it.
REVISIONS = {"2026-07-28": "2026-07-28", "legacy": "2025-11-25"}
# Requests for each route; with these the whole takes about a minute on two cores.
EXAMPLES = os.environ.get("GRIOT_TEST_EXAMPLES", "12")


def environment(home):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRIOT_")}
    return kept | {"GRIOT_HOME": str(home)}


@contextmanager
def serving(binary, home):
    """A server of this home, and its address."""
    process = subprocess.Popen(
        [binary, "--json", "--set", "server.log=off", "serve", "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        env=environment(home),
    )
    try:
        yield json.loads(process.stdout.readline())["listening"]
    finally:
        process.terminate()
        assert process.wait(60) == 0, "the server did not end well"


async def converse(server, mode, word):
    """What an agent does in a session; `word` stands in one memory only."""
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        assert client.protocol_version == REVISIONS[mode], client.protocol_version
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS, tools

        async def trace(tool, **arguments):
            answer = await client.call_tool(tool, arguments | {"detail": "trace"})
            assert not answer.is_error, answer
            return answer.structured_content["trace"]

        cause = await trace("remember", text=f"The disk of the {word} was full.")
        text = f"The {word} moved to Redis because its disk was full."
        effect = await trace("remember", text=text, entities=["Redis:tool"])
        ids = [cause["handle"], effect["handle"]]
        linked = await client.call_tool("link", {"source": ids[0], "target": ids[1], "kind": "causal"})
        assert not linked.is_error and linked.structured_content is None, linked
        found = await trace("recall", query=f"why did the {word} move?")
        assert ids[1] in [one["handle"] for one in found["results"]], found
        why = await trace("why", name=ids[1], direction="causes")
        assert ids[0] in json.dumps(why), why
        rated = {"query": word, "feedback": [{"answer": found["rollout"]["id"], "good": True}]}
        assert not (await client.call_tool("recall", rated)).is_error
        wrong = await client.call_tool("recall", {"query": 5})
        assert wrong.is_error, wrong
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {"memory://{handle}", "entity://{id}"}, templates
        read = await client.read_resource(f"memory://{ids[0].lstrip('#')}")
        assert word in read.contents[0].text, read
        prompts = (await client.list_prompts()).prompts
        assert {prompt.name for prompt in prompts} == {"guide", "recap", "why"}, prompts
        guide = (await client.get_prompt("guide")).messages[0].content.text
        address = (await client.list_resources()).resources[0].uri
        assert (await client.read_resource(address)).contents[0].text == guide, guide
        assert "`supersedes`" in guide, guide
        prompt = await client.get_prompt("why", {"question": f"why did the {word} move?"})
        assert "because its disk was full" in prompt.messages[0].content.text, prompt
        heard = []

        async def hear(progress, total, message):
            heard.append(progress)

        ingested = await client.call_tool(
            "ingest", {"text": f"# {word}\n\nIt is blue.", "name": f"{word}.md"}, progress_callback=hear
        )
        assert "1 memory added" in ingested.content[0].text and heard, (ingested, heard)


def fuzz(address, key, folder):
    own = Path(__file__).resolve().parent
    command = ["--config-file", str(own / "schemathesis.toml"), "run", f"{address}/openapi.json", "--max-examples", EXAMPLES, "--workers", "1", "--seed", "1"]
    # A stream of events has no end by itself; `/mcp` is no part of the document.
    command += ["--exclude-path", "/v1/events", "--request-timeout", "30", "--suppress-health-check", "all"]
    command += ["--header", f"Authorization: Bearer {key}"]
    command += ["--continue-on-failure", "--no-color", "--phases", "examples,coverage,fuzzing,stateful"]
    st = Path(sys.executable).with_name("st")
    hooks = {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(own)}
    subprocess.run([st, *command], cwd=folder, check=True, env=os.environ | hooks)


def conform(binary, home):
    """What the command line prints is what the published JSON Schema says."""
    schema = json.loads((Path(__file__).resolve().parents[4] / "docs/reference/griot.schema.json").read_text())

    def run(*arguments):
        command = [binary, "--json", *arguments]
        done = subprocess.run(command, env=environment(home), capture_output=True, text=True)
        return json.loads(done.stdout or done.stderr)

    handle = run("remember", "The archive moved to Redis because its disk was full.", "--entity", "Redis:tool")["handle"]
    for name, arguments in [
        ("Remembered", ["remember", "Redis is fast."]),
        ("Recall", ["recall", "why did the archive move?"]),
        ("Memory", ["show", handle]),
        ("Why", ["why", handle]),
        ("EntityView", ["entity", "Redis"]),
        ("Status", ["status"]),
        ("Rollout", ["rollout"]),
        ("Health", ["doctor"]),
        ("ErrorBody", ["show", "nothing of this name"]),
    ]:
        said = run(*arguments)
        jsonschema.Draft202012Validator({**schema, "$ref": f"#/$defs/{name}"}).validate(said)
        # Every key is there, and no other.
        keys = set(schema["$defs"][name]["properties"])
        assert keys == set(said), (name, keys ^ set(said))


def main():
    binary = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        stdio = StdioServerParameters(command=binary, args=["mcp"], env=environment(home))
        with serving(binary, home) as address:
            for number, mode in enumerate(REVISIONS):
                asyncio.run(converse(stdio, mode, f"ledger{number}"))
                asyncio.run(converse(f"{address}/mcp", mode, f"archive{number}"))
                print(f"MCP {REVISIONS[mode]}: stdio and Streamable HTTP are right", flush=True)
        conform(binary, home)
        print("the command line prints what docs/reference/griot.schema.json says", flush=True)
        home = Path(folder, "fuzzed")
        make = [binary, "--json", "key", "create", "--role", "admin"]
        key = json.loads(subprocess.run(make, env=environment(home), check=True, capture_output=True).stdout)["key"]
        with serving(binary, home) as address:
            fuzz(address, key, folder)


main()
