// Looks at the page in Chromium: page.mjs BINARY NODE_MODULES FOLDER.
//
// A bank of some weeks is made by the program's own commands. Then every page is opened at four
// widths, light and dark: axe-core may find nothing, nothing may be wider than the window, the
// console stays empty, no policy is hurt and no other host is asked. Then the flows of a person are gone
// through with mouse and keyboard, once without a script, and once with a server that dies; then those of a team, and in a conversation.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { apps } from "./apps.mjs";
import { launch, program } from "./program.mjs";
import { team } from "./team.mjs";

const [binary, modules, work] = process.argv.slice(2);
const axe = await readFile(createRequire(join(modules, "package.json")).resolve("axe-core/axe.min.js"), "utf8");
const { env, memory, serve } = await program(binary, work);
let checks = 0;
const check = (condition, what) => { checks++; assert.ok(condition, what); };

async function makeBank() {
	const facts = [
		["Maria's name is Maria Lindgren and she lives in Uppsala.", "identity", 0.9], ["Maria prefers short answers without emoji.", "preference", 0.8],
		["Decided: releases go out on Tuesdays, never on Fridays.", "decision", 0.8], ["The staging server listens on port 8443.", "technical", 0.6],
		["The annual report is due on 30 June.", "goal", 0.6], ["The deposit for the harbour house is 1200 euros.", "financial", 0.5],
		["<script>document.title = 'owned'</script>", "technical", 0.7], ["x".repeat(3000), "other", 0.3], ["مرحبا بالعالم \u202eabc", "social", 0.6],
		["\u001b[31mred\u001b[0m 👩‍👩‍👧 family", "social", 0.6],
	].map(([content, category, importance], i) => ({ id: `f${i}`, content, category, importance, ts: `2026-0${1 + i % 9}-0${1 + i % 8}T10:00:00Z` }));
	for (let i = 0; i < 60; i++) facts.push({ id: `n${i}`, content: `Shelf ${i} of the archive holds the maps of parish ${i}.`, category: "other" });
	const file = join(work, "facts.jsonl");
	await writeFile(file, facts.map((f) => JSON.stringify(f)).join("\n"));
	await memory("import", "--format", "facts", file);
	await memory("recall", "Which port does the staging server have?");
	await memory("save", "The barn door is green.");
	for (const [subject, predicate, object] of [["Maria", "lives_in", "Uppsala"], ["Maria", "works_at", "the harbour house"], ["the harbour house", "stands_in", "Uppsala"]]) {
		await memory("triples", "add", "--subject", subject, "--predicate", predicate, "--object", object);
	}
	const said = [];
	for (let i = 0; i < 50; i++) said.push(JSON.stringify({ role: i % 2 ? "assistant" : "user", content: `About crate ${i}: it goes to parish ${i}, because the road is open again there.` }));
	const transcript = join(work, "monday.jsonl");
	await writeFile(transcript, said.join("\n"));
	await memory("context", transcript, "--session", "monday", "--context-window", "6000", "--reserve-tokens", "1000");
	await memory("todo", "add", "Send the annual report", "--priority", "high");
	await memory("calendar", "add", "Harbour council", "--starts-at", "2026-12-03T16:00:00Z");
	await memory("people", "add", "Maria", "--trust-level", "0.8", "--notes", "Answers late in the evening.");
	for (const at of ["seven", "eight", "nine", "ten"]) { // pairs that say the same in another order
		await memory("save", `The office in street number ${at} opens early in the morning.`);
		await memory("save", `Early in the morning the office in street number ${at} opens.`);
	}
}

const paths = ["/ui/", "/ui/memories", "/ui/memories?q=staging+server+port", "/ui/review", "/ui/told", "/ui/timeline", "/ui/work", "/ui/plans", "/ui/plans?month=2026-12", "/ui/conversations", "/ui/conversations?session=monday", "/ui/people", "/ui/people?about=Maria", "/ui/files", "/ui/files?name=MEMORY.md", "/ui/sharing", "/ui/health", "/ui/settings"];

