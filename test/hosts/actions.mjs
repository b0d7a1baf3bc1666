// What was done: a command of Claude Code fails, another form of it works, and in the next
// session the host is told so before it runs the first one again. What OpenCode did is known by
// its plug-in, and in another bank by its database.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startModel } from "./model.mjs";

const fails = "sh deploy.sh staging";
const works = "DEPLOY_TOKEN=none sh deploy.sh staging";
const script = 'if [ -z "$DEPLOY_TOKEN" ]; then echo "deploy: no token for $1, set DEPLOY_TOKEN" >&2; exit 3; fi\necho "deployed to $1"\n';

const first = "Deploy to staging please.";
const second = "Once more to staging, please.";

export async function tryActions(test) {
  await tryClaude(test);
  await tryOpenCode(test);
}

// begin makes a home in which a host is set up, and a model that runs commands in it, one after the other.
async function begin({ hosts, bin, work, ok }, id, tool, commands) {
  const host = hosts.find((one) => one.id === id);
  const home = mkdtempSync(join(work, "actions-"));
  const memory = join(bin, "mcp-memory");
  mkdirSync(join(home, "project"));
  writeFileSync(join(home, "project", "deploy.sh"), script);
  for (const [path, text] of Object.entries(host.begins)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  await ok(home, "git", ["init", "-q"]);
  await ok(home, memory, ["install", host.id]);
  const model = await startModel(({ body, text }) => {
    const messages = body.messages ?? [];
    const done = messages.flatMap((m) => (Array.isArray(m.content) ? m.content : [])).filter((block) => block.type === "tool_result").length + messages.filter((m) => m.role === "tool").length;
    const shell = (body.tools ?? []).find((one) => (one.function ?? one).name === tool);
    const command = shell && commands(text)[done];
    return command ? { tool, input: { command, description: "Deploys" } } : { text: "Done. Open: production is not tried." };
  });
  return { host, home, memory, model };
}

async function tryClaude(test) {
  const { ok, check, must } = test;
  const { host, home, memory, model } = await begin(test, "claude-code", "Bash", (text) => (text.includes(second) ? [fails] : text.includes(first) ? [fails, works] : []));
  const session = (prompt) => {
    const { command, args, env } = host.session(home, model.url);
    return ok(home, command, [...args(prompt), "Bash"], env);
  };
  try {
    await check("actions: a command fails, and another form of it works", async () => {
      await session(first);
      must(model.requests.some((r) => r.text.includes("deployed to staging")), "the model's commands were not run", model.requests.map((r) => r.text.slice(-600)).join("\n"));
    });
    await check("actions: before it fails again the host is told what worked", async () => {
      const before = model.requests.length;
      await session(second);
      const told = model.requests.slice(before).find((r) => r.text.includes("failed here last time"));
      must(told, "nothing of it is in the requests", model.requests.slice(before).map((r) => r.text.slice(-900)).join("\n"));
      must(told.text.includes(works), "what worked is not named");
    });
    await check("actions: the fix is found by its error, and the command by what it does", async () => {
      const fix = await ok(home, memory, ["fix", "no token for staging"]);
      must(fix.includes(works), fix);
      const how = await ok(home, memory, ["how", "deploy to staging"]);
      must(how.includes("deploy.sh staging"), how);
    });
  } finally {
    model.close();
  }
}

async function tryOpenCode(test) {
  const { ok, check, must } = test;
  const { host, home, memory, model } = await begin(test, "opencode", "bash", (text) => (text.includes(first) ? [fails, works] : []));
  const asked = async (...flags) => {
    const fix = await ok(home, memory, ["fix", "no token for staging", ...flags]);
    must(fix.includes(works) && fix.includes("this worked"), fix);
    const handoff = await ok(home, memory, ["handoff", ...flags]);
    must(handoff.includes("OpenCode") && handoff.includes(works) && handoff.includes("Open: production is not tried."), handoff);
  };
  try {
    await check("actions: what OpenCode did is known by its plug-in", async () => {
      const { command, args, env } = host.session(home, model.url);
      await ok(home, command, args(first), env);
      await asked();
    });
    await check("actions: what OpenCode did is known by its database", async () => {
      const other = ["--data-dir", join(home, "other")];
      await ok(home, memory, ["import", "--from", "opencode", "--yes", ...other]);
      await asked(...other);
    });
  } finally {
    model.close();
  }
}
