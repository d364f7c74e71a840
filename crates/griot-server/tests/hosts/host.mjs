// A host on an official SDK for TypeScript: `host.mjs sdk|client NODE_MODULES COMMAND`. Prints the names of
// the tools; then, for each line `[number, tool, arguments]`, a line `[number, text, isError]`.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [version, modules, command] = process.argv.slice(2);
const paths = {
  sdk: ["sdk/dist/esm/client/index.js", "sdk/dist/esm/client/stdio.js"],
  client: ["client/dist/index.mjs", "client/dist/stdio.mjs"],
}[version];
const load = (path) => import(pathToFileURL(`${modules}/@modelcontextprotocol/${path}`));
const [{ Client }, { StdioClientTransport }] = await Promise.all(paths.map(load));

const client = new Client({ name: "host", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, env: process.env }));
const { tools } = await client.listTools();
console.log(JSON.stringify(tools.map((tool) => tool.name)));
const open = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [number, name, given] = JSON.parse(line);
  const answer = client.callTool({ name, arguments: given }).then(({ content, isError }) => {
    console.log(JSON.stringify([number, content.map((block) => block.text).join(""), Boolean(isError)]));
  });
  open.push(answer);
}
await Promise.all(open);
await client.close();
