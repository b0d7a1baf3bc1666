// Writes memories by claude-mem's own store: claude-mem.cjs PACKAGE DATABASE, run by
// Bun, whose SQLite the store wants. It says "written" and keeps the database
// open until its input ends, as the program's worker does.
const { mkdirSync } = require("node:fs");
const { dirname, join } = require("node:path");

const [pkg, file] = process.argv.slice(2);
const { SessionStore } = require(join(pkg, "plugin", "sqlite", "SessionStore.js"));
mkdirSync(dirname(file), { recursive: true });
const store = new SessionStore(file);

const observation = (type, title, more) => ({
	type, title, subtitle: null, facts: [], narrative: null, concepts: [], files_read: [], files_modified: [], ...more,
});

const session = store.createSDKSession("content-1", "shop", "Why do orders come twice?");
store.ensureMemorySessionIdRegistered(session, "memory-1");
store.saveUserPrompt("content-1", 1, "Why do orders come twice?", session);
store.storeObservation("memory-1", "shop", observation("decision", "Orders carry an idempotency key", {
	subtitle: "Checked by the database", narrative: "Orders came twice when the browser retried, so each one carries a key that the database keeps unique.",
	facts: ["The key is made by the browser", "Keys expire after 48 hours"], concepts: ["why-it-exists"], files_read: ["orders.go"], files_modified: ["orders.go", "schema.sql"],
}), 1);
store.storeObservation("memory-1", "shop", observation("bugfix", "The retry of payments waits now", {
	narrative: "Payments were retried at once and locked the account; the retry waits two seconds. Geprüft im März 🎂.", concepts: ["problem-solution"],
}), 1);
store.storeObservation("memory-1", "shop", observation("change", "Moved a file", { narrative: "The file was moved.", files_modified: ["a.go"] }), 1);
store.storeSummary("memory-1", "shop", {
	request: "Why do orders come twice?", investigated: "The browser's retries", learned: "A retry has no key", completed: "Orders have a key", next_steps: "The same for refunds", notes: null,
}, 1);
const other = store.createSDKSession("content-2", "garden", "When are the beans sown?");
store.ensureMemorySessionIdRegistered(other, "memory-2");
store.storeObservation("memory-2", "garden", observation("discovery", "Beans are sown in May", { facts: ["Frost ends on 15 May"] }), 1);

process.stdout.write("written\n");
process.stdin.on("end", () => process.exit(0)).resume();
