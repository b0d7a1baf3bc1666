// Lists and calls the tools through the Inspector's command line.
//
//   node inspect.mjs BINARY NODE_MODULES WORK
//
// Prints a line a check and a count at the end; exits 1 if a check failed.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { cases, mistakes } from "./cases.mjs";

const [binary, modules, work] = process.argv.slice(2);
const cli = join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const Ajv = createRequire(join(modules, "x.js"))("ajv/dist/2020.js").default;

// The inspector exits with this when a tool's answer has isError.
const exitToolError = 5;
const patience = 60_000;

/** Runs the Inspector once; resolves to {code, stdout, stderr}. */
function inspector(era, home, method) {
  const args = [cli, "--cli", "--protocol-era", era, "--format", "json", ...method, "--", binary];
  const child = spawn(process.execPath, [...args, "--data-dir", join(home, "data"), "--tools", "all"], {
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

const call = (era, home, c, ids) =>
  inspector(era, home, ["--method", "tools/call", "--tool-name", c.tool, "--tool-args-json", JSON.stringify(c.args(ids))]);

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

/** All checks of one era, one after the other: later ones use earlier ids. */
async function runEra(era) {
  const home = join(work, era);
  mkdirSync(home);
  const outcome = { passed: 0, failed: 0 };
  const check = async (name, body) => {
    const started = performance.now();
    try {
      await body();
      outcome.passed++;
      console.log(`ok    ${era.padEnd(6)} ${name} (${Math.round(performance.now() - started)} ms)`);
    } catch (error) {
      outcome.failed++;
      console.log(`FAIL  ${era.padEnd(6)} ${name}: ${error.message}`);
    }
  };

  await check("instructions", async () => {
    const said = resultOf(await inspector(era, home, ["--method", "initialize"]));
    must(JSON.stringify(said).includes("memory_recall"), "the server's instructions did not arrive", said);
  });

  let tools = [];
  await check("tools/list --strict", async () => {
    const answer = await inspector(era, home, ["--method", "tools/list", "--strict"]);
    must(answer.code === 0, `exit ${answer.code}`, answer.stderr);
    tools = resultOf(answer).tools;
    must(!/\b(error|warning)\b/i.test(answer.stderr), "a schema is not portable", answer.stderr);
    const called = new Set(cases.map((c) => c.tool));
    const listed = new Set(tools.map((t) => t.name));
    must(listed.isSubsetOf(called), "no case calls", [...listed.difference(called)]);
    must(called.isSubsetOf(listed), "not listed", [...called.difference(listed)]);
  });

  const ajv = new Ajv({ strict: false, validateFormats: false });
  const ids = {};
  for (const c of cases) {
    await check(c.name ?? c.tool, async () => {
      const result = resultOf(await call(era, home, c, ids));
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
      const answer = await call(era, home, c, ids);
      const result = resultOf(answer);
      must(answer.code === exitToolError && result.isError === true, "isError is missing", result);
      must(c.text.test(result.content?.[0]?.text), `the text does not match ${c.text}`, result.content);
    });
  }
  return outcome;
}

const outcomes = await Promise.all(["legacy", "modern"].map(runEra));
const sum = (key) => outcomes.reduce((total, o) => total + o[key], 0);
console.log(`inspector: ${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
