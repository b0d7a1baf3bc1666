// Measures the programs of peers.mjs side by side:
// measure.mjs BINARY NODE_MODULES PYTHONS MODELS WORK [FILE]
//
// Each gets the same facts and questions of facts.jsonl, is killed and asked again, and is
// started eight times at once on one store. The tables are printed, and with FILE put
// between its marks.
import { execFileSync, spawn } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { peers } from "./peers.mjs";

const [binary, modules, pythons, models, work, file] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const processes = 8;
const patience = 120_000;
const settle = 10_000;

const facts = (await readFile(join(here, "facts.jsonl"), "utf8")).trim().split("\n").map((line) => JSON.parse(line));

// client speaks MCP with a server in a process group of its own.
function client(peer, home) {
  const { command, args, env } = peer.command(home);
  const server = spawn(command, args, {
    cwd: home,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: process.env.PATH, HOME: home, HF_HUB_OFFLINE: "1", PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: join(here, "site"), ...env },
  });
  const waiting = new Map();
  let ended = false;
  const gone = new Promise((resolve) => server.on("close", resolve));
  gone.then(() => {
    ended = true;
    for (const answer of waiting.values()) answer({ error: { message: "the server has ended" } });
  });
  server.on("error", () => {});
  server.stdin.on("error", () => {});
  createInterface({ input: server.stdout }).on("line", (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return; // some print a banner
    }
    waiting.get(message.id)?.(message);
  });
  const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  let last = 0;
  const request = async (method, params) => {
    const id = ++last;
    const answer = await new Promise((resolve) => {
      const late = globalThis.setTimeout(() => resolve({ error: { message: "no answer in time" } }), patience);
      waiting.set(id, (message) => {
        clearTimeout(late);
        resolve(message);
      });
      if (ended) waiting.get(id)({ error: { message: "the server has ended" } });
      else send({ id, method, params });
    });
    waiting.delete(id);
    if (answer.error || answer.result?.isError) throw new Error(`${method}: ${JSON.stringify(answer).slice(0, 500)}`);
    return answer.result;
  };
  return {
    group: server.pid,
    request,
    call: (name, args) => request("tools/call", { name, arguments: args }),
    async open() {
      await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "peers", version: "1" } });
      send({ method: "notifications/initialized" });
      return this;
    },
    async kill() {
      try {
        process.kill(-server.pid, "SIGKILL");
      } catch {} // it has ended by itself
      await gone;
    },
  };
}

// megabytes is what a process group has in memory, shared pages counted once.
async function megabytes(group) {
  let kilobytes = 0;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) !== group) continue;
      kilobytes += Number((await readFile(`/proc/${pid}/smaps_rollup`, "utf8")).match(/^Pss:\s+(\d+)/m)[1]);
    } catch {} // it ended meanwhile
  }
  return kilobytes / 1024;
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function timed(work) {
  const started = performance.now();
  const result = await work();
  return [performance.now() - started, result];
}

async function homeOf(peer, name) {
  const home = join(work, name);
  await mkdir(home, { recursive: true });
  await peer.home?.(home);
  return home;
}

// ask puts a question of each fact, and counts where the fact was.
async function ask(peer, server, kind) {
  const seen = { first: 0, five: 0, times: [], length: 0 };
  for (const item of facts) {
    const [took, result] = await timed(() => server.call(...peer.search(item[kind])));
    const at = peer.found(result).findIndex((text) => text.includes(item.fact));
    if (at === 0) seen.first++;
    if (at >= 0) seen.five++;
    seen.times.push(took);
    seen.length += JSON.stringify(result.content).length / facts.length;
  }
  return seen;
}

async function alone(peer, name) {
  const home = await homeOf(peer, name);
  const first = client(peer, home);
  const row = {};
  [row.started] = await timed(() => first.open());
  const { tools } = await first.request("tools/list", {});
  row.tools = JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).length;
  await first.call(...peer.search("What is known?")); // loads the model, if there is one
  const saves = [];
  for (const [i, { fact }] of facts.entries()) saves.push((await timed(() => first.call(...peer.save(fact, i))))[0]);
  row.save = median(saves);
  await setTimeout(settle); // some index behind the answer
  row.plain = await ask(peer, first, "plain");
  row.reworded = await ask(peer, first, "reworded");
  row.search = median([...row.plain.times, ...row.reworded.times]);
  row.memory = await megabytes(first.group);
  await first.kill();
  const second = await client(peer, home).open();
  row.again = (await ask(peer, second, "plain")).five;
  await second.kill();
  return row;
}

