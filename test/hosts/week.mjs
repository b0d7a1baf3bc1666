// Two hosts, two repositories, one person, and days that are said: what is said to one host in
// one repository is shown to the other host in the other where it is the person's, and stays
// where it is the project's.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startModel } from "./model.mjs";

const repositories = { parcelbot: "https://example.org/nordfracht/parcelbot.git", blog: "" };

/** A day from now as people write it. */
const inDays = (n) => new Date(Date.now() + n * 24 * 3600 * 1000).toISOString().slice(0, 10);

// host, repository, what is said there
const said = [
  ["claude-code", "parcelbot", "Please remember that I am allergic to penicillin."],
  ["claude-code", "parcelbot", "We decided to keep parcel labels in PostgreSQL 17, because of its JSON columns."],
  ["codex", "blog", "We decided to publish the blog with Hugo and rsync to the old server."],
  ["codex", "blog", "The plumber comes the day after tomorrow at nine."],
  ["claude-code", "parcelbot", "I live in Lisbon with my daughter Ida."],
  ["codex", "blog", "I moved to Porto last week."],
];

// host, repository, what is asked there, what is shown, what is not
const asked = [
  ["codex", "blog", "What am I allergic to?", /penicillin/],
  ["claude-code", "parcelbot", `Who comes on ${inDays(2)}?`, /plumber/],
  ["claude-code", "parcelbot", "Where do I live now?", /Porto/],
  ["claude-code", "parcelbot", "Which database has the parcel labels?", /PostgreSQL 17/, /Hugo/],
  ["codex", "blog", "How is the blog published?", /Hugo/, /PostgreSQL/],
  ["codex", "blog", "Which database has the parcel labels?", undefined, /PostgreSQL 17, because/],
];

export async function tryWeek({ hosts, bin, work, ok, check, must }) {
  const both = ["claude-code", "codex"].map((id) => hosts.find((host) => host.id === id));
  const home = mkdtempSync(join(work, "week-"));
  const memory = join(bin, "mcp-memory");
  for (const [name, remote] of Object.entries(repositories)) {
    mkdirSync(join(home, name));
    await ok(home, "git", ["init", "-q"], {}, name);
    if (remote) await ok(home, "git", ["remote", "add", "origin", remote], {}, name);
  }
  for (const host of both) {
    for (const [path, text] of Object.entries(host.begins ?? {})) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    await ok(home, memory, ["install", host.id], {}, "blog");
  }
  const model = await startModel(() => ({ text: "Noted." }));
  const session = (id, repository, prompt) => {
    const { command, args, env } = both.find((host) => host.id === id).session(home, model.url);
    return ok(home, command, args(prompt), env, repository);
  };
  try {
    for (const [id, repository, text] of said) {
      await check(`week: ${id} in ${repository} is told: ${text}`, async () => {
        const before = model.requests.length;
        await session(id, repository, text);
        must(model.requests.slice(before).some((r) => r.text.includes(text)), "the prompt is in no request");
      });
    }
    for (const [id, repository, text, shown, hidden] of asked) {
      await check(`week: ${id} in ${repository} is asked: ${text}`, async () => {
        const before = model.requests.length;
        await session(id, repository, text);
        const request = model.requests.slice(before).find((r) => r.text.includes(text) && r.text.length > 1000);
        must(request, "the question is in no request");
        must(!shown || shown.test(request.text), `nothing shows ${shown}`);
        must(!hidden || !hidden.test(request.text), `something shows ${hidden}:`, excerpt(request.text, hidden));
      });
    }
  } finally {
    model.close();
  }
}

function excerpt(text, pattern) {
  const at = text.search(pattern);
  return text.slice(Math.max(0, at - 300), at + 300);
}
