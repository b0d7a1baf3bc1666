// Installs the memory into real hosts and takes it out again.
//
//   node hosts.mjs BIN NODE_MODULES WORK [HOST...]
//
// BIN is a folder with mcp-memory, into which the hosts' commands are linked. Prints a line
// a check and a count at the end; exits 1 if a check failed.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryActions } from "./actions.mjs";
import { startModel } from "./model.mjs";
import { hosts } from "./table.mjs";
import { tryWeek } from "./week.mjs";

const [bin, modules, work, ...only] = process.argv.slice(2);
const patience = 180_000;
const memory = join(bin, "mcp-memory");

// What is said in the first session, and asked in the second; no word of the answer is in the question.
const said = "We decided to use Valkey instead of Redis for the session cache because of its licence.";
const asked = "Which store did we choose for caching sessions?";
const saved = "The release train leaves on Thursdays at noon.";
const wanted = /Valkey instead of Redis/;

let passed = 0;
let failed = 0;

/** Runs one check and says how it went. */
async function check(name, run) {
  const started = Date.now();
  try {
    await run();
    passed++;
    console.log(`ok    ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n       ${error.message}`);
  }
}

function must(condition, ...what) {
  if (!condition) throw new Error(what.join(" "));
}

/** Runs a command in a home of its own, in one of its folders; resolves to {code, text}. */
function run(home, command, args, env = {}, folder = "project") {
  const child = spawn(command, args, {
    cwd: join(home, folder),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patience,
    env: { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, NO_COLOR: "1", TERM: "xterm-256color", ...env },
  });
  let text = "";
  child.stdout.on("data", (part) => (text += part));
  child.stderr.on("data", (part) => (text += part));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}

/** Runs a command that has to succeed; resolves to what it wrote. */
async function ok(...args) {
  const { code, text } = await run(...args);
  must(code === 0, `exit ${code}: ${args[1]} ${args[2].join(" ")}\n${text.slice(-2000)}`);
  return text;
}

/** The host's files, byte for byte; those that it keeps for itself are left to it. */
function files(home, host) {
  const found = {};
  for (const path of host.files) {
    if (existsSync(join(home, path))) found[path] = readFileSync(join(home, path), "utf8");
  }
  return found;
}

/** Files in the host's folders that are beside those, and that we could have left. */
function leftOvers(home, host) {
  return host.files
    .map((path) => dirname(join(home, path)))
    .filter((dir) => existsSync(dir))
    .flatMap((dir) => readdirSync(dir).filter((name) => name.includes("mcp-memory")).map((name) => join(dir, name)));
}

/** The tools of a request, in any API's form. */
function toolsOf(body) {
  return (body.tools ?? []).flatMap((tool) => {
    if (tool.type === "namespace") return tool.tools.map((inner) => ({ name: inner.name, namespace: tool.name }));
    return tool.functionDeclarations ?? (tool.function ? [tool.function] : [tool]);
  }).filter((tool) => tool.name);
}

