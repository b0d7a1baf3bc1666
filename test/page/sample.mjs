// A bank as it is after some weeks of work: three projects, people, plans, sessions. The pictures of
// docs/web.md are taken of it, so that they show what a reader would have.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const day = 864e5;
const ago = (days, hour = 10, minute = 0) => {
	const t = new Date(Date.now() - days * day);
	t.setUTCHours(hour, minute, 0, 0);
	return t;
};

// Each line: days ago, category, text. A text that begins with "!" is important.
const facts = {
	"": [
		[160, "identity", "!The user's name is Nora Lindgren; she lives in Gothenburg with her partner Emil."],
		[158, "preference", "!Nora prefers short answers without bullet points or emoji."],
		[150, "preference", "Nora writes British English in documents and Swedish with her team."],
		[140, "capability", "Nora has written Go for eight years and reads Rust, but does not write it."],
		[121, "social", "Emil Sandberg is a physiotherapist and works late on Wednesdays."],
		[96, "preference", "Nora drinks her coffee black and hates meetings before nine."],
		[74, "social", "Nora's mother, Birgitta, turns seventy on 14 February."],
		[52, "financial", "The accountant, Per Holm, wants receipts by the fifth of each month."],
		[33, "goal", "Nora wants to run the Gothenburg half marathon in May."],
		[12, "social", "Emil's brother Joakim visits from Oslo over New Year."],
	],
	"harbour/shop": [
		[150, "decision", "!Decided: the shop's database is PostgreSQL 17, because of its row-level security."],
		[149, "technical", "The staging server listens on port 8443 and is redeployed every night at 02:30 UTC."],
		[143, "technical", "Payments go through Mollie; the webhook secret is in the vault under shop/mollie."],
		[139, "decision", "Decided: prices are stored in öre as integers, never as floats."],
		[118, "project", "The shop sells rope, blocks and shackles to 1,400 boat yards in the Nordic countries."],
		[112, "technical", "The search index is rebuilt with `make reindex`, which takes about four minutes."],
		[104, "social", "Priya Raman is the release manager of the shop."],
		[88, "technical", "Integration tests need Docker and run with `go test -tags integration ./...`."],
		[81, "decision", "!Decided: releases go out on Tuesdays, never on Fridays."],
		[77, "project", "The checkout was rewritten in August; the old one is behind the flag legacy_checkout."],
		[69, "technical", "Images are resized by the worker and not in the request, since the outage of 19 September."],
		[61, "decision", "Decided against Kafka for orders: an outbox table and LISTEN/NOTIFY are enough."],
		[48, "technical", "VAT for Norway has to be shown before shipping is chosen."],
		[45, "social", "Tomasz from the warehouse team wants stock levels by SMS, not by mail."],
		[40, "technical", "The cart is locked for fifteen minutes while somebody pays."],
		[31, "decision", "Decided: the admin pages use server-rendered HTML and htmx, no React."],
		[26, "technical", "A Mollie webhook may come twice; the handler compares the payment's id and version."],
		[19, "project", "The harbour of Stavanger has asked for invoices with thirty days to pay."],
		[11, "technical", "Rate limit of the public API: 120 requests a minute for each key."],
		[8, "technical", "Every night at 02:30 UTC the staging server is redeployed; it listens on port 8443."],
		[6, "decision", "!Decided: the shop moves from Heroku to Hetzner before Christmas."],
		[2, "technical", "The new hosts are called gull, tern and skua; tern runs the database."],
	],
	"harbour/tides": [
		[130, "project", "Tides is an app that shows water levels of forty harbours, with warnings two days ahead."],
		[127, "decision", "Decided: the app is written in Kotlin and Swift, no shared code."],
		[109, "technical", "Water levels come from the SMHI open data API, every ten minutes."],
		[99, "social", "Aino Virtanen designs the app; she works from Turku and answers in the mornings."],
		[92, "technical", "Forecasts are cached for an hour, because SMHI answers 429 above ten requests a second."],
		[70, "decision", "Decided: warnings are sent at most twice a day to each harbour."],
		[58, "technical", "The tide table of Göteborg Torshamnen uses RH2000 as its height system."],
		[50, "goal", "Tides should be in the App Store before Easter 2027."],
		[43, "social", "Aino prefers Figma comments to mail."],
		[37, "technical", "Push certificates of Apple run out on 3 March 2027."],
		[22, "project", "Beta testers: eleven harbour masters, led by Kjell Berg in Smögen."],
		[15, "technical", "Kjell Berg reported that warnings come an hour late after the change to winter time."],
		[14, "decision", "!Decided: all times are kept in UTC and shown in Europe/Stockholm."],
		[5, "social", "Kjell Berg wants a widget that shows the next high water."],
		[1, "technical", "The widget reads a shared file, because it has no network of its own on iOS."],
	],
	"home": [
		[125, "project", "The kitchen is to be renovated in spring; the budget is 180,000 kronor."],
		[101, "decision", "Decided: oak worktops and no upper cabinets on the north wall."],
		[84, "social", "The carpenter is called Lars Ek and comes recommended by Emil."],
		[66, "financial", "Lars Ek asks for 20 % in advance and the rest after the inspection."],
		[41, "technical", "The fuse for the stove is number 7, 3×16 ampere."],
		[28, "event", "The tiles of Winckelmans arrive in week 3 of 2027."],
		[17, "decision", "Decided: the old stove goes to Birgitta's summer house."],
		[9, "financial", "The deposit for the oak worktops is 12,500 kronor, due on 10 December."],
		[4, "technical", "The stove's fuse, 3×16 ampere, is number 7."],
		[3, "project", "Lars Ek can begin on 11 January, if the tiles are there."],
	],
};