// together has processes save at the same time: how many were acknowledged, how many are there.
async function together(peer, name) {
  const home = await homeOf(peer, name);
  const maker = await client(peer, home).open(); // the store is there before
  await maker.call(...peer.search("What is known?"));
  await maker.kill();
  const servers = Array.from({ length: processes }, () => client(peer, home));
  await Promise.all(servers.map((server) => server.open().catch(() => {})));
  let acknowledged = 0;
  let refused;
  const each = Math.floor(facts.length / processes);
  await Promise.all(
    servers.map(async (server, n) => {
      for (let i = n * each; i < (n + 1) * each; i++) {
        await server.call(...peer.save(facts[i].fact, i)).then(
          () => acknowledged++,
          (error) => (refused ??= error.message),
        );
      }
    }),
  );
  await Promise.all(servers.map((server) => server.kill()));
  const after = await client(peer, home).open();
  const kept = (await peer.kept(after.call, home)).length;
  await after.kill();
  return { acknowledged, kept, of: each * processes, refused };
}

const size = (paths) => paths.reduce((sum, path) => sum + Number(execFileSync("du", ["-skL", path]).toString().split("\t")[0]), 0) / 1024;

const marks = /(<!-- measured -->\n)[^]*?(<!-- end -->)/;
const page = file && (await readFile(file, "utf8"));
if (file && !marks.test(page)) throw new Error(`${file} has no marks for the tables`);

const list = peers({
  binary,
  modules,
  here,
  models,
  python: (name) => join(pythons, name),
  versions: JSON.parse(await readFile(join(pythons, "versions.json"), "utf8")),
});
const rows = [];
for (const [n, peer] of list.entries()) {
  const row = { name: peer.name, same: peer.same, model: peer.model, installed: size(peer.installed) };
  try {
    Object.assign(row, await alone(peer, `alone-${n}`));
    if (peer.noTools) row.tools = 0;
    row.together = await together(peer, `together-${n}`);
  } catch (error) {
    row.failed = error.message;
  }
  rows.push(row);
  console.error(`peers: ${JSON.stringify(row, (key, value) => (key === "times" ? undefined : value))}`);
}

const number = (value, digits = 0) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const few = (value) => number(value, value < 10 ? 1 : 0);
const lines = [
  `| ${facts.length} facts | plain: first, of five | reworded: first, of five | plain, of five, after a kill | ${processes} processes: acknowledged, kept of ${rows[0].together.of} | answer, characters |`,
  "|---|---|---|---|---|---|",
  ...rows.map((r) =>
    r.failed
      ? `| ${r.name} | did not run: ${r.failed} | | | | |`
      : `| ${r.name} | ${r.plain.first}, ${r.plain.five} | ${r.reworded.first}, ${r.reworded.five} | ${r.again} | ${r.together.acknowledged}, ${r.together.kept} | ${number((r.plain.length + r.reworded.length) / 2)} |`,
  ),
  "",
  "| | start, ms | save, ms | search, ms | memory, MB | installed, MB | its tools, characters | model |",
  "|---|---|---|---|---|---|---|---|",
  ...rows
    .filter((r) => !r.failed && !r.same)
    .map((r) => `| ${r.name} | ${number(r.started)} | ${few(r.save)} | ${few(r.search)} | ${number(r.memory)} | ${number(r.installed)} | ${r.tools ? number(r.tools) : "–"} | ${r.model} |`),
].join("\n");
console.log(lines);
if (file) await writeFile(file, page.replace(marks, (_, open, close) => `${open}${lines}\n${close}`));
const failed = rows.filter((r) => r.failed).length;
console.log(`peers: ${rows.length - failed} measured, ${failed} failed`);
process.exit(failed ? 1 : 0);