/** Has the host hold two sessions with a model that follows a script. */
async function sessions(home, host) {
  const model = await startModel(({ body, text }) => {
    const save = toolsOf(body).find((tool) => tool.name.endsWith("memory_save"));
    if (save && text.includes(said) && !text.includes(saved)) return { tool: save.name, namespace: save.namespace, input: { content: saved } };
    return { text: JSON.stringify(body).includes(said) ? "Noted, the decision is on record." : "It was decided before." };
  });
  try {
    const { command, args, env } = host.session(home, model.url);
    await check(`${host.id}: a session runs against the scripted model`, async () => {
      const text = await ok(home, command, args(said), env);
      must(text.includes("Noted, the decision"), text.slice(-1500));
      must(model.requests.some((r) => r.text.includes(said)), "the prompt is in no request");
    });
    await check(`${host.id}: a tool call of the model reaches the memory`, async () => {
      const found = await ok(home, memory, ["recall", "When does the release train leave?"]);
      must(found.includes(saved), found);
    });
    const before = model.requests.length;
    await check(`${host.id}: the next session is shown what was said`, async () => {
      const text = await ok(home, command, args(asked), env);
      must(text.includes("decided before"), text.slice(-1500));
      const request = model.requests.slice(before).find((r) => r.text.includes(asked) && r.text.includes("mcp-memory-recall"));
      must(request, "nothing of ours is in the requests", model.requests.slice(before).map((r) => `${r.path} ${r.text.length}`).join(", "));
      const shown = request.text.slice(request.text.indexOf("mcp-memory-recall"));
      must(wanted.test(shown), shown.slice(0, 1500));
    });
    await check(`${host.id}: the bank holds what was said, and not what was shown`, async () => {
      const found = await ok(home, memory, ["recall", asked]);
      must(wanted.test(found), found);
      const all = await ok(home, memory, ["export", "-"]);
      must(!/Memory at the start of a session|mcp-memory-recall|hook_context/.test(all), "what was shown was saved again:\n" + all.split("\n").filter((l) => /Memory at the start|mcp-memory-recall|hook_context/.test(l)).join("\n").slice(0, 1500));
      must((all.match(/Valkey instead of Redis[^"]*"/g) ?? []).length >= 1, all.slice(0, 1500));
    });
    await check(`${host.id}: doctor knows its entry and its hooks`, async () => {
      const text = await ok(home, memory, ["doctor"]);
      must(text.includes(`starts ${memory}`), text);
      must(host.plugin || /runs our hook for \d+ events/.test(text), text);
    });
  } finally {
    model.close();
  }
}

/** Has the host's own program read what was said, by llm.command. */
async function reads(home, host) {
  const told = "The greenhouse of the botanical garden is closed for repairs.";
  const fact = "The greenhouse of the botanical garden is closed for repairs, as the user told.";
  const reading = (request) => request.text.includes("Find what is worth remembering");
  const model = await startModel((request) => (reading(request) ? { text: JSON.stringify({ facts: [{ content: fact, type: "other", importance: 0.8, turn: 0 }] }) } : { text: "I see." }));
  try {
    await check(`${host.id}: asked by llm.command it answers without tools, hooks and servers, once`, async () => {
      const { command, args, env } = host.session(home, model.url);
      await ok(home, command, args(told), { ...env, MCP_MEMORY_LLM_COMMAND: host.reader(model.url), MCP_MEMORY_LLM_TIMEOUT: "50s" });
      let found = "";
      for (const end = Date.now() + 60_000; Date.now() < end && !found.includes("as the user told"); await new Promise((done) => setTimeout(done, 500))) {
        found = await ok(home, memory, ["recall", "Is the greenhouse closed?"]);
      }
      const asked = model.requests.filter((r) => reading(r) && r.text.includes(told));
      must(asked.length === 1, `${asked.length} requests read the conversation`);
      must(found.includes("as the user told"), found);
      const ours = asked.filter((r) => r.text.includes("mcp-memory-recall") || toolsOf(r.body).some((tool) => tool.name.includes("memory_save")));
      must(ours.length === 0, "the memory is in what it is asked:", asked[0].text.slice(0, 3000));
      const all = await ok(home, memory, ["export", "-"]);
      must(!all.includes("Find what is worth remembering"), "what was asked is remembered");
    });
  } finally {
    model.close();
  }
}

async function tryHost(host) {
  symlinkSync(host.program(modules), join(bin, host.command));
  const home = mkdtempSync(join(work, `${host.id}-`));
  mkdirSync(join(home, "project"));
  for (const [path, text] of Object.entries(host.begins ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const before = files(home, host);
  await check(`${host.id}: install`, async () => {
    const shown = await ok(home, memory, ["install", host.id, "--dry-run"]);
    must(JSON.stringify(files(home, host)) === JSON.stringify(before), "the dry run has changed something\n" + shown);
    const text = await ok(home, memory, ["install", host.id]);
    must(text.includes("wrote the server"), text);
    const again = await ok(home, memory, ["install", host.id]);
    must(again.includes("nothing was changed"), again);
  });
  await check(`${host.id}: its own list has the server${host.connects ? ", connected" : ""}`, async () => {
    const text = await ok(home, host.command, host.list, host.env);
    must(host.lists.test(text), text);
  });
  if (host.session) await sessions(home, host);
  if (host.reader) await reads(home, host);
  await check(`${host.id}: uninstall leaves its files as they were`, async () => {
    await ok(home, memory, ["uninstall", host.id]);
    const after = files(home, host);
    for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
      must(before[path] === after[path], `${path} was\n${before[path]}\nand is\n${after[path]}`);
    }
    const left = leftOvers(home, host);
    must(left.length === 0, "left behind:", left.join(", "));
    const text = await ok(home, host.command, host.list, host.env);
    must(!text.includes(memory), text);
  });
}

for (const host of hosts) {
  if (only.length === 0 || only.includes(host.id)) await tryHost(host);
}
for (const host of hosts.filter((h) => !existsSync(join(bin, h.command)))) symlinkSync(host.program(modules), join(bin, host.command));
for (const [name, scenario] of Object.entries({ week: tryWeek, actions: tryActions })) {
  if (only.length === 0 || only.includes(name)) await scenario({ hosts, bin, work, ok, check, must });
}
console.log(`hosts: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