// Texts that take the place of others: what is asked finds the old one.
const changes = [
	["harbour/shop", "Who is the release manager of the shop?", "Jonas Weber is the release manager of the shop; Priya Raman has moved to payments."],
	["harbour/tides", "How often are warnings sent?", "Decided: warnings are sent at most three times a day to each harbour."],
	["", "How does Nora drink her coffee?", "Nora drinks her coffee with oat milk and hates meetings before nine."],
];

const sessions = [
	["harbour/shop", "move-to-hetzner", 2, 9, "Move the staging shop to the new hosts and tell me what breaks.", [
		["ssh tern 'pg_lsclusters'", "17 main 5432 online", false], ["make deploy HOST=gull", "Exit code 2\nmake: *** no rule to make target 'deploy'", true],
		["make release HOST=gull", "released 3f2c1aa to gull", false], ["deploy/gull.env", null, false], ["go test ./checkout/...", "ok shop/checkout 3.1s", false],
	]],
	["harbour/shop", "webhook-twice", 5, 14, "Orders are booked twice when Mollie calls again. Find out why.", [
		["go test -run TestWebhookTwice ./payments", "Exit code 1\n--- FAIL: TestWebhookTwice: 2 orders, want 1", true], ["payments/webhook.go", null, false],
		["go test -run TestWebhookTwice ./payments", "ok shop/payments 0.8s", false], ["git commit -am 'Compare id and version of a payment'", "[main 9ab12cd]", false],
	]],
	["harbour/tides", "winter-time", 1, 16, "Warnings are an hour late since winter time began.", [
		["swift test --filter WarningTests", "Exit code 1\nXCTAssertEqual failed: 06:00 is not 05:00", true], ["Sources/Warnings/Schedule.swift", null, false], ["swift test --filter WarningTests", "Executed 14 tests, with 0 failures", false],
	]],
	["harbour/shop", "staging-today", 0, 8, "Is staging up? Then write the runbook.", [
		["curl -s -o /dev/null -w '%{http_code}' https://gull:8443/health", "200", false], ["docs/runbook.md", null, false],
	]],
];

