"""Can the frameworks in which agents are written load and use Griot's tools?

`hosts.py PATH_OF_GRIOT NODE_MODULES`. Each framework starts `griot mcp`, lists the tools, turns their schemas
into those of its models, calls each tool, and reads the answer as the model would get it; then a wrong call,
and sixteen at once. No warning and nothing on standard error is allowed. No model takes part: the calls are
those that a model would write.
"""

import asyncio
import json
import logging
import os
import re
import sys
import tempfile
import warnings
from contextlib import asynccontextmanager
from pathlib import Path

TOOLS = ["remember", "recall", "link", "forget", "why", "inspect", "ingest", "status"]
HANDLE = re.compile(r"#[0-9a-f]{6,}")
# What says that stored text follows, and what ends it.
MARKS = ("<stored-memory>", "</stored-memory>")
# Bytes of all tools together; hosts send them with every request.
MOST_SCHEMA = 16 * 1024


async def converse(names, call):
    """`call(tool, arguments)` gives what the model reads, and whether that is an error (None: not shown)."""
    assert sorted(names) == sorted(TOOLS), names

    async def ask(tool, **arguments):
        text, is_error = await call(tool, arguments)
        assert not is_error, (tool, text)
        assert all(mark in text for mark in MARKS), (tool, text)
        assert not text.lstrip().startswith("{"), f"{tool} answers JSON: {text}"
        return text

    cause = HANDLE.search(await ask("remember", text="The disk of the old ledger was full."))[0]
    stored = await ask(
        "remember", text="The ledger moved to Redis because its disk was full.", tags=["storage"]
    )
    effect = HANDLE.search(stored)[0]
    assert cause in await ask("link", source=cause, target=effect, kind="causal", reason="it says so")
    found = await ask("recall", query="why did the ledger move?", limit="3")
    assert effect in found and "moved to Redis" in found, found
    assert len(found) < 1200 * 5, f"{len(found)} characters"
    assert cause in await ask("why", name=effect)
    assert "Redis" in await ask("inspect", name="Redis")
    assert "1 memory added" in await ask("ingest", text="# Tea\n\nThe kettle is blue.", name="tea.md")
    assert "memories" in await ask("status")
    last = HANDLE.search(await ask("remember", text="A line to forget."))[0]
    assert last in await ask("forget", name=last)
    text, is_error = await call("inspect", {"name": "nothing of this name"})
    assert is_error is not False and "cannot find" in text and "the tool `recall`" in text, text
    texts = [f"Fact number {number} is about the harbour." for number in range(8)]
    await asyncio.gather(
        *(ask("remember", text=text) for text in texts),
        *(ask("recall", query="what of the ledger?") for _ in texts),
    )


@asynccontextmanager
async def session(server):
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async with stdio_client(StdioServerParameters(**server)) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session, await session.list_tools()


@asynccontextmanager
async def sdk(server):
    async with session(server) as (client, listed):
        size = len(listed.model_dump_json(exclude_none=True, by_alias=True))
        assert size <= MOST_SCHEMA, f"{size} bytes of tools"

        async def call(tool, arguments):
            answer = await client.call_tool(tool, arguments)
            assert answer.structuredContent is None, answer
            return "".join(block.text for block in answer.content), answer.isError

        yield [tool.name for tool in listed.tools], call


@asynccontextmanager
async def openai_agents(server):
    from agents import RunContextWrapper
    from agents.mcp import MCPServerStdio, MCPUtil
    from agents.tool_context import ToolContext

    async with MCPServerStdio(params=server) as session:
        tools = [MCPUtil.to_function_tool(tool, session, True) for tool in await session.list_tools()]
        assert all(tool.strict_json_schema for tool in tools), "a schema is not strict"
        named = {tool.name: tool for tool in tools}

        async def call(name, arguments):
            tool = named[name]
            # A strict mode makes the model name every key.
            sent = {key: None for key in tool.params_json_schema["properties"]} | arguments
            context = ToolContext(
                context=None, tool_name=name, tool_call_id="1", tool_arguments=json.dumps(sent)
            )
            assert isinstance(context, RunContextWrapper)
            answer = await tool.on_invoke_tool(context, json.dumps(sent))
            return answer["text"] if isinstance(answer, dict) else str(answer), None

        yield list(named), call


@asynccontextmanager
async def pydantic_ai(server):
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.exceptions import ModelRetry
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

    transport = StdioTransport(server["command"], server["args"], env=server["env"])
    async with MCPToolset(transport) as toolset:
        tools = await toolset.list_tools()
        for tool in tools:
            schema = OpenAIJsonSchemaTransformer(tool.inputSchema, strict=True)
            schema.walk()
            assert schema.is_strict_compatible, tool.name

        async def call(name, arguments):
            try:
                return str(await toolset.direct_call_tool(name, arguments)), False
            except ModelRetry as retry:
                return str(retry), True

        yield [tool.name for tool in tools], call


