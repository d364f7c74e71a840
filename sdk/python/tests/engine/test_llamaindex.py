"""`griot.llamaindex` with LlamaIndex itself."""

from __future__ import annotations

import asyncio

from conftest import Server
from llama_index.core.llms import ChatMessage, MockLLM
from llama_index.core.memory import Memory as AgentMemory
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode

from griot import Griot, Memory
from griot.llamaindex import GriotMemoryBlock, GriotRetriever

WHY = "why did we move sessions to Postgres?"
CAUSE = "Customers were logged out because the nightly Redis restart wiped their sessions"
DECISION = "We moved sessions to Postgres because customers were logged out"


def test_a_retriever_finds_what_recall_finds(memory: Memory) -> None:
    memory.remember(CAUSE)
    memory.remember(DECISION, kind="decision")
    results = memory.recall(WHY)["results"]
    nodes = GriotRetriever(memory).retrieve(WHY)
    assert [(one.node_id, one.text, one.score) for one in nodes] == [
        (one["id"], one["text"], one["score"]) for one in results
    ]
    assert len(nodes) == 2 and nodes[0].metadata["kind"] == "decision"
    assert nodes[0].node.get_content(MetadataMode.LLM) == DECISION
    again = asyncio.run(GriotRetriever(memory).aretrieve(WHY))
    assert [one.node_id for one in again] == [one.node_id for one in nodes]
    assert len(GriotRetriever(memory, limit=1).retrieve(WHY)) == 1
    assert GriotRetriever(memory).retrieve("how tall is the Eiffel tower?") == []


def test_a_retriever_feeds_a_query_engine_also_over_a_server(server: Server) -> None:
    with Griot(server.url) as griot:
        griot.remember(CAUSE)
        griot.remember(DECISION)
        engine = RetrieverQueryEngine.from_args(GriotRetriever(griot), llm=MockLLM())
        answer = engine.query(WHY)
        # The model repeats its prompt, which holds the texts and nothing about them.
        assert DECISION in str(answer) and CAUSE in str(answer)
        assert "why_included" not in str(answer)
        assert len(answer.source_nodes) == 2


def test_a_block_keeps_what_leaves_the_short_term_memory_and_brings_it_back(memory: Memory) -> None:
    async def run() -> list[ChatMessage]:
        block = GriotMemoryBlock(memory=memory, user="ada")
        agent = AgentMemory.from_defaults(
            session_id="s1",
            token_limit=120,
            chat_history_token_ratio=0.5,
            token_flush_size=30,
            memory_blocks=[block],
        )
        await agent.aput_messages(
            [
                ChatMessage(role="user", content=CAUSE),
                ChatMessage(role="assistant", content=DECISION),
                *(ChatMessage(role="user", content=f"Depot {day} opens on day {day}") for day in range(20)),
                ChatMessage(role="user", content=WHY),
            ]
        )
        return await agent.aget()

    given = asyncio.run(run())
    kept = memory.source("llamaindex", user="ada")["memories"]
    assert [(one["speaker"], one["session"], one["text"]) for one in kept[:2]] == [
        ("user", "s1", CAUSE),
        ("assistant", "s1", DECISION),
    ]
    told = "\n".join(str(one.content) for one in given)
    assert DECISION in told and CAUSE in told


def test_a_block_is_silent_where_nothing_is_relevant(memory: Memory) -> None:
    async def run() -> tuple[str, str, str]:
        block = GriotMemoryBlock(memory=memory)
        said = ChatMessage(role="user", content=CAUSE)
        empty = ChatMessage(role="user", content=" ")
        await block.aput([said, ChatMessage(role="tool", content="42"), empty])
        off_topic = ChatMessage(role="user", content="how tall is the Eiffel tower?")
        on_topic = ChatMessage(role="user", content="who was logged out?")
        return await block.aget(), await block.aget([off_topic]), await block.aget([on_topic])

    nothing, off_topic, on_topic = asyncio.run(run())
    assert (nothing, off_topic) == ("", "") and CAUSE in on_topic
    assert memory.status()["counts"]["memories"] == 1
