// Lists and calls the tools through the Inspector's command line, over stdio,
// Streamable HTTP and the transport of 2024-11-05.
//
//   node inspect.mjs BINARY NODE_MODULES WORK
//
// Prints a line a check and a count at the end; exits 1 if a check failed.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { serve } from "../serving.mjs";
import { cases, lists, mistakes, pages, promptMistakes, prompts, strays } from "./cases.mjs";

const [binary, modules, work] = process.argv.slice(2);
const cli = join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const Ajv = createRequire(join(modules, "x.js"))("ajv/dist/2020.js").default;

// The inspector exits with this when a tool's answer has isError.
const exitToolError = 5;
const patience = 60_000;
// What is asked for over HTTP: all tools, and of each other list that many; over
// the transport of 2024-11-05 that many of the tools, too. The Inspector needs half
// a second for each, and what answers is the same.
const few = 4;

// The ways to a server: each makes the folder home, and returns where the
// Inspector finds the server and what ends it. Over stdio the Inspector starts
// one for each call.
const agent = "default";
const ways = {
  async stdio(home) {
    return { ...started(home, agent), end: () => 0 };
  },
  http: (home) => overHttp(home, [], (url) => [url, "--transport", "http"]),
  sse: (home) => overHttp(home, ["--sse"], (url) => [url.replace(/\/mcp$/, "/sse"), "--transport", "sse"]),
};

const started = (home, agent) => ({ home, target: [], command: ["--", binary, "--data-dir", join(home, "data"), "--tools", "all", "--agent", agent] });

async function overHttp(home, flags, target) {
  const args = ["serve", "--http", "127.0.0.1:0", ...flags, "--data-dir", join(home, "data"), "--tools", "all", "--agent", agent];
  const server = await serve(binary, args, { cwd: home, env: { PATH: process.env.PATH, HOME: home } });
  return { home, target: target(server.url), command: [], end: () => server.kill() };
}

/** Runs the Inspector once; resolves to {code, stdout, stderr}. */
function inspector(era, { home, target, command }, method) {
  const args = [cli, "--cli", ...target, "--protocol-era", era, "--format", "json", ...method, ...command];
  const child = spawn(process.execPath, args, {
    cwd: home,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patience,
    env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" },
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => (out.stdout += text));
  child.stderr.on("data", (text) => (out.stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: code ?? signal, ...out }));
  });
}

const call = (era, door, c, ids) =>
  inspector(era, c.agent ? started(door.home, c.agent) : door, ["--method", "tools/call", "--tool-name", c.tool, "--tool-args-json", JSON.stringify(c.args(ids))]);

/** The answer's result; throws with all that was said if there is none. */
function resultOf({ code, stdout, stderr }) {
  try {
    return JSON.parse(stdout).result;
  } catch {
    throw new Error(`exit ${code}, no JSON\n${stdout}${stderr}`);
  }
}

function must(condition, what, detail) {
  if (!condition) throw new Error(`${what}\n${typeof detail === "string" ? detail : JSON.stringify(detail)}`);
}

