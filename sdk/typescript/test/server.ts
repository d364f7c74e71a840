// The real server, and a scripted one.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server as Listener, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

export const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const BINARY = process.env["GRIOT_BIN"] ?? join(PACKAGE, "../../target/debug/griot");

for (const name of Object.keys(process.env)) {
  if (name.startsWith("GRIOT_") && name !== "GRIOT_BIN") delete process.env[name];
}

/** `griot serve` with a temporary home. */
export class Server {
  readonly #home = mkdtempSync(join(tmpdir(), "griot-"));
  #process: ChildProcess | null = null;
  url = "";

  static async started(test: TestContext): Promise<Server> {
    const server = new Server();
    test.after(() => server.remove());
    await server.start();
    return server;
  }

  get #environment(): NodeJS.ProcessEnv {
    return { ...process.env, GRIOT_HOME: this.#home, NO_COLOR: "1" };
  }

  run(...args: string[]): string {
    return execFileSync(BINARY, args, { env: this.#environment, encoding: "utf8" });
  }

  /** A new key. */
  key(...args: string[]): string {
    const word = /griot_\S+/.exec(this.run("key", "create", ...args));
    if (word === null) throw new Error("there is no key in the answer");
    return word[0];
  }

  async start(): Promise<void> {
    const listen = this.url === "" ? "127.0.0.1:0" : this.url.replace("http://", "");
    const child = spawn(BINARY, ["serve", "--listen", listen], {
      env: this.#environment,
      cwd: this.#home,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#process = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const found = /http:\/\/\S+/.exec(line);
      if (found !== null) {
        this.url = found[0];
        return;
      }
    }
    throw new Error("the server did not start");
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    this.#process = null;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

export type Act = (socket: Socket) => void;

/** A server that handles its first connection with the first act, and so on; the last act handles all further ones. */
export class Script {
  /** Received requests, head and body. */
  readonly requests: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #listener: Listener;
  url = "";

  private constructor(acts: Act[]) {
    let count = 0;
    this.#listener = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      const act = acts[Math.min(count, acts.length - 1)];
      count += 1;
      let data = "";
      const read = (piece: Buffer) => {
        data += piece.toString();
        const [head, body] = data.split("\r\n\r\n");
        const length = /content-length: (\d+)/i.exec(head ?? "");
        if (body === undefined || Buffer.byteLength(body) < Number(length?.[1] ?? 0)) return;
        socket.off("data", read);
        this.requests.push(data);
        act?.(socket);
      };
      socket.on("data", read);
    });
  }

  static async started(test: TestContext, ...acts: Act[]): Promise<Script> {
    const script = new Script(acts);
    await new Promise<void>((resolve) => script.#listener.listen(0, "127.0.0.1", resolve));
    const address = script.#listener.address();
    if (address === null || typeof address === "string") throw new Error("there is no port");
    script.url = `http://127.0.0.1:${address.port}`;
    test.after(() => {
      script.#sockets.forEach((socket) => socket.destroy());
      script.#listener.close();
    });
    return script;
  }

  /** Values of a header in the order of requests. */
  headers(name: string): (string | null)[] {
    return this.requests.map((request) => new RegExp(`^${name}: (.*?)\r$`, "im").exec(request)?.[1] ?? null);
  }
}

/** Keeps the connection open without an answer until the test ends. */
export const silence: Act = () => undefined;

/** Sends a byte now and then, without end. */
export const drip: Act = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n");
  const timer = setInterval(() => socket.write(" "), 20);
  socket.on("close", () => clearInterval(timer));
};

export const hangUp: Act = (socket) => void socket.destroy();

export function says(status: string, body: string, kind = "application/json", ...headers: string[]): Act {
  const head = [`HTTP/1.1 ${status}`, `Content-Type: ${kind}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return (socket) => void socket.end(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`);
}

export function refuses(kind: string, status: string, ...headers: string[]): Act {
  const error = { kind, what: "do it", why: "so", hint: "help", request_id: "r1" };
  return says(status, JSON.stringify({ error }), "application/json", ...headers);
}

/** A stream in one chunk, which then breaks off. */
export function streams(kind: string, text: string): Act {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${kind}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  return (socket) => {
    socket.write(`${head}${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`, () => {
      // Close only after the chunk was sent: an immediate reset could discard unread data.
      setTimeout(() => socket.destroy(), 20);
    });
  };
}

export async function next<T>(items: AsyncIterator<T>): Promise<T> {
  const step = await items.next();
  if (step.done) throw new Error("the stream ended");
  return step.value;
}