// watch notes what a page must not do.
function watch(page, origin, wrong) {
	page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") wrong.push(`console: ${m.text()}`); });
	page.on("pageerror", (e) => wrong.push(`script: ${e.message}`));
	page.on("request", (r) => { if (!r.url().startsWith(origin)) wrong.push(`asked ${r.url()}`); });
	page.on("dialog", (d) => { wrong.push(`dialog: ${d.message()}`); d.dismiss(); });
}

// accessible looks for what axe-core finds on a page, when nothing fades in or out any more: a colour half way
// to another has too little contrast.
async function accessible(page, what) {
	await page.evaluate(() => Promise.allSettled(document.getAnimations().map((a) => a.finished)));
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
	check(violations.length === 0, `${what}: ${JSON.stringify(violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 200))]))}`);
}

async function look(browser, base) {
	for (const colorScheme of ["light", "dark"]) {
		for (const width of [360, 768, 1280, 2560]) {
			const wrong = [];
			const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, storageState: state });
			watch(page, base, wrong);
			let bytes = 0;
			page.on("response", async (r) => { if (!r.url().includes("/events")) bytes += (await r.body().catch(() => Buffer.alloc(0))).length; });
			for (const path of [...paths, memoryPath, memoryPath.replace("memory/", "memories?open=")]) {
				bytes = 0;
				await page.goto(base + path);
				await page.waitForLoadState("load");
				check(bytes < 150 * 1024, `${path} takes ${bytes} bytes`);
				const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
				check(wide <= 0, `${path} is ${wide} px too wide at ${width}`);
				await accessible(page, `${path} at ${width}, ${colorScheme}`);
			}
			check(wrong.length === 0, wrong.join("\n"));
			await page.close();
		}
	}
}