@asynccontextmanager
async def langchain(server):
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from langchain_google_genai._function_utils import convert_to_genai_function_declarations
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from langchain_mcp_adapters.tools import load_mcp_tools

    client = MultiServerMCPClient({"griot": server | {"transport": "stdio"}})
    async with client.session("griot") as session:
        tools = await load_mcp_tools(session)
        for tool in tools:
            convert_to_openai_tool(tool, strict=True)
            convert_to_genai_function_declarations([tool])
        named = {tool.name: tool for tool in tools}

        async def call(name, arguments):
            request = {"name": name, "args": arguments, "id": "1", "type": "tool_call"}
            try:
                answer = await named[name].ainvoke(request)
            except Exception as error:
                return str(error), True
            text = answer.content if isinstance(answer.content, str) else answer.content[0]["text"]
            return text, answer.status == "error"

        yield list(named), call


@asynccontextmanager
async def google_genai(server):
    from google.genai import _mcp_utils
    from google.genai._adapters import McpToGenAiToolAdapter
    from google.genai.types import FunctionCall

    async with session(server) as (client, listed):
        declared = [
            one for tool in _mcp_utils.mcp_to_gemini_tools(listed.tools) for one in tool.function_declarations
        ]
        adapter = McpToGenAiToolAdapter(client, listed)

        async def call(name, arguments):
            answer = await adapter.call_tool(FunctionCall(name=name, args=arguments))
            return answer.content[0].text, answer.isError

        yield [one.name for one in declared], call


@asynccontextmanager
async def llama_index(server):
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    client = BasicMCPClient(server["command"], args=server["args"], env=server["env"])
    tools = {tool.metadata.name: tool for tool in await McpToolSpec(client).to_tool_list_async()}
    for tool in tools.values():
        tool.metadata.to_openai_tool()

    async def call(name, arguments):
        answer = await tools[name].acall(**arguments)
        return answer.content, True if answer.is_error else None

    yield list(tools), call


@asynccontextmanager
async def node(server, script):
    """A client in another process: a line of JSON for a call, one for its answer, in any order."""
    process = await asyncio.create_subprocess_exec(
        *script,
        server["command"],
        env=os.environ | server["env"],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    names = json.loads(await process.stdout.readline())
    waiting = []

    async def listen():
        while line := await process.stdout.readline():
            number, *answer = json.loads(line)
            waiting[number].set_result(answer)

    async def call(name, arguments):
        number = len(waiting)
        waiting.append(asyncio.get_running_loop().create_future())
        process.stdin.write(json.dumps([number, name, arguments]).encode() + b"\n")
        return await waiting[number]

    listening = asyncio.create_task(listen())
    yield names, call
    process.stdin.close()
    assert await process.wait() == 0
    await listening


@asynccontextmanager
async def inspector(server, command):
    async def run(*arguments):
        process = await asyncio.create_subprocess_exec(
            *command,
            "--cli",
            server["command"],
            *arguments,
            env=os.environ | server["env"],
            stdout=asyncio.subprocess.PIPE,
        )
        return json.loads((await process.communicate())[0])

    async def call(name, arguments):
        sent = [
            f"{key}={value if isinstance(value, str) else json.dumps(value)}"
            for key, value in arguments.items()
        ]
        named = [word for one in sent for word in ("--tool-arg", one)]
        answer = await run("--method", "tools/call", "--tool-name", name, *named)
        return answer["content"][0]["text"], answer.get("isError", False)

    yield [tool["name"] for tool in (await run("--method", "tools/list"))["tools"]], call


class Loud(logging.Handler):
    """Keeps what a framework warns about."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.heard = []

    def emit(self, record):
        self.heard.append(f"{record.name}: {record.getMessage()}")


def main():
    binary, modules = (str(Path(argument).resolve()) for argument in sys.argv[1:3])
    loud = Loud()
    logging.getLogger().addHandler(loud)
    own = str(Path(__file__).resolve().parent / "host.mjs")
    # Inspector needs a newer Node than many systems have.
    run = str(next(Path(modules).glob("node-*/bin/node"), "node"))
    hosts = {
        "MCP Python SDK": sdk,
        "openai-agents, strict": openai_agents,
        "pydantic-ai": pydantic_ai,
        "LangChain, for OpenAI and Google": langchain,
        "google-genai": google_genai,
        "LlamaIndex": llama_index,
        "MCP TypeScript SDK 1": lambda server: node(server, [run, own, "sdk", modules]),
        "MCP TypeScript SDK 2": lambda server: node(server, [run, own, "client", modules]),
        "MCP Inspector": lambda server: inspector(server, [run, f"{modules}/.bin/mcp-inspector"]),
    }
    for name, connect in hosts.items():
        with tempfile.TemporaryDirectory() as folder:
            said, start = Path(folder, "stderr"), Path(folder, "start")
            # Not every host hands on the environment that it is given.
            start.write_text(f'#!/bin/sh\nGRIOT_HOME="{folder}/home" exec "{binary}" mcp 2>>"{said}"\n')
            start.chmod(0o700)
            server = {"command": str(start), "args": [], "env": {"PATH": os.environ["PATH"]}}

            async def use():
                async with connect(server) as (names, call):
                    await converse(names, call)

            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                asyncio.run(use())
            # What a library says about itself is not about these tools.
            about_tools = [
                str(one.message) for one in warned if not issubclass(one.category, DeprecationWarning)
            ]
            assert not about_tools, (name, about_tools)
            assert not loud.heard, (name, loud.heard)
            assert said.read_text() == "", (name, said.read_text())
            print(f"{name}: lists, calls, reads and fails as it should", flush=True)


main()
