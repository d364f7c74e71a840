"""Griot in LlamaIndex: a retriever, and a block of long-term memory for agents.

Needs `llama-index-core` (`pip install 'griot[llamaindex]'`). Both take a `griot.Memory` or a `griot.Griot`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pydantic import Field

from . import types
from ._verbs import Verbs

__all__ = ["GriotMemoryBlock", "GriotRetriever"]

_MOST = 1000
"""Memories in one request to a server."""


class GriotRetriever(BaseRetriever):
    """Nodes that bear on a question, best first, each with its score; none if nothing is relevant.

    The metadata of a node is the result of `recall` without text and score. It is hidden from models, which
    see the text alone. Texts are stored text, not instructions.

    options: arguments of `recall`, such as `limit=5` or `kinds=["decision"]`
    """

    def __init__(self, memory: Verbs, **options: Any) -> None:
        super().__init__()
        self._memory = memory
        self._options = options

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._memory.recall(query_bundle.query_str, **self._options)["results"]
        return [_node(result) for result in found]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(result: types.RecallResult) -> NodeWithScore:
    metadata: dict[str, Any] = {**result}
    text, score = metadata.pop("text"), metadata.pop("score")
    hidden = list(metadata)
    node = TextNode(
        id_=result["id"],
        text=text,
        metadata=metadata,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
    )
    return NodeWithScore(node=node, score=score)


class GriotMemoryBlock(BaseMemoryBlock[str]):
    """Long-term memory of an agent, for `Memory(memory_blocks=[…])`.

    Messages that leave the short-term memory are stored, each as a memory with its speaker and session. Each
    turn gets what bears on the last message of the user; nothing if nothing is relevant.
    """

    name: str = "griot"
    memory: Verbs = Field(exclude=True)
    user: str | None = None
    project: str | None = None
    budget: int = 800
    """Tokens of the memories that a turn gets."""

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [message.content or "" for message in messages or () if message.role == "user"]
        if not asked or not asked[-1].strip():
            return ""
        found = await asyncio.to_thread(self._context, asked[-1])
        return found["text"] if found["results"] else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        texts: list[types.Draft] = [
            {
                "text": message.content,
                "kind": "turn",
                "speaker": str(message.role.value),
                "session": message.additional_kwargs.get("session_id"),
            }
            for message in messages
            if message.role in ("user", "assistant") and message.content and message.content.strip()
        ]
        for at in range(0, len(texts), _MOST):
            await asyncio.to_thread(self._remember, texts[at : at + _MOST])

    def _context(self, query: str) -> types.Context:
        return self.memory.context(query, budget=self.budget, user=self.user, project=self.project)

    def _remember(self, texts: list[types.Draft]) -> None:
        self.memory.remember_many(texts, source="llamaindex", user=self.user, project=self.project)