// flows goes through what a person does.
async function flows(browser, base, server) {
	const wrong = [];
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, storageState: state });
	watch(page, base, wrong);
	// Correct a wrong fact: type, see it come, open, correct, see what changed.
	await page.goto(base + "/ui/");
	await page.keyboard.press("/");
	await page.waitForURL(/memories/);
	await page.getByRole("searchbox").pressSequentially("harbour house deposit", { delay: 15 });
	await page.waitForURL(/q=harbour\+house\+deposit/);
	check((await page.locator("#results article").first().textContent()).includes("1200 euros"), "search as you type");
	check(page.url().includes("q=harbour+house+deposit"), `the address of a search: ${page.url()}`);
	await page.locator("#results details.why summary").first().click();
	check(await page.locator("#results svg.bar").first().isVisible(), "the bars of a score");
	await page.locator("#results article a").first().click();
	await page.locator("#pane .memory").waitFor();
	check(page.url().includes("open="), `what is read has an address: ${page.url()}`);
	await page.keyboard.press("e");
	await page.locator("#content").fill("The deposit for the harbour house is 1500 euros.");
	await page.getByRole("button", { name: "Save" }).first().click();
	await page.locator("ins").waitFor();
	check((await page.locator("del").textContent()).includes("1200") && (await page.locator("ins").textContent()).includes("1500"), "the difference");
	// Forget, and take it back by a key.
	await page.locator("#pane").getByRole("button", { name: "Forget" }).click();
	await page.getByText("Forgotten.").waitFor();
	await page.keyboard.press("u");
	await page.getByText("Taken back: 1 memory holds again").waitFor();
	// By keys alone: to a place, down a list, reading beside it, the help, a memory pinned, and back.
	await page.keyboard.press("2");
	await page.waitForURL(/\/memories$/);
	await page.keyboard.press("j");
	await page.keyboard.press("j");
	await page.keyboard.press("Enter");
	await page.locator("#pane .memory").waitFor();
	const read = page.url();
	await page.keyboard.press("j");
	await page.waitForFunction((before) => location.href !== before && document.querySelector("li.shown[aria-current]"), read);
	check(await page.locator("#pane .memory .text").textContent() === await page.locator("li.shown .open").textContent(), "what is marked is read");
	await page.keyboard.press("Escape");
	await page.locator("#pane .overview").waitFor();
	await page.goBack();
	await page.locator("#pane .memory").waitFor();
	await page.goForward();
	await page.locator("#pane .overview").waitFor();
	await page.keyboard.press("?");
	check(await page.getByRole("dialog", { name: "Keys" }).isVisible(), "the help");
	await accessible(page, "the help");
	await page.keyboard.press("Escape");
	await page.keyboard.press("p");
	await page.getByText("Pinned: it does not fade.").waitFor();
	check(await page.locator("#results").isVisible(), "pinned in the list");
	// A line's buttons are there for who points at it, and for who comes by Tab.
	const acts = page.locator("#results .acts").nth(3);
	const seen = () => acts.evaluate((a) => getComputedStyle(a).opacity);
	check(await seen() === "0", "buttons of a line that nobody looks at");
	await acts.getByRole("button").first().focus();
	await page.waitForFunction((n) => getComputedStyle(document.querySelectorAll("#results .acts")[n]).opacity === "1", 3);
	// Settle what is to be decided by keys alone.
	await page.goto(base + "/ui/review");
	await page.locator("[data-item]").first().waitFor(); // the first look may be under way
	const left = async () => page.locator("[data-item]").count();
	let waiting = await left();
	check(waiting >= 4, `${waiting} questions`);
	for (const key of ["b", "n", "o"]) {
		await page.keyboard.press(key);
		await page.waitForFunction((n) => document.querySelectorAll("[data-item]").length < n && document.querySelector(".note"), waiting);
		waiting = await left();
	}
	await page.keyboard.press("u");
	await page.waitForFunction((n) => document.querySelectorAll("[data-item]").length > n, waiting);
	await page.keyboard.press("j");
	check(await page.locator("[data-item][aria-current]").count() === 1, "one question is marked");
	// Undo on the timeline.
	await page.goto(base + "/ui/timeline");
	await page.locator("li", { hasText: "The barn door is green." }).getByRole("button", { name: /Undo/ }).click();
	await page.getByText(/Taken back: 1 memory/).waitFor();
	// Find out why.
	await page.goto(base + "/ui/told");
	check((await page.locator("main").textContent()).includes("Which port does the staging server have?"), "what was asked");
	await page.getByRole("link", { name: "The staging server listens on port 8443." }).first().click();
	await page.locator(".memory").waitFor();
	// Go through what is related.
	await page.goto(base + "/ui/people");
	check(await page.locator("svg.graph circle").count() === 3, "three things are drawn");
	await page.locator("svg.graph a", { hasText: "Uppsala" }).click();
	await page.getByRole("heading", { name: "Uppsala", level: 1 }).waitFor();
	check(await page.locator("main tbody tr").count() === 2, "what is related to Uppsala");
	// Grant a link.
	await memory("save", "Bob has a boat.", "--agent", "bob");
	await memory("link", "request", "default", "--message", "May I know?", "--agent", "bob");
	await page.goto(base + "/ui/sharing");
	check((await page.locator("main").textContent()).includes("May I know?"), "who asks");
	await page.locator("summary", { hasText: "Share" }).click();
	await page.getByLabel("It may be copied, for good").check();
	await page.getByRole("button", { name: "Share" }).click();
	await page.getByText(/Shared with bob: \d+ memories were copied/).waitFor();
	// Tick a to-do, and put an event into the calendar.
	await page.goto(base + "/ui/plans?month=2026-12");
	check((await page.locator(".month").textContent()).includes("Harbour council"), "the month has the event");
	await page.getByRole("button", { name: "Done: Send the annual report" }).click();
	await page.getByText("Nothing is to be done.").waitFor();
	await page.goto(base + "/ui/plans?month=2026-12");
	await page.getByText("Add an event").click();
	await page.getByLabel("What", { exact: true }).last().fill("Paint the boat");
	await page.getByLabel("On", { exact: true }).last().fill("2026-12-10");
	await page.getByLabel("from", { exact: true }).last().fill("09:30");
	await page.getByRole("button", { name: "Add", exact: true }).last().click();
	await page.locator(".month", { hasText: "Paint the boat" }).waitFor();
	// Find a message in a conversation.
	await page.goto(base + "/ui/conversations");
	await page.getByRole("link", { name: "monday" }).click();
	await page.getByRole("searchbox", { name: "Search in it" }).fill("crate 42");
	await page.getByRole("button", { name: "Search" }).click();
	await page.getByRole("link", { name: /About crate 42/ }).click();
	await page.locator("#t42").waitFor();
	// Correct a line of a file: the memory says so too.
	await page.goto(base + "/ui/files");
	await page.getByRole("link", { name: "MEMORY.md" }).click();
	const lines = await page.locator("#content").inputValue();
	check(lines.includes("out on Tuesdays"), "MEMORY.md has the memories");
	await page.locator("#content").fill(lines.replace("out on Tuesdays", "out on Mondays"));
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Saved.").waitFor();
	await page.goto(base + "/ui/search?q=when+do+releases+go+out");
	check((await page.locator("#results article").first().textContent()).includes("Mondays"), "what a file was corrected to is found");
	// What another process writes is there soon.
	await page.goto(base + "/ui/timeline");
	await memory("save", "The mill wheel turns again.");
	const begun = Date.now();
	await page.getByText("The mill wheel turns again.").waitFor({ timeout: 10000 });
	console.log(`page: shown ${Date.now() - begun} ms after another process had written`);
	// The title is not what a memory says it is.
	check(await page.title() === "Timeline · Memory", await page.title());
	check(wrong.length === 0, wrong.join("\n"));
	// A server that goes away: it is said, and what was typed stays.
	await page.goto(base + memoryPath);
	await page.keyboard.press("e");
	await page.locator("#content").fill("Typed while the server died.");
	server.kill("SIGKILL");
	await page.getByText("The server does not answer").waitFor({ timeout: 15000 });
	await page.getByRole("button", { name: "Save" }).first().click();
	check(await page.locator("#content").inputValue() === "Typed while the server died.", "what was typed");
	await page.close();
}

