// The program and the browser, as page.mjs and pictures.mjs start them.
import { execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

// program is the program with a bank and a home of its own below a folder: env is what it runs with, memory
// runs a command, and serve starts the page and returns its process and its link.
export async function program(binary, folder) {
	const home = join(folder, "home"), data = join(folder, "data");
	const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, TMPDIR: folder, TZ: "UTC" };
	await mkdir(home, { recursive: true });
	return {
		env, data,
		memory: async (...args) => (await promisify(execFile)(binary, [...args, "--data-dir", data], { env, cwd: home })).stdout,
		serve: async () => {
			const server = spawn(binary, ["web", "--no-open", "--data-dir", data], { env, cwd: home, stdio: ["ignore", "pipe", "inherit"] });
			const link = await new Promise((done) => createInterface({ input: server.stdout }).once("line", done));
			return { server, link };
		},
	};
}

// launch starts the browser.
export const launch = (modules) => createRequire(join(modules, "package.json"))("playwright-core").chromium.launch({
	executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
	args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
});
