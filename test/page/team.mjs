// The page of a team: signing in at an issuer, which is another site to the browser, and what an operator is shown.
import { execFile, spawn } from "node:child_process";
import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

// startIssuer is an OpenID Connect issuer at localhost, while the page is at 127.0.0.1. Its dialogue is a page
// with a link to agree and one to refuse.
async function startIssuer() {
	const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const grants = new Map();
	const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
	const sign = (claims) => {
		const text = `${encode({ alg: "RS256", kid: "k1" })}.${encode(claims)}`;
		return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
	};
	const paths = {
		"/.well-known/openid-configuration": () => ({ issuer: url, jwks_uri: `${url}/keys`, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, id_token_signing_alg_values_supported: ["RS256"] }),
		"/keys": () => ({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" }] }),
		"/authorize": (q) => {
			const code = randomUUID();
			grants.set(code, { nonce: q.get("nonce"), challenge: q.get("code_challenge") });
			const back = (answer) => `${q.get("redirect_uri")}?${new URLSearchParams({ ...answer, state: q.get("state") })}`.replaceAll("&", "&amp;");
			return `<!doctype html><title>Issuer</title><a href="${back({ code })}">Agree</a> <a href="${back({ error: "access_denied" })}">Refuse</a>`;
		},
		"/token": (form) => {
			const grant = grants.get(form.get("code"));
			grants.delete(form.get("code"));
			const now = Math.floor(Date.now() / 1000);
			if (!grant || createHash("sha256").update(form.get("code_verifier")).digest("base64url") !== grant.challenge) return { error: "invalid_grant" };
			return { access_token: randomUUID(), token_type: "Bearer", id_token: sign({ iss: url, sub: "ann", aud: "page", iat: now, exp: now + 600, nonce: grant.nonce }) };
		},
	};
	const server = createServer(async (request, response) => {
		const { pathname, searchParams } = new URL(request.url, url);
		let body = "";
		for await (const part of request) body += part;
		const answer = paths[pathname]?.(request.method === "POST" ? new URLSearchParams(body) : searchParams);
		const html = typeof answer === "string";
		response.writeHead(answer === undefined ? 404 : answer.error ? 400 : 200, { "Content-Type": html ? "text/html" : "application/json" });
		response.end(html ? answer : JSON.stringify(answer ?? {}));
	});
	await new Promise((done) => server.listen(0, "localhost", done));
	const url = `http://localhost:${server.address().port}`;
	return { url, close: () => server.close() };
}

// team goes through it; accessible says what axe-core finds on a page.
export async function team(browser, { binary, env, work, check, accessible }) {
	const data = join(work, "team");
	await mkdir(data, { recursive: true });
	const issuer = await startIssuer();
	await writeFile(join(data, "config.yaml"), JSON.stringify({ auth: { issuer: issuer.url, audience: "memory", client_id: "page" } }), { mode: 0o600 });
	const run = async (...args) => (await promisify(execFile)(binary, [...args, "--data-dir", data], { env, cwd: work })).stdout.trim();
	await run("save", "Ann keeps the key of the harbour house.", "--agent", "ann", "--pinned");
	await run("save", "Bob keeps a quincunx.", "--agent", "bob");
	const token = await run("token", "create", "--operator", "--agent", "ops");
	const server = spawn(binary, ["serve", "--http", "127.0.0.1:0", "--web", "--data-dir", data], { env, cwd: work, stdio: ["ignore", "inherit", "pipe"] });
	try {
		const said = createInterface({ input: server.stderr });
		const base = await new Promise((done) => said.on("line", (line) => { const at = line.match(/serving MCP at (.*)\/mcp/); if (at) done(at[1]); }));
		const open = async (options) => {
			const context = await browser.newContext({ viewport: { width: 360, height: 700 }, ...options });
			const page = await context.newPage();
			const wrong = [];
			page.on("console", (m) => { if (m.type() === "error" && m.location().url.startsWith(base) && !m.text().includes("403")) wrong.push(m.text()); });
			page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith(issuer.url)) wrong.push(`asked ${r.url()}`); });
			return { context, page, wrong };
		};
		// With a script and without: there, back, and the strict cookie of the session comes along.
		for (const javaScriptEnabled of [true, false]) {
			const { context, page, wrong } = await open({ javaScriptEnabled });
			await page.goto(`${base}/ui/`);
			if (javaScriptEnabled) await accessible(page, "the page to sign in");
			await page.getByRole("link", { name: "Sign in at localhost" }).click();
			await page.getByRole("link", { name: "Agree" }).click();
			await page.waitForURL(`${base}/ui/`);
			check((await page.locator("main").textContent()).includes("harbour house"), "who came from the issuer sees their bank");
			check(!(await context.cookies(`${base}/ui/callback`)).some((c) => c.name.endsWith("_attempt")), "the attempt's cookie is gone");
			check(wrong.length === 0, wrong.join("\n"));
			await context.close();
		}
		const { context, page, wrong } = await open({});
		await page.goto(`${base}/ui/issuer`);
		await page.getByRole("link", { name: "Refuse" }).click();
		await page.getByText("The issuer did not let you in").waitFor();
		// An operator: the banks, at each width, and nothing else.
		await page.getByLabel("Token").fill(token);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("heading", { name: "Banks", level: 1 }).waitFor();
		for (const colorScheme of ["light", "dark"]) {
			await page.emulateMedia({ colorScheme });
			for (const width of [360, 768, 1280, 2560]) {
				await page.setViewportSize({ width, height: 700 });
				await accessible(page, `the banks at ${width}, ${colorScheme}`);
				check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the banks are too wide at ${width}`);
			}
		}
		const text = await page.locator("body").textContent();
		check(text.includes("ann") && text.includes("bob") && !text.includes("quincunx") && !text.includes("harbour"), "what an operator is shown");
		await page.goto(`${base}/ui/search?q=quincunx`);
		await page.getByText("this token is an operator's").waitFor();
		check(wrong.length === 0, wrong.join("\n"));
		await context.close();
	} finally {
		server.kill("SIGKILL");
		issuer.close();
	}
}