async function withoutScript(browser, base) {
	const context = await browser.newContext({ javaScriptEnabled: false, storageState: state });
	const page = await context.newPage();
	await page.goto(base + "/ui/search");
	await page.locator("input[name=q]").fill("When do releases go out?");
	await page.getByRole("button", { name: "Search" }).click();
	check((await page.locator("#results").textContent()).includes("Tuesdays"), "search without a script");
	await page.locator("#results article a").first().click();
	check((await page.locator("main").textContent()).includes("Recorded"), "a memory without a script");
	await page.getByRole("button", { name: "Pin" }).click();
	check((await page.locator(".note").textContent()).includes("Pinned"), "pinned without a script");
	// A line's button sends the form around the list, and leads back to it.
	await page.goto(base + "/ui/memories");
	const line = page.locator("#results li").first();
	const text = await line.locator(".open").textContent();
	await line.hover();
	await line.getByRole("button", { name: /^Forget/ }).click();
	check((await page.locator(".note").textContent()).includes("Forgotten"), "forgotten in the list without a script");
	check(new URL(page.url()).pathname === "/ui/memories" && await page.locator("#results .open").first().textContent() !== text, "back in the list");
	await page.getByRole("button", { name: "Undo" }).click();
	check(await page.locator("#results .open").first().textContent() === text, "taken back without a script");
	await context.close();
}

await makeBank();
const { server, link } = await serve();
const base = new URL(link).origin;
const browser = await launch(modules);
let state, memoryPath;
try {
	const first = await browser.newContext();
	const page = await first.newPage();
	await page.goto(link);
	check(new URL(page.url()).pathname === "/ui/", `the link leads to ${page.url()}`);
	check((await page.evaluate(() => document.cookie)) === "", "a script can read the cookie");
	state = await first.storageState();
	await page.goto(base + "/ui/search?q=staging+server+port");
	memoryPath = await page.locator("#results article a").first().getAttribute("href");
	await first.close();
	await look(browser, base);
	await withoutScript(browser, base);
	await flows(browser, base, server);
	await team(browser, { binary, env, work, check, accessible });
	await apps(browser, { binary, modules, env, work, check });
	console.log(`page: ${checks} checks in Chromium ${browser.version()}`);
} finally {
	await browser.close();
	server.kill("SIGKILL");
}
