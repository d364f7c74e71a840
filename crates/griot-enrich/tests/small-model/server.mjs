// A very small language model behind the interface of OpenAI, for tests.
//
// `server.mjs PATH_OF_WEIGHTS` prints its address once it answers, and ends when its input does.
// `POST /v1/chat/completions` takes `messages`, `max_tokens`, `temperature` and `response_format`; anything
// else in a request is refused, except `model`. One request is worked on at a time; the others wait.
// `GET /seen` lists what was asked and replied so far.

import { createServer } from "node:http";

import { getLlama, LlamaChatSession, LlamaLogLevel } from "node-llama-cpp";

// Tokens of request and reply together; a longer request is refused.
const CONTEXT = 2048;
// Tokens of the longest reply.
const MOST = 160;
// Bytes of a request.
const BODY = 1024 * 1024;

// Several wait for each other in a loop, which takes ten times as long where other programs run.
const THREADS = 1;

const llama = await getLlama({
  gpu: false,
  build: "never",
  maxThreads: THREADS,
  progressLogs: false,
  logLevel: LlamaLogLevel.error,
});
const model = await llama.loadModel({ modelPath: process.argv[2] });
const context = await model.createContext({ contextSize: CONTEXT, threads: THREADS });
const session = new LlamaChatSession({ contextSequence: context.getSequence(), autoDisposeSequence: false });

// An answer that is not 200.
class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

async function body(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    parts.push(part);
    length += part.length;
    if (length > BODY) throw new Refusal(413, "too_large", `a request has at most ${BODY} bytes`);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch (error) {
    throw new Refusal(400, "invalid_json", String(error.message));
  }
}

// The request with its defaults; throws where it asks for something that this server cannot do.
function read({ model: _, messages, max_tokens, temperature = 0, response_format, ...others }) {
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new Refusal(400, "unknown_parameter", `unknown: ${unknown.join(", ")}`);
  const is_message = ({ role, content }) =>
    ["system", "user", "assistant"].includes(role) && typeof content === "string";
  if (!Array.isArray(messages) || !messages.every(is_message) || messages.at(-1)?.role !== "user") {
    throw new Refusal(400, "invalid_messages", "`messages` are texts with a role, and the last is the user's");
  }
  if (response_format && response_format.type !== "json_schema") {
    throw new Refusal(400, "invalid_format", "`response_format` is a JSON Schema");
  }
  return { messages, temperature, most: Math.min(max_tokens ?? MOST, MOST), response_format };
}

// The grammar of a schema; without one, or with one that it cannot express, the reply is free.
async function grammar(format) {
  try {
    return format && (await llama.createGrammarForJsonSchema(format.json_schema.schema));
  } catch (error) {
    console.error(`no grammar for ${format.json_schema?.name}: ${error.message}`);
  }
}

function history(messages) {
  return messages.map(({ role, content }) =>
    role === "assistant" ? { type: "model", response: [content] } : { type: role, text: content },
  );
}

async function complete({ messages, temperature, most, response_format }, signal) {
  const chatHistory = [...history(messages), { type: "model", response: [] }];
  const asked = session.chatWrapper.generateContextState({ chatHistory });
  const prompt_tokens = asked.contextText.tokenize(model.tokenizer).length;
  if (prompt_tokens + most > CONTEXT) {
    const why = `${prompt_tokens} and ${most} tokens are more than ${CONTEXT}`;
    throw new Refusal(400, "context_length_exceeded", why);
  }
  session.setChatHistory(history(messages.slice(0, -1)));
  let completion_tokens = 0;
  const { responseText, stopReason } = await session.promptWithMeta(messages.at(-1).content, {
    maxTokens: most,
    temperature,
    grammar: await grammar(response_format),
    onToken: (tokens) => (completion_tokens += tokens.length),
    signal,
  });
  const finish_reason = stopReason === "maxTokens" ? "length" : "stop";
  const choices = [{ index: 0, message: { role: "assistant", content: responseText }, finish_reason }];
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  return { object: "chat.completion", model: "smollm2-135m-instruct", choices, usage };
}

const seen = [];
let last = Promise.resolve();

function answer(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function serve(request, response) {
  if (request.method === "GET" && request.url === "/seen") return answer(response, 200, seen);
  if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
    throw new Refusal(404, "not_found", "there is POST /v1/chat/completions");
  }
  const entry = { form: null, status: null, reason: null, usage: null, reply: null };
  seen.push(entry);
  try {
    const asked = read(await body(request));
    entry.form = asked.response_format?.json_schema?.name ?? "text";
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const turn = last.then(() => {
      gone.signal.throwIfAborted();
      return complete(asked, gone.signal);
    });
    last = turn.catch(() => {});
    const reply = await turn;
    const [{ finish_reason, message }] = reply.choices;
    Object.assign(entry, { status: 200, reason: finish_reason, usage: reply.usage, reply: message.content });
    answer(response, 200, reply);
  } catch (error) {
    entry.status = response.destroyed ? 499 : (error.status ?? 500);
    throw error;
  }
}

const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    if (response.destroyed) return;
    const { status = 500, code = "failed", message } = error;
    answer(response, status, { error: { message, type: "invalid_request_error", code } });
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
process.stdin.resume().on("end", () => process.exit(0));
