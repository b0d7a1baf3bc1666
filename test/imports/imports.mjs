// Has other memory programs write real data, and imports it:
// imports.mjs BINARY NODE_MODULES FILES FOLDER, where FILES are packages without what
// they depend on.
//
// server-memory serves MCP over stdio and writes its graph; the path is named as
// hosts name it, in a config, and import --from auto has to find it. agentmemory
// does so without its engine, which no registry has, and exports what it keeps.
// claude-mem's own store makes and fills its database; the rest of it wants a model.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const [binary, modules, files, work] = process.argv.slice(2);
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

// flat is a text without the breaks of its lines.
const flat = (text) => text.replace(/\s+/g, " ");

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
	check(recalled.split("\n\n")[1]?.startsWith("Anna: plays the oboe"), recalled); // behind the verdict
	check(/^Anna works at .*Globex/m.test(await memory("triples", "list")), "the relation is no triple");
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

	await memory("undo", third.undo_id);
	await undone(first.undo_id);
}

// undone takes an import back, and wants nothing left.
async function undone(id) {
	await memory("undo", id);
	const stats = JSON.parse(await memory("stats", "--json"));
	check(stats.records === 0 && stats.turns === 0, JSON.stringify(stats));
}

// again imports for a second time, which changes nothing.
async function again(count, ...args) {
	const second = await report(...args);
	check(second.created + second.updated === 0 && second.duplicates === count && !second.undo_id, JSON.stringify(second));
}

async function agentMemory() {
	const script = join(files, "@agentmemory", "agentmemory", "dist", "standalone.mjs");
	const server = client(process.execPath, [script], { AGENTMEMORY_URL: "http://127.0.0.1:9" }); // nobody serves its engine there
	await server.open();
	const save = (args) => server.call("memory_save", args);
	await save({ content: "The billing service owns the invoices table.", type: "architecture", concepts: "billing, invoices", files: "billing.go" });
	const long = "Payments are retried after two seconds, since a retry at once locks the account of the customer for a whole day. Geprüft im März 🎂.";
	await save({ content: long, type: "bug" });
	await save({ content: "Ann wants a test before a review.", type: "preference" });
	const gone = JSON.parse((await save({ content: "This is wrong." })).content[0].text).saved;
	await server.call("memory_governance_delete", { memoryIds: gone });
	const exported = join(work, "agentmemory.json");
	await writeFile(exported, (await server.call("memory_export", {})).content[0].text);

	// Its file is found, and says the same as its export.
	const first = await report("--from", "auto", "--yes");
	check(first.programs.join() === "agentmemory" && first.created === 3 && first.refused === 0 && first.undo_id, JSON.stringify(first));
	const recalled = await memory("recall", "When are payments retried?");
	check(flat(recalled.split("\n\n")[1] ?? "").startsWith(long), recalled);
	await again(3, "--from", "auto", exported, "--yes");
	await save({ content: "The office is in Tallinn now." });
	await server.close();
	const third = await report("--from", "agentmemory");
	check(third.created === 1 && third.duplicates === 3, JSON.stringify(third));
	await memory("undo", third.undo_id);
	await undone(first.undo_id);
}

async function claudeMem() {
	const bun = join(files, "@oven", "bun-linux-x64", "bin", "bun");
	if (process.platform !== "linux" || process.arch !== "x64") {
		console.log("claude-mem is left out: its store wants Bun, which is pinned for Linux on x64 alone");
		return;
	}
	const script = join(dirname(fileURLToPath(import.meta.url)), "claude-mem.cjs");
	const database = join(home, ".claude-mem", "claude-mem.db");
	const writer = spawn(bun, [script, join(files, "claude-mem"), database], { env, stdio: ["pipe", "pipe", "inherit"] });
	await new Promise((resolve, reject) => {
		createInterface({ input: writer.stdout }).on("line", (line) => line === "written" && resolve());
		writer.on("exit", (code) => reject(new Error(`claude-mem's store has ended with ${code}`)));
	});

	// The store has the database open, as when its worker runs.
	const plan = await report("--from", "claude-mem", "--dry-run", "--with-prompts");
	check(plan.records === 4 && plan.turns === 1 && plan.left_out === 1 && plan.refused === 0, JSON.stringify(plan));
	check(plan.projects.map((p) => p.project).join() === "garden,shop", JSON.stringify(plan.projects));
	const first = await report("--from", "claude-mem", "--with-prompts");
	check(first.records === 4 && first.turns === 1 && first.undo_id, JSON.stringify(first));
	const recalled = await memory("recall", "--project", "shop", "Why did orders come twice?");
	check(flat(recalled).includes("Orders carry an idempotency key: Orders came twice when the browser retried"), recalled);
	check(flat(recalled).includes("Keys expire after 48 hours"), recalled);
	await again(5, "--from", "claude-mem", "--with-prompts");
	const all = await report("--from", "claude-mem", "--all");
	check(all.created === 1 && all.left_out === 0, JSON.stringify(all));
	writer.stdin.end();
	await new Promise((resolve) => writer.on("exit", resolve));
	await again(4, "--from", "claude-mem", database);
	await memory("undo", all.undo_id);
	await undone(first.undo_id);
}

await mkdir(home, { recursive: true });
await serverMemory();
await rm(join(home, ".claude.json")); // what is found from here on is not its graph
await agentMemory();
await claudeMem();
console.log(`imports: ${checks} checks`);