// fill makes the bank by the program's own commands; memory runs one of them.
export async function fill(memory, folder) {
	await mkdir(folder, { recursive: true });
	let n = 0;
	const file = async (name, lines) => {
		const path = join(folder, name);
		await writeFile(path, lines.map((l) => JSON.stringify(l)).join("\n"));
		return path;
	};
	for (const [subject, predicate, object] of [
		["Nora Lindgren", "lives_with", "Emil Sandberg"], ["Emil Sandberg", "brother_of", "Joakim"], ["Jonas Weber", "manages_releases_of", "the shop"], ["Priya Raman", "works_on", "payments"],
		["Aino Virtanen", "designs", "Tides"], ["Kjell Berg", "tests", "Tides"], ["tern", "runs", "PostgreSQL 17"], ["the shop", "runs_on", "tern"], ["Kjell Berg", "lives_in", "Smögen"],
	]) await memory("triples", "add", "--subject", subject, "--predicate", predicate, "--object", object);
	for (const [from, to] of [[1000, 90], [90, 20], [20, 7], [7, -1]]) { // the oldest first
		for (const [project, list] of Object.entries(facts)) {
			const lines = list.filter(([days]) => days < from && days >= to).map(([days, category, text]) => ({
				id: `s${n++}`, content: text.replace(/^!/, ""), category, importance: text.startsWith("!") ? 0.9 : 0.55, ts: ago(days, 8 + n % 9, n * 7 % 60),
			}));
			if (lines.length) await memory("import", "--format", "facts", await file(`facts-${n}.jsonl`, lines), "--project", project);
		}
	}
	for (const [project, asked, text] of changes) {
		const [found] = JSON.parse(await memory("recall", asked, "--project", project, "--json")).results;
		await memory("update", found.id, "--content", text);
	}
	for (const [name, type, trust, notes, project] of [
		["Priya Raman", "peer", "0.85", "Careful with releases; asks for a rollback plan first.", "harbour/shop"], ["Aino Virtanen", "peer", "0.8", "Likes a picture better than a long text.", "harbour/tides"],
		["Lars Ek", "client", "0.55", "Comes when he says so, but not always with the right wood.", "home"],
	]) await memory("people", "add", name, "--type", type, "--trust-level", trust, "--notes", notes, "--project", project);
	for (const [title, priority, days, project] of [
		["Move the DNS of the shop to Hetzner", "high", 3, "harbour/shop"], ["Pay the deposit for the oak worktops", "urgent", 12, "home"], ["Send receipts to Per Holm", "normal", 7, ""],
		["Renew the push certificates", "normal", 90, "harbour/tides"], ["Ask Kjell Berg about the widget", "low", 0, "harbour/tides"], ["Book a table for Birgitta's birthday", "low", 60, ""],
	]) await memory("todo", "add", title, "--priority", priority, "--due-at", ago(-days).toISOString().slice(0, 10), "--project", project);
	for (const [title, days, hour, more] of [
		["Release of the shop", 3, 9, ["--recurrence", "FREQ=WEEKLY;BYDAY=TU"]], ["Design review with Aino", 2, 8, ["--location", "Figma"]], ["Lars Ek measures the kitchen", 5, 15, ["--location", "at home"]], ["Dinner with Joakim", 33, 18, []],
	]) await memory("calendar", "add", title, "--starts-at", ago(-days, hour).toISOString(), ...more);
	await memory("learnings", "add", "make deploy does not exist here: releases are made with make release HOST=name", "--kind", "correction", "--project", "harbour/shop");
	await memory("save", "The shop's catalogue has 2,300 articles until the new price list of 1 February 2027.", "--valid-until", "2027-02-01", "--project", "harbour/shop");
	for (const [project, id, days, hour, asked, calls] of sessions) {
		const cwd = `/work/${project}`, lines = [];
		let minute = 0;
		const line = (kind, uuid, content) => lines.push({ type: kind, uuid: id + uuid, sessionId: id, cwd, timestamp: ago(days, hour, minute++).toISOString(), version: "2.1.240", message: { role: kind, content } });
		line("user", "u", asked);
		for (const [i, [what, printed, failed]] of calls.entries()) {
			const edit = printed === null;
			line("assistant", `a${i}`, [{ type: "tool_use", id: `toolu_${id}${i}`, name: edit ? "Edit" : "Bash", input: edit ? { file_path: `${cwd}/${what}`, old_string: "a", new_string: "b" } : { command: what } }]);
			line("user", `r${i}`, [{ type: "tool_result", tool_use_id: `toolu_${id}${i}`, content: edit ? "The file has been updated successfully." : printed, is_error: failed }]);
		}
		line("assistant", "z", "Done. The tests pass, and what was decided is saved.");
		await memory("context", await file(`${id}.jsonl`, lines), "--session", id, "--project", project);
	}
	for (const [question, project] of [
		["Which port does the staging server use?", "harbour/shop"], ["When do releases go out?", "harbour/shop"], ["Who designs the app?", "harbour/tides"], ["Why are warnings late?", "harbour/tides"],
		["What does the carpenter ask for in advance?", "home"], ["Who is the release manager?", "harbour/shop"], ["How does Nora like her coffee?", ""],
	]) await memory("recall", question, "--project", project);
	await memory("recall", "What is the capital of Mongolia?", "--project", "home");
}
