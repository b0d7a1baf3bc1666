// The page of memories in a conversation (MCP Apps): shown by the host's half of the extension's own package, in a
// sandboxed frame under the policy that hosts have by default, over the built program.
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

// apps goes through it.
export async function apps(browser, { binary, modules, env, work, check }) {
	const load = (name) => import(pathToFileURL(join(modules, name)));
	const { Client } = await load("@modelcontextprotocol/client/dist/index.mjs");
	const { StdioClientTransport } = await load("@modelcontextprotocol/client/dist/stdio.mjs");
	const { AppBridge } = await load("@modelcontextprotocol/ext-apps/dist/src/app-bridge.js");
	const { EXTENSION_ID, RESOURCE_MIME_TYPE } = await load("@modelcontextprotocol/ext-apps/dist/src/server/index.js");
	const data = join(work, "apps");
	await mkdir(data, { recursive: true });
	const run = async (...args) => (await promisify(execFile)(binary, [...args, "--data-dir", data], { env, cwd: work })).stdout.trim();
	await run("save", "The harbour gate opens at seven. <script>document.title = 'owned'</script><img src=x onerror=alert(1)>");
	await run("save", "The harbour office is closed on Mondays.");
	const connect = async (capabilities) => {
		const client = new Client({ name: "host", version: "1" }, { capabilities });
		await client.connect(new StdioClientTransport({ command: binary, args: ["serve", "--data-dir", data], env, cwd: work }));
		return client;
	};
	const plain = await connect({});
	check((await plain.listTools()).tools.every((t) => !t._meta?.ui), "who shows no apps is told of none");
	await plain.close();
	const client = await connect({ extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } });
	const page = await (await browser.newContext({ viewport: { width: 360, height: 700 } })).newPage();
	const wrong = [];
	page.on("console", (m) => { if (m.type() === "error") wrong.push(m.text()); });
	page.on("pageerror", (e) => wrong.push(e.message));
	page.on("dialog", (d) => { wrong.push(d.message()); d.dismiss(); });
	try {
		const recall = (await client.listTools()).tools.find((t) => t.name === "memory_recall");
		const { contents: [app] } = await client.readResource({ uri: recall._meta.ui.resourceUri });
		check(app.mimeType === RESOURCE_MIME_TYPE, `the type is ${app.mimeType}`);
		// The frame's messages go to the bridge, which is here, and back.
		const transport = {
			start: async () => {},
			close: async () => {},
			send: (message) => page.evaluate((m) => document.querySelector("iframe").contentWindow.postMessage(m, "*"), message),
		};
		await page.exposeFunction("fromView", (message) => transport.onmessage?.(message));
		await page.route("https://host.example/", (route) => route.fulfill({ contentType: "text/html", headers: { "Content-Security-Policy": policy }, body: `<!doctype html><title>Host</title>
			<iframe title="App" sandbox="allow-scripts" width="340" height="600"></iframe>
			<script>addEventListener("message", (e) => { if (e.source === document.querySelector("iframe").contentWindow) fromView(e.data); });</script>` }));
		await page.goto("https://host.example/");
		const told = [], sizes = [];
		const bridge = new AppBridge(client, { name: "host", version: "1" }, { serverTools: {}, updateModelContext: { text: {} } }, { hostContext: { theme: "dark" } });
		bridge.onsizechange = (size) => sizes.push(size);
		bridge.onupdatemodelcontext = async ({ content }) => { told.push(content[0].text); return {}; };
		const initialized = new Promise((done) => { bridge.oninitialized = done; });
		await bridge.connect(transport);
		await page.evaluate((html) => { document.querySelector("iframe").srcdoc = html; }, app.text);
		await initialized;
		const query = { query: "When does the harbour gate open?" };
		await bridge.sendToolInput({ arguments: query });
		await bridge.sendToolResult(await client.callTool({ name: "memory_recall", arguments: query }));
		const view = page.frameLocator("iframe");
		const card = view.locator("li", { hasText: "opens at seven" });
		await card.waitFor();
		check((await card.textContent()).includes("<script>"), "a text stays text");
		check(await view.locator("img").count() === 0, "a text makes no element");
		check(sizes.length > 0 && sizes.at(-1).height > 50, `the host hears of the size: ${JSON.stringify(sizes)}`);
		const record = async (id) => (await client.callTool({ name: "memory_get", arguments: { ids: [id] } })).structuredContent.records[0];
		const { id } = (await client.callTool({ name: "memory_recall", arguments: query })).structuredContent.results.find((r) => r.content.includes("seven"));
		await card.getByRole("button", { name: "Forget" }).click();
		await view.getByText("Forgotten.").waitFor();
		check((await record(id)).archived_at, "it is forgotten");
		await card.getByRole("button", { name: "Undo" }).click();
		await view.getByText("Taken back.").waitFor();
		check(!(await record(id)).archived_at, "it is there again");
		await card.getByRole("button", { name: "Correct" }).click();
		await view.getByRole("textbox", { name: "What it should say" }).fill("The harbour gate opens at eight.");
		await view.getByRole("button", { name: "Save" }).click();
		await view.getByText("Corrected.").waitFor();
		await view.locator("li", { hasText: "opens at eight" }).waitFor();
		const now = (await client.callTool({ name: "memory_recall", arguments: query })).structuredContent.results.map((r) => r.content);
		check(now.includes("The harbour gate opens at eight.") && !now.some((c) => c.includes("seven")), `what is recalled then: ${now}`);
		check(told.length === 3 && told[2].includes("opens at eight"), `what the model hears: ${told}`);
		check(await page.title() === "Host" && wrong.length === 0, wrong.join("\n"));
	} finally {
		await page.close();
		await client.close();
	}
}
