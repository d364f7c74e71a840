"""`griot.langchain` with LangChain itself."""

from __future__ import annotations

import asyncio

import pytest
from conftest import Server
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory

from griot import Griot, Memory
from griot.langchain import GriotChatMessageHistory, GriotRetriever

WHY = "why did we move sessions to Postgres?"


def stored(memory: Memory | Griot) -> None:
    memory.remember("Customers were logged out because the nightly Redis restart wiped their sessions")
    memory.remember("We moved sessions to Postgres because customers were logged out", kind="decision")


def test_a_retriever_finds_what_recall_finds(memory: Memory) -> None:
    stored(memory)
    results = memory.recall(WHY)["results"]
    documents = GriotRetriever(memory=memory).invoke(WHY)
    assert [(one.id, one.page_content) for one in documents] == [(one["id"], one["text"]) for one in results]
    assert len(documents) == 2
    assert documents[0].metadata["score"] == results[0]["score"]
    assert documents[1].metadata["path"] == results[1]["path"] != []
    assert asyncio.run(GriotRetriever(memory=memory).ainvoke(WHY)) == documents
    decisions = GriotRetriever(memory=memory, options={"kinds": ["decision"]}).invoke(WHY)
    assert [one.metadata["kind"] for one in decisions] == ["decision"]
    assert GriotRetriever(memory=memory).invoke("how tall is the Eiffel tower?") == []


def test_a_retriever_is_a_step_of_a_chain_also_over_a_server(server: Server) -> None:
    with Griot(server.url) as griot:
        stored(griot)

        def joined(documents: list[Document]) -> str:
            return "\n".join(one.page_content for one in documents)

        prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
        asked: list[str] = []

        def model(given: object) -> str:
            asked.append(str(given))
            return "customers were logged out"

        retriever = GriotRetriever(memory=griot)
        given = {"context": retriever | joined, "question": RunnablePassthrough()}
        chain = given | prompt | RunnableLambda(model) | StrOutputParser()
        assert chain.invoke(WHY) == "customers were logged out"
        assert "We moved sessions to Postgres" in asked[0] and "Redis restart" in asked[0]


def test_a_history_returns_every_message_in_order_also_equal_ones(memory: Memory) -> None:
    history = GriotChatMessageHistory(memory, "team/standup 1", user="ada")
    assert isinstance(history, BaseChatMessageHistory) and history.messages == []
    history.add_messages([SystemMessage("Answer briefly"), HumanMessage("ok")])
    history.add_messages([AIMessage("ok"), HumanMessage("ok"), AIMessage("two\nlines, 世界 ")])
    said = [(one.type, one.content) for one in history.messages]
    assert said == [
        ("system", "Answer briefly"),
        ("human", "ok"),
        ("ai", "ok"),
        ("human", "ok"),
        ("ai", "two\nlines, 世界 "),
    ]
    assert asyncio.run(history.aget_messages()) == history.messages
    # Another object, as after a restart; another session; another user.
    assert GriotChatMessageHistory(memory, "team/standup 1", user="ada").messages == history.messages
    assert GriotChatMessageHistory(memory, "team/standup 2", user="ada").messages == []
    assert GriotChatMessageHistory(memory, "team/standup 1", user="ben").messages == []
    assert GriotChatMessageHistory(memory, "team-standup 1", user="ada").messages == []


def test_calls_of_tools_are_left_out_so_that_any_model_takes_the_rest(memory: Memory) -> None:
    history = GriotChatMessageHistory(memory, "s1")
    call = AIMessage("", tool_calls=[{"name": "clock", "args": {}, "id": "c1"}])
    history.add_messages([HumanMessage("What time is it?"), call, ToolMessage("9:00", tool_call_id="c1")])
    history.add_ai_message(AIMessage([{"type": "text", "text": "Nine"}]))
    said = [(one.type, one.content) for one in history.messages]
    assert said == [("human", "What time is it?"), ("ai", "Nine")]


def test_messages_are_memories_until_the_history_is_cleared(memory: Memory) -> None:
    history = GriotChatMessageHistory(memory, "s1")
    history.add_user_message("We moved sessions to Postgres because customers were logged out")
    found = memory.recall(WHY)["results"]
    assert [(one["speaker"], one["session"]) for one in found] == [("human", "s1")]
    history.clear()
    history.clear()
    assert history.messages == [] and memory.recall(WHY)["results"] == []
    history.add_user_message("ok")
    assert [one.content for one in history.messages] == ["ok"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_chain_remembers_its_sessions(memory: Memory) -> None:
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{question}")])
    model = FakeListChatModel(responses=["Hello Ada", "You are Ada"])
    chain = RunnableWithMessageHistory(
        prompt | model,
        lambda session: GriotChatMessageHistory(memory, session),
        input_messages_key="question",
        history_messages_key="history",
    )
    for question in ("I am Ada", "Who am I?"):
        chain.invoke({"question": question}, config={"configurable": {"session_id": "s1"}})
    said = [one.content for one in GriotChatMessageHistory(memory, "s1").messages]
    assert said == ["I am Ada", "Hello Ada", "Who am I?", "You are Ada"]
