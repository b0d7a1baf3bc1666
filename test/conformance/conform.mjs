// Runs the conformance suite and compares it with baseline.txt.
//
//   node conform.mjs NODE_MODULES WORK FIXTURES PRODUCT
//
// Prints what is not as the baseline says, and a count for each run; exits 1
// if there was anything.

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serve } from "../serving.mjs";

const [modules, work, fixtures, product] = process.argv.slice(2);
const here = dirname(new URL(import.meta.url).pathname);
const latest = "@modelcontextprotocol/conformance";
const patience = 240_000;

// The scenarios that need no fixtures, by revision: what the product itself
// has to do. The others ask for tools, resources and prompts of the suite.
const bare = {
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-list",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "sep-2164-resource-not-found",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "input-required-result-unsupported-methods",
    "http-header-validation",
  ],
};

// The runs: what is asked of whom, and how many checks have to pass at least.
// The suite counts what is in its set of requirements for a revision, and
// beside it what it does not score.
const runs = [
  { name: "fixtures 0.1", suite: "conformance-stable", args: ["--suite", "all"], atLeast: 43 },
  { name: "fixtures 2025-11-25", suite: latest, args: ["--requirements", "2025-11-25"], atLeast: 79 },
  { name: "fixtures 2026-07-28", suite: latest, args: ["--requirements", "2026-07-28"], atLeast: 160 },
  { name: "product 2025-11-25", suite: latest, args: ["--requirements", "2025-11-25"], only: bare["2025-11-25"], atLeast: 24 },
  { name: "product 2026-07-28", suite: latest, args: ["--requirements", "2026-07-28"], only: bare["2026-07-28"], atLeast: 60 },
];

/** Runs the suite once; resolves to what it printed. */
function conformance(suite, args) {
  const cli = join(modules, suite, "dist/index.js");
  const child = spawn(process.execPath, [cli, "server", ...args], { stdio: ["ignore", "pipe", "pipe"], timeout: patience, env: { PATH: process.env.PATH, HOME: work } });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => (signal ? reject(new Error(`the suite was ended by ${signal}\n${said}`)) : resolve(said)));
  });
}

/** The checks that a run has left in a folder: {scenario, id, status, why}. */
function checksIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const scenario = name.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/)?.[1];
    if (!scenario) throw new Error(`not a result: ${name}`);
    const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"));
    return checks.map((c) => ({ scenario, id: c.id, status: c.status, why: c.errorMessage ?? "" }));
  });
}

/** The checks of a run. Every scenario that was asked for has left some. */
async function checksOf(run, url) {
  const folder = join(work, run.name);
  mkdirSync(folder);
  const said = await conformance(run.suite, ["--url", url, "--output-dir", folder, ...run.args]);
  const asked = run.only ?? [...said.matchAll(/^=== Running scenario: (.+) ===$/gm)].map((m) => m[1]);
  const checks = checksIn(folder).filter((c) => asked.includes(c.scenario));
  const silent = asked.filter((scenario) => !checks.some((c) => c.scenario === scenario));
  if (silent.length > 0 || !/^Total: \d+ passed/m.test(said)) throw new Error(`the suite did not run to its end, or left no result of ${silent}\n${said}`);
  return checks;
}

/** The lines of the baseline: {run, scenario, id, sometimes}. */
function baseline() {
  const lines = readFileSync(join(here, "baseline.txt"), "utf8").split("\n");
  return lines.flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const [, run, scenario, id, sometimes] = line.match(/^(\S+ \S+) (\S+) (\S+?)( sometimes)?: \S.*$/) ?? [];
    if (!runs.some((r) => r.name === run)) throw new Error(`baseline.txt: not RUN SCENARIO CHECK: REASON\n${line}`);
    return [{ run, scenario, id, sometimes: Boolean(sometimes) }];
  });
}

const expected = baseline();
const servers = {
  fixtures: await serve(fixtures, []),
  product: await serve(product, ["serve", "--http", "127.0.0.1:0", "--data-dir", join(work, "data")], { cwd: work, env: { PATH: process.env.PATH, HOME: work } }),
};
let wrong = 0;
const complain = (text) => {
  wrong++;
  console.log(`FAIL  ${text}`);
};

for (const run of runs) {
  const checks = await checksOf(run, servers[run.only ? "product" : "fixtures"].url).catch((error) => {
    complain(`${run.name}: ${error.message}`);
    return [];
  });
  const known = expected.filter((e) => e.run === run.name);
  for (const c of checks.filter((c) => c.status === "FAILURE" || c.status === "WARNING")) {
    const at = known.findIndex((e) => e.scenario === c.scenario && e.id === c.id);
    if (at < 0) complain(`${run.name} ${c.scenario} ${c.id} (${c.status}): ${c.why}`);
    else known.splice(at, 1);
  }
  for (const e of known.filter((e) => !e.sometimes)) complain(`${run.name} ${e.scenario} ${e.id}: the baseline is too long, this passes`);
  const count = (status) => checks.filter((c) => c.status === status).length;
  const [passed, of, warned] = [count("SUCCESS"), count("SUCCESS") + count("FAILURE"), count("WARNING")];
  if (passed < run.atLeast) complain(`${run.name}: ${passed} checks passed, ${run.atLeast} have to`);
  console.log(`conformance: ${run.name}: ${passed} of ${of} checks passed, ${warned} warnings`);
}

for (const [name, server] of Object.entries(servers)) {
  const how = await server.kill();
  if (how !== 0) complain(`${name} ended with ${how}\n${server.said.join("\n")}`);
}
process.exitCode = wrong > 0 ? 1 : 0;
