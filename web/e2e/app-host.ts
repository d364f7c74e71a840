// A chat client for the specs: the bridge of the reference package, around a frame that may run scripts and
// nothing else. What it would ask a server goes to the functions that the spec exposes.

import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

type CallTool = NonNullable<AppBridge["oncalltool"]>;

declare global {
  interface Window {
    /** Exposed by the spec: calls a tool. */
    callTool: (params: Parameters<CallTool>[0]) => ReturnType<CallTool>;
    bridge: AppBridge;
    /** Addresses that were opened. */
    opened: string[];
    heights: number[];
    show: (view: View) => Promise<void>;
  }
}

export interface View {
  /** Where the document is, or the document itself. */
  src?: string;
  srcdoc?: string;
  theme?: "light" | "dark";
  mayCall?: boolean;
  mayOpen?: boolean;
}

window.opened = [];
window.heights = [];
window.show = async ({ src, srcdoc, theme = "light", mayCall = true, mayOpen = true }) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "width: 100%; height: 200px; border: none";
  document.body.replaceChildren(frame);
  const bridge = (window.bridge = new AppBridge(null, { name: "specs", version: "1" }, {
    ...(mayCall ? { serverTools: {} } : {}),
    ...(mayOpen ? { openLinks: {} } : {}),
  }, { hostContext: {
    theme, displayMode: "inline", styles: { variables: { "--font-sans": "serif" } as never },
  } }));
  if (mayCall) bridge.oncalltool = (params) => window.callTool(params);
  bridge.onopenlink = async ({ url }) => {
    window.opened.push(url);
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    window.heights.push(height ?? 0);
    frame.style.height = `${height}px`;
  };
  const initialized = new Promise<void>((done) => (bridge.oninitialized = () => done()));
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  if (srcdoc === undefined) frame.src = src!;
  else frame.srcdoc = srcdoc;
  await initialized;
};
