// The chat client around this view: JSON-RPC 2.0 by messages to the window that holds the frame.

/** The revision of the extension that is spoken here. */
const REVISION = "2026-01-26";
const NO_SUCH_METHOD = -32601;

export interface HostContext {
  theme?: string;
  styles?: { variables?: Record<string, string | undefined> };
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
}

interface Initialized {
  hostCapabilities?: { serverTools?: object; openLinks?: object };
  hostContext?: HostContext;
}

/** What a tool answered, as the protocol has it. */
export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: object;
  result?: unknown;
  error?: { code: number; message?: string };
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (why: Error) => void;
}

/** Dispatches each notification of the host as an event of its method, with the parameters as `detail`. */
export class Host extends EventTarget {
  capabilities: NonNullable<Initialized["hostCapabilities"]> = {};
  context: HostContext = {};
  readonly #around: Pick<Window, "postMessage">;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  /** `own` receives what `around` sends. */
  constructor(own: EventTarget, around: Pick<Window, "postMessage">) {
    super();
    this.#around = around;
    own.addEventListener("message", (event) => {
      const { source, data } = event as MessageEvent;
      // Any window may send messages; only the one around this frame is the host.
      if (source === around) this.#receive(data);
    });
  }

  /** The handshake. The host sends nothing else before it is over. */
  async open(version: string): Promise<void> {
    const answer = (await this.request("ui/initialize", {
      protocolVersion: REVISION,
      appInfo: { name: "griot", version },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    })) as Initialized;
    this.capabilities = answer.hostCapabilities ?? {};
    this.#learn(answer.hostContext ?? {});
    this.notify("ui/notifications/initialized", {});
  }

  /** Whether the host passes calls on to the server. */
  get mayCall(): boolean {
    return this.capabilities.serverTools !== undefined;
  }

  async call(name: string, asked: object): Promise<ToolResult> {
    return (await this.request("tools/call", { name, arguments: asked })) as ToolResult;
  }

  async openLink(url: string): Promise<void> {
    const { isError } = (await this.request("ui/open-link", { url })) as { isError?: boolean };
    if (isError) throw new Error("the chat client refused");
  }

  request(method: string, params: object): Promise<unknown> {
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  notify(method: string, params: object): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  #send(message: Message): void {
    // The origin of the host is not known, and nothing secret is sent: the host sees all of it anyway.
    this.#around.postMessage(message, "*");
  }

  #receive(message: Partial<Message> | null): void {
    if (typeof message !== "object" || message?.jsonrpc !== "2.0") return;
    const { id, method } = message;
    if (method === undefined) {
      const waiting = this.#waiting.get(id as number);
      this.#waiting.delete(id as number);
      const { error } = message;
      if (error) waiting?.reject(new Error(error.message ?? `the chat client answered ${error.code}`));
      else waiting?.resolve(message.result ?? {});
      return;
    }
    if (id !== undefined) {
      const isKnown = method === "ping" || method === "ui/resource-teardown";
      this.#send(isKnown ? { jsonrpc: "2.0", id, result: {} }
        : { jsonrpc: "2.0", id, error: { code: NO_SUCH_METHOD, message: `there is no method ${method}` } });
      return;
    }
    if (method === "ui/notifications/host-context-changed") this.#learn(message.params ?? {});
    this.dispatchEvent(new CustomEvent(method, { detail: message.params ?? {} }));
  }

  #learn(changed: HostContext): void {
    this.context = { ...this.context, ...changed };
    this.dispatchEvent(new Event("context"));
  }
}
