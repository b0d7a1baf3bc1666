// Has other memory programs write real data, and imports it:
// imports.mjs BINARY NODE_MODULES FOLDER.
//
// server-memory serves MCP over stdio and writes its graph; the path is named as
// hosts name it, in a config, and import --from auto has to find it.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const [binary, modules, work] = process.argv.slice(2);
const home = join(work, "home");
const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, XDG_DATA_HOME: join(home, "data"), TMPDIR: work };
let checks = 0;

function check(condition, what) {
	checks++;
	assert.ok(condition, what);
}

// memory runs a command of the program, and returns what it prints.
async function memory(...args) {
	const { stdout } = await promisify(execFile)(binary, args, { env, cwd: home });
	return stdout;
}

const report = async (...args) => JSON.parse(await memory("import", "--json", ...args));

// client speaks MCP with a server over stdio.
function client(command, args, extra) {
	const server = spawn(command, args, { env: { ...env, ...extra }, stdio: ["pipe", "pipe", "ignore"] });
	const waiting = new Map();
	createInterface({ input: server.stdout }).on("line", (line) => {
		const message = JSON.parse(line);
		waiting.get(message.id)?.(message);
	});
	server.on("exit", () => waiting.forEach((answer) => answer({ error: { message: "the server has ended" } })));
	let id = 0;
	const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
	const request = async (method, params) => {
		const answer = await new Promise((resolve) => {
			waiting.set(++id, resolve);
			send({ id, method, params });
		});
		assert.ok(!answer.error && !answer.result?.isError, `${method} ${JSON.stringify(params)}: ${JSON.stringify(answer)}`);
		return answer.result;
	};
	return {
		async open() {
			await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "imports", version: "1" } });
			send({ method: "notifications/initialized" });
		},
		call: (name, args) => request("tools/call", { name, arguments: args }),
		close: () => new Promise((resolve) => (server.exitCode === null ? server.on("exit", resolve) : resolve(), server.kill())),
	};
}

async function serverMemory() {
	const graph = join(work, "graph.jsonl");
	const script = join(modules, "@modelcontextprotocol", "server-memory", "dist", "index.js");
	await writeFile(join(home, ".claude.json"), JSON.stringify({
		mcpServers: { memory: { command: "node", args: [script], env: { MEMORY_FILE_PATH: graph } } },
	}));
	const server = client(process.execPath, [script], { MEMORY_FILE_PATH: graph });
	await server.open();
	await server.call("create_entities", {
		entities: [
			{ name: "Anna", entityType: "person", observations: ["plays the oboe", "Anna lives in Riga", "wird im März 40 🎂"] },
			{ name: "Globex", entityType: "company", observations: [] },
			{ name: "Old", entityType: "thing", observations: ["is gone soon"] },
		],
	});
	await server.call("create_relations", { relations: [{ from: "Anna", to: "Globex", relationType: "works_at" }] });
	await server.call("add_observations", { observations: [{ entityName: "Globex", contents: ["has its office in Tallinn"] }] });
	await server.call("delete_entities", { entityNames: ["Old"] });

	// The server is running and has the file; nothing of it may change.
	const before = [await readFile(graph, "utf8"), (await stat(graph)).mtimeMs];
	const plan = await report("--from", "auto", "--dry-run");
	check(plan.programs.join() === "server-memory" && plan.created === 5 && plan.refused === 0, JSON.stringify(plan));
	const first = await report("--from", "auto", "--yes");
	check(first.created === 5 && first.undo_id, JSON.stringify(first));
	const recalled = await memory("recall", "Which instrument does Anna play?");
	check(recalled.startsWith("1. Anna: plays the oboe"), recalled);
	check(/Anna\s+works_at\s+.*Globex/.test(await memory("triples", "list")), "the relation is no triple");
	const second = await report("--from", "server-memory");
	check(second.created + second.updated === 0 && second.duplicates === 5 && !second.undo_id, JSON.stringify(second));
	check((await readFile(graph, "utf8")) === before[0] && (await stat(graph)).mtimeMs === before[1], "the graph was changed");

	// What it writes later comes by another import.
	await server.call("add_observations", { observations: [{ entityName: "Anna", contents: ["has a cat"] }] });
	await server.close();
	const third = await report("--from", "server-memory", graph);
	check(third.created === 1 && third.duplicates === 5, JSON.stringify(third));

	// A torn last line, as of a server that was killed.
	await writeFile(graph, (await readFile(graph, "utf8")) + '\n{"type":"entity","name":"Torn","obs');
	const torn = await report("--from", "server-memory", graph);
	check(torn.created === 0 && torn.refused === 1 && torn.duplicates === 6, JSON.stringify(torn));

	await memory("forget", "--undo", third.undo_id);
	await memory("forget", "--undo", first.undo_id);
	const stats = JSON.parse(await memory("stats", "--json"));
	check(stats.records === 0, JSON.stringify(stats));
}

await mkdir(home, { recursive: true });
await serverMemory();
console.log(`imports: ${checks} checks`);
