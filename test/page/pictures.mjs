// Takes the pictures of docs/web.md: pictures.mjs BINARY NODE_MODULES FOLDER PICTURES.
//
// Each is one page of the bank of sample.mjs at three widths: 2,560 pixels in the dark, 1,280 in the light, and a
// phone. They are WebP, which takes a third of what a PNG does.
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { launch, program } from "./program.mjs";
import { fill } from "./sample.mjs";

const [binary, modules, work, pictures] = process.argv.slice(2);
const { memory, serve } = await program(binary, join(work, "sample"));
await fill(memory, join(work, "files"));

// pages are addresses by the name of their picture, with keys to press.
const pages = {
	today: ["/"], memories: ["/memories?q=Who+is+the+release+manager+of+the+shop%3F", "j", "Enter"], review: ["/review"], people: ["/people"],
	timeline: ["/timeline"], work: ["/work"], conversations: ["/conversations"], recalls: ["/told"], plans: ["/plans"], health: ["/health"], settings: ["/settings"], sharing: ["/sharing"], files: ["/files"],
};
const widths = [
	{ width: 2560, height: 1300, colorScheme: "dark", scale: 0.5, at: "left:0;top:0;width:1280px" },
	{ width: 1280, height: 860, colorScheme: "light", scale: 1, at: "left:0;top:662px;width:980px" },
	{ width: 390, height: 857, colorScheme: "dark", scale: 1, at: "left:990px;top:662px;width:290px;height:658px;object-fit:cover;object-position:top" },
];

const { server, link } = await serve();
const browser = await launch(modules);
try {
	const first = await browser.newContext();
	await (await first.newPage()).goto(link);
	const storageState = await first.storageState(), base = new URL(link).origin;
	const shots = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
	for (const { width, height, colorScheme, scale } of widths) {
		const page = await browser.newPage({ viewport: { width, height }, colorScheme, deviceScaleFactor: scale, storageState });
		for (const [name, [path, ...keys]] of Object.entries(pages)) {
			await page.goto(`${base}/ui${path}`);
			await page.waitForFunction(() => !document.querySelector("[data-looking=true]"));
			if (width >= 1024) for (const key of keys) await page.keyboard.press(key);
			await page.waitForTimeout(400);
			shots[name].push((await page.screenshot()).toString("base64"));
		}
		await page.close();
	}
	const page = await browser.newPage({ viewport: { width: 960, height: 990 } });
	const devtools = await page.context().newCDPSession(page);
	for (const [name, list] of Object.entries(shots)) {
		await page.setContent(`<style>body{margin:0;zoom:.75;background:#8a909c}img{position:absolute;display:block}</style>${list.map((shot, i) => `<img style="${widths[i].at}" src="data:image/png;base64,${shot}">`).join("")}`);
		await page.waitForFunction(() => [...document.images].every((i) => i.complete));
		const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 38 });
		const file = join(pictures, `page-${name}.webp`);
		await writeFile(file, Buffer.from(data, "base64"));
		console.log(`${file}: ${(await stat(file)).size} bytes`);
	}
} finally {
	await browser.close();
	server.kill("SIGKILL");
}
