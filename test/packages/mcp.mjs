// Lists the tools of a server over stdin and stdout, as a host would.
//
// node mcp.mjs COMMAND ARG... prints a name a line.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
createInterface({ input: server.stdout }).on("line", (line) => {
	const message = JSON.parse(line);
	waiting.get(message.id)?.(message);
});
let last = 0;
const call = (method, params) =>
	new Promise((answer) => {
		const id = ++last;
		waiting.set(id, answer);
		server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
	});
const patience = setTimeout(() => {
	console.error("the server says nothing");
	server.kill("SIGKILL");
	process.exitCode = 1;
}, 60_000);

await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "packages", version: "1" } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const { result } = await call("tools/list", {});
for (const tool of result.tools) console.log(tool.name);
const saved = await call("tools/call", { name: "memory_save", arguments: { content: "The bundle was started by a test." } });
if (saved.result?.isError !== false && saved.result?.isError !== undefined) {
	console.error(JSON.stringify(saved));
	process.exitCode = 1;
}
server.stdin.end();
server.on("exit", (code) => {
	clearTimeout(patience);
	if (code !== 0) process.exitCode = 1;
});