/** All checks of one era by one way, one after the other: later ones use earlier ids. */
async function run(era, way) {
  const label = `${way.padEnd(5)} ${era.padEnd(6)}`;
  const home = join(work, `${way}-${era}`);
  mkdirSync(home);
  const door = await ways[way](home);
  const some = (list) => (way === "stdio" ? list : list.slice(0, few));
  const outcome = { passed: 0, failed: 0 };
  const check = async (name, body) => {
    const started = performance.now();
    try {
      await body();
      outcome.passed++;
      console.log(`ok    ${label} ${name} (${Math.round(performance.now() - started)} ms)`);
    } catch (error) {
      outcome.failed++;
      console.log(`FAIL  ${label} ${name}: ${error.message}`);
    }
  };

  await check("instructions", async () => {
    const said = resultOf(await inspector(era, door, ["--method", "initialize"]));
    must(JSON.stringify(said).includes("memory_recall"), "the server's instructions did not arrive", said);
  });

  let tools = [];
  await check("tools/list --strict", async () => {
    const answer = await inspector(era, door, ["--method", "tools/list", "--strict"]);
    must(answer.code === 0, `exit ${answer.code}`, answer.stderr);
    tools = resultOf(answer).tools;
    must(!/\b(error|warning)\b/i.test(answer.stderr), "a schema is not portable", answer.stderr);
    const called = new Set(cases.map((c) => c.tool));
    const listed = new Set(tools.map((t) => t.name));
    must(listed.isSubsetOf(called), "no case calls", [...listed.difference(called)]);
    must(called.isSubsetOf(listed), "not listed", [...called.difference(listed)]);
  });

  const ajv = new Ajv({ strict: false, validateFormats: false });
  const ids = { agent };
  for (const c of way === "sse" ? some(cases) : cases) {
    await check(c.name ?? c.tool, async () => {
      const result = resultOf(await call(era, door, c, ids));
      must(!result.isError, "isError", result.content);
      must(result.structuredContent, "structuredContent is missing", result);
      must(result.content?.[0]?.type === "text" && result.content[0].text !== "", "there is no text", result.content);
      const modern = "io.modelcontextprotocol/serverInfo" in (result._meta ?? {});
      must(modern === (era === "modern"), "the answer is of the other era", result._meta ?? {});
      const fits = ajv.compile(tools.find((t) => t.name === c.tool).outputSchema);
      must(fits(result.structuredContent), "the result does not fit outputSchema", fits.errors ?? []);
      must(c.check(result.structuredContent, ids), "not what was expected", result.structuredContent);
    });
  }

  for (const c of mistakes) {
    await check(c.name, async () => {
      const answer = await call(era, door, c, ids);
      const result = resultOf(answer);
      must(answer.code === exitToolError && result.isError === true, "isError is missing", result);
      must(c.text.test(result.content?.[0]?.text), `the text does not match ${c.text}`, result.content);
    });
  }

  let listed = [];
  for (const list of lists) {
    await check(list.method, async () => {
      const answer = await inspector(era, door, ["--method", list.method]);
      must(answer.code === 0, `exit ${answer.code}`, answer.stderr);
      const result = resultOf(answer);
      must(list.check(result), "not what was expected", result);
      listed = listed.concat((result.resources ?? []).map((r) => ({ uri: () => r.uri, text: /./ })));
    });
  }
  for (const p of some(listed.concat(pages))) {
    const uri = p.uri(ids);
    await check(`resources/read ${uri}`, async () => {
      const { contents } = resultOf(await inspector(era, door, ["--method", "resources/read", "--uri", uri]));
      must(contents.length === 1 && contents[0].uri === uri && contents[0].mimeType && p.text.test(contents[0].text), `the page does not match ${p.text}`, contents);
    });
  }
  for (const uri of some(strays)) {
    await check(`resources/read ${uri}`, async () => {
      mustRefuse(await inspector(era, door, ["--method", "resources/read", "--uri", uri]), /(not_found|invalid_argument): .*resource not found/);
    });
  }

  const get = (p) => inspector(era, door, ["--method", "prompts/get", "--prompt-name", p.prompt, ...p.args.flatMap((a) => ["--prompt-args", a])]);
  for (const p of some(prompts)) {
    await check(`prompts/get ${p.prompt} ${p.args}`, async () => {
      const { messages } = resultOf(await get(p));
      const said = messages.map((m) => m.content.text ?? m.content.resource.text);
      must(said.some((text) => p.text.test(text)), `no message matches ${p.text}`, messages);
    });
  }
  for (const p of promptMistakes) {
    await check(`prompts/get ${p.prompt} ${p.args} is refused`, async () => mustRefuse(await get(p), p.text));
  }
  await check("the server ends", async () => {
    const how = await door.end();
    must(how === 0, "it ended with", how);
  });
  return outcome;
}

/** Throws unless the answer is a protocol error that says so. */
function mustRefuse({ code, stdout, stderr }, text) {
  must(code !== 0 && text.test(stdout + stderr), `not refused with ${text}`, `exit ${code}\n${stdout}${stderr}`);
}

const outcomes = [];
for (const way of Object.keys(ways)) {
  outcomes.push(...(await Promise.all(["legacy", "modern"].map((era) => run(era, way)))));
}
const sum = (key) => outcomes.reduce((total, o) => total + o[key], 0);
console.log(`inspector: ${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
