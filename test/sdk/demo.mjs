// The demo with the clients of the official SDK: save eight facts, kill the
// server, start it again, ask plain questions. Over stdio, Streamable HTTP and
// the transport of 2024-11-05, in both eras.
//
//   node demo.mjs BINARY NODE_MODULES WORK
//
// Prints a line a check and a count at the end; exits 1 if a check failed.

import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "../serving.mjs";

const [binary, modules, work] = process.argv.slice(2);
const { resolve } = createRequire(join(modules, "x.js"));
const load = (name) => import(pathToFileURL(resolve(name)));

const facts = [
  "My cat's name is Whiskerino",
  "Anna Lindqvist is a doctor at the children's hospital in Utrecht",
  "We decided to use PostgreSQL for the billing service because of its row-level security",
  "The staging server listens on port 8443 and is redeployed every night at 02:30 UTC",
  "Tom is allergic to peanuts and carries an adrenaline pen",
  "The quarterly report is due on 15 March 2027",
  "I prefer short answers without bullet points",
  "To undo a release, run `make rollback TAG=previous` on the build host",
];

// What is asked, and which fact is the answer.
const questions = [
  ["What is my cat's name?", 0],
  ["Which database did we choose for billing?", 2],
  ["What can Tom not eat?", 4],
  ["How do we roll back a release?", 7],
  ["Where does the physician work?", 1],
];

const first = await clients("1.x", {
  client: "@modelcontextprotocol/sdk/client/index.js",
  stdio: "@modelcontextprotocol/sdk/client/stdio.js",
  http: "@modelcontextprotocol/sdk/client/streamableHttp.js",
  sse: "@modelcontextprotocol/sdk/client/sse.js",
});
const second = await clients("2.x", {
  client: "@modelcontextprotocol/client",
  stdio: "@modelcontextprotocol/client/stdio",
  http: "@modelcontextprotocol/client",
  sse: "@modelcontextprotocol/client",
});

// Which client, and which version it has to have agreed on. The first line of
// releases knows the handshake only, the second one does it unless told.
const lines = [
  { ...first, era: "handshake", options: {}, version: "2025-11-25" },
  { ...second, era: "handshake", options: {}, version: "2025-11-25" },
  { ...second, era: "stateless", options: { versionNegotiation: { mode: { pin: "2026-07-28" } } }, version: "2026-07-28" },
];

/** The classes of one line of releases. */
async function clients(line, names) {
  const of = Object.fromEntries(await Promise.all(Object.entries(names).map(async ([key, name]) => [key, await load(name)])));
  return {
    line,
    Client: of.client.Client,
    Stdio: of.stdio.StdioClientTransport,
    Http: of.http.StreamableHTTPClientTransport,
    Sse: of.sse.SSEClientTransport,
  };
}

const outcome = { passed: 0, failed: 0 };
async function check(name, body) {
  const started = performance.now();
  try {
    await body();
    outcome.passed++;
    console.log(`ok    ${name} (${Math.round(performance.now() - started)} ms)`);
  } catch (error) {
    outcome.failed++;
    console.log(`FAIL  ${name}: ${error.stack ?? error}`);
  }
}

function must(condition, what, detail) {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(detail)}`);
}

/** A client that is connected; over stdio it has started the server. */
async function connect(line, transport) {
  const client = new line.Client({ name: "mcp-memory-test", version: "1.0.0" }, { capabilities: {}, ...line.options });
  await client.connect(transport);
  return client;
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  must(!result.isError, name, result.content);
  return result.structuredContent;
}

// The three ways to a server in the folder home. Each starts it, and ends it
// without a warning.
const ways = {
  async stdio(line, home) {
    const transport = new line.Stdio({ command: binary, args: ["--data-dir", join(home, "data")], cwd: home, env: { PATH: process.env.PATH, HOME: home }, stderr: "ignore" });
    const client = await connect(line, transport);
    return { client, kill: () => kill(client, () => process.kill(transport.pid, "SIGKILL")) };
  },
  http: (line, home, at) => over(home, at, [], (url) => connect(line, new line.Http(new URL(url)))),
  sse: (line, home, at) => over(home, at, ["--sse"], (url) => connect(line, new line.Sse(new URL(url.replace(/\/mcp$/, "/sse"))))),
};

async function over(home, at, flags, connected) {
  const server = await serve(binary, ["serve", "--http", at ?? "127.0.0.1:0", ...flags, "--data-dir", join(home, "data")], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  });
  const client = await connected(server.url).catch(async (error) => {
    await server.kill("SIGKILL");
    throw error;
  });
  return { client, at: new URL(server.url).host, kill: () => kill(client, () => server.kill("SIGKILL")), end: () => server.kill() };
}

/** Ends the server first, so that the client cannot say goodbye. */
async function kill(client, end) {
  client.onerror = () => {}; // that the server is gone
  await end();
  await client.close();
}

async function recall(client) {
  for (const [question, answer] of questions) {
    const { results } = await call(client, "memory_recall", { query: question, limit: 1 });
    must(results[0]?.content === facts[answer], question, results);
  }
}

async function demo(line, way) {
  const name = `${line.line} ${line.era} ${way}`;
  const home = join(work, name);
  mkdirSync(home);
  let door;
  await check(`${name}: save eight facts`, async () => {
    door = await ways[way](line, home);
    const { client } = door;
    const version = client.getNegotiatedProtocolVersion?.() ?? line.version;
    must(version === line.version, "the protocol's version", version);
    must(client.getInstructions()?.includes("memory_recall"), "the instructions", client.getInstructions());
    const { tools } = await client.listTools(); // from here on, results are held against their schemas
    must(tools.some((t) => t.name === "memory_save"), "the tools", tools);
    for (const content of facts) {
      const saved = await call(client, "memory_save", { content });
      must(saved.action === "created", content, saved);
    }
  });
  await check(`${name}: kill -9, restart, recall`, async () => {
    await door.kill();
    door = await ways[way](line, home, door.at);
    await recall(door.client);
  });
  await check(`${name}: a mistake is answered`, async () => {
    const result = await door.client.callTool({ name: "memory_get", arguments: { ids: ["nonsense"] } });
    must(result.isError ? result.content[0].text !== "" : result.structuredContent.missing.length === 1, "memory_get", result);
  });
  await check(`${name}: goodbye`, async () => {
    await door.client.close();
    const how = await door.end?.();
    must(how === undefined || how === 0, "the server ended with", how);
  });
}

for (const line of lines) {
  for (const way of Object.keys(ways)) await demo(line, way);
}
console.log(`sdk: ${outcome.passed} passed, ${outcome.failed} failed`);
process.exitCode = outcome.failed > 0 ? 1 : 0;
