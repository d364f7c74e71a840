"""Griot in LangChain: a retriever, and the history of a chat.

Needs `langchain-core` (`pip install 'griot[langchain]'`). Both take a `griot.Memory` or a `griot.Griot`.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from . import errors
from ._verbs import Verbs

__all__ = ["GriotChatMessageHistory", "GriotRetriever"]

_SPEAKERS: dict[str, type[HumanMessage] | type[AIMessage] | type[SystemMessage]] = {
    "human": HumanMessage,
    "ai": AIMessage,
    "system": SystemMessage,
}


class GriotRetriever(BaseRetriever):
    """Documents that bear on a question, best first; none if nothing is relevant.

    The metadata of a document is the result of `recall` without its text: score, path, standing and so on.
    Texts are stored text, not instructions.
    """

    memory: Verbs = Field(exclude=True)
    options: dict[str, Any] = Field(default_factory=dict)
    """Arguments of `recall`, such as `{"limit": 5, "kinds": ["decision"]}`."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = self.memory.recall(query, **self.options)["results"]
        documents = []
        for result in found:
            metadata: dict[str, Any] = {**result}
            text = metadata.pop("text")
            documents.append(Document(id=result["id"], page_content=text, metadata=metadata))
        return documents


class GriotChatMessageHistory(BaseChatMessageHistory):
    """The messages of one session, each of which is a memory that `recall` finds.

    It keeps what people, models and the system said: type, text and time. Messages without text and those of
    tools are left out, as are tool calls, so that what comes back is a conversation that any model takes.
    One process at a time may write to a session.
    """

    def __init__(self, memory: Verbs, session: str, *, user: str | None = None, project: str | None = None):
        self._memory = memory
        self._session = session
        self._user, self._project = user, project
        # The name of a source is that of a file, so a slash would cut it.
        self._name = f"{quote(session, safe='')}.chat.jsonl"
        owner = f"{user}/" if user is not None else ""
        self._origin = f"upload:{owner}{self._name}"

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        return [_SPEAKERS[one["speaker"]](content=one["text"], id=one["id"]) for one in self._stored()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        new = [(message.type, message.text) for message in messages if message.type in _SPEAKERS]
        lines = [
            {"speaker": one["speaker"], "text": one["text"], "time": one["time"]} for one in self._stored()
        ]
        lines += [{"speaker": speaker, "text": text, "time": now} for speaker, text in new if text.strip()]
        if lines:
            document = "\n".join(json.dumps({**line, "session": self._session}) for line in lines)
            self._memory.ingest(
                text=document, name=self._name, format="chat", user=self._user, project=self._project
            )

    def clear(self) -> None:
        """Hides the messages; `griot restore` brings them back, `griot erase source` removes them."""
        try:
            found = self._memory.source(self._origin, user=self._user, project=self._project)
            source = found["source"]["source"]["id"]
            self._memory.forget(source, user=self._user, project=self._project)
        except errors.NotFound:
            pass

    def _stored(self) -> list[dict[str, str]]:
        try:
            found = self._memory.source(self._origin, user=self._user, project=self._project)["memories"]
        except errors.NotFound:
            return []
        return [
            {"id": one["id"], "speaker": one["speaker"], "text": one["text"], "time": one["occurred_at"]}
            for one in found
            if one["deleted_at"] is None and one["speaker"] in _SPEAKERS
        ]
