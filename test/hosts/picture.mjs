// Draws docs/claude-code.svg: picture.mjs FOLDER-OF-MCP-MEMORY NODE_MODULES WORK PICTURE.
//
// The real Claude Code is told something in one session and asked in the next, on a terminal. Only the model is a
// script: what it is shown, which tools it calls and what these answer is real.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { startModel } from "./model.mjs";
import { hosts } from "./table.mjs";

const [bin, modules, work, file] = process.argv.slice(2);
const { Terminal } = createRequire(join(modules, "package.json"))("@xterm/headless");
const columns = 104, rows = 40, size = 13, wide = 7.83, high = 18, margin = 16; // the last four in pixels
const key = "sk-ant-api03-scripted";
const told = "We decided: releases go out on Tuesdays, never on Fridays. Svenja signs them off.";
const asked = "It's Friday and the invoice fix is ready. Shall I release it?";

const home = mkdtempSync(join(work, "picture-"));
const project = join(home, "invoices");
mkdirSync(project);
const host = hosts.find((one) => one.id === "claude-code");
writeFileSync(join(home, ".claude.json"), JSON.stringify({
	hasCompletedOnboarding: true, theme: "dark", numStartups: 9, customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
	projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
}));
mkdirSync(join(work, "on-path"), { recursive: true });
symlinkSync(host.program(modules), join(work, "on-path", "claude"));
const env = {
	PATH: [bin, join(work, "on-path"), process.env.PATH].join(":"), HOME: home, XDG_DATA_HOME: join(home, "data"), TMPDIR: work, TZ: "UTC", LANG: "C.UTF-8", TERM: "xterm-256color",
	COLORTERM: "truecolor", ANTHROPIC_API_KEY: key, ...host.env,
};

const run = (command, args) => new Promise((done, failed) => {
	const child = spawn(command, args, { cwd: project, env, stdio: ["ignore", "inherit", "inherit"] });
	child.on("exit", (code) => (code === 0 ? done() : failed(new Error(`${command} ${args.join(" ")}: exit ${code}`))));
});

// on runs Claude Code on a terminal, types a prompt when it is ready, and draws the terminal below y when what is
// waited for stands there.
async function on(prompt, until, y) {
	const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
	const child = spawn("script", ["-qefc", `stty cols ${columns} rows ${rows}; exec claude --model sonnet --allowedTools 'mcp__memory__*'`, "/dev/null"], { cwd: project, env, stdio: ["pipe", "pipe", "inherit"] });
	terminal.onData((answer) => child.stdin.write(answer)); // what a program asks of a terminal
	child.stdout.on("data", (chunk) => terminal.write(chunk));
	await standing(terminal, /❯|\? for shortcuts/);
	await pause(1500);
	child.stdin.write(prompt);
	await pause(700);
	child.stdin.write("\r");
	await standing(terminal, until);
	await pause(2500); // its spinner goes
	const drawn = draw(terminal, y);
	child.stdin.write("\x04");
	await pause(200);
	child.stdin.write("\x04");
	await Promise.race([new Promise((done) => child.on("exit", done)), pause(15000)]);
	child.kill("SIGKILL");
	return drawn;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const linesOf = (terminal) => Array.from({ length: terminal.buffer.active.length }, (_, y) => terminal.buffer.active.getLine(y).translateToString(true));

async function standing(terminal, what) {
	for (let i = 0; i < 300; i++) {
		if (linesOf(terminal).some((line) => what.test(line))) return;
		await pause(100);
	}
	throw new Error(`${what} does not stand on the terminal:\n${linesOf(terminal).join("\n")}`);
}

// draw returns the head of a session and what follows its first prompt, each run of one colour a text, and where the
// next line would be. Notices of the day between them are left out.
function draw(terminal, top) {
	const buffer = terminal.buffer.active, lines = linesOf(terminal);
	const head = lines.findIndex((line) => line.trim() !== ""), prompt = lines.findIndex((line) => /^❯ \S/.test(line));
	const empty = (row) => (lines[row] ?? "").trim() === "";
	const kept = [head, head + 1, head + 2, head + 3];
	for (let row = prompt; !empty(row) || !empty(row + 1); row++) kept.push(row);
	let y = top, texts = "";
	for (const row of kept) {
		let from = 0, text = "", style = "";
		const flush = () => {
			text = text.trimEnd();
			if (text) texts += `<text x="${(margin + from * wide).toFixed(1)}" y="${y + high - 5}" textLength="${(text.length * wide).toFixed(1)}"${style} xml:space="preserve">${text.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</text>\n`;
			text = "";
		};
		for (let x = 0; x < columns; x++) {
			const cell = buffer.getLine(row).getCell(x), now = styleOf(cell);
			if (now !== style) {
				flush();
				from = x;
				style = now;
			}
			text += cell.getChars() || " ";
		}
		flush();
		y += high;
	}
	return { texts, y };
}

function picture(texts, y) {
	const width = Math.ceil(columns * wide + 2 * margin), height = y + margin;
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>Two sessions of Claude Code</title>
<rect width="${width}" height="${height}" rx="8" fill="#1b1f24"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${size}" fill="#d0d7de">
${texts}</g>
</svg>
`;
}

const sixteen = ["#484f58", "#ff7b72", "#7ee787", "#f2cc60", "#79c0ff", "#d2a8ff", "#a5d6ff", "#d0d7de", "#8b949e", "#ffa198", "#7ee787", "#f2cc60", "#79c0ff", "#d2a8ff", "#a5d6ff", "#f0f6fc"];

function styleOf(cell) {
	let fill = "";
	if (cell.isFgRGB()) fill = "#" + cell.getFgColor().toString(16).padStart(6, "0");
	else if (cell.isFgPalette()) fill = sixteen[cell.getFgColor()] ?? "#b1bac4";
	else if (cell.isDim()) fill = "#8b949e";
	return (fill && ` fill="${fill}"`) + (cell.isBold() ? ' font-weight="bold"' : "") + (cell.isItalic() ? ' font-style="italic"' : "");
}

const model = await startModel(({ body, text }) => {
	const done = (body.messages ?? []).flatMap((m) => (Array.isArray(m.content) ? m.content : [])).filter((block) => block.type === "tool_result").length;
	const tool = (name) => (body.tools ?? []).some((one) => one.name === name) && done === 0;
	if (text.includes(asked) && tool("mcp__memory__memory_recall")) return { tool: "mcp__memory__memory_recall", input: { query: "When do releases go out, and who signs them off?" } };
	if (text.includes(asked) && done > 0 && !text.includes("never on Fridays")) throw new Error(`what was told is not recalled: ${text}`);
	if (text.includes(asked)) return { text: "Not today: you decided that releases go out on Tuesdays, never on Fridays. I'd prepare it now and ask Svenja to sign it off for Tuesday." };
	return { text: "Understood: Tuesdays, never Fridays, and Svenja signs off." };
});
env.ANTHROPIC_BASE_URL = model.url;
try {
	await run("git", ["init", "-q"]);
	await run("mcp-memory", ["install", "claude-code"]);
	const first = await on(told, /Understood/, margin);
	const second = await on(asked, /Not today/, first.y + 2 * high);
	const between = `<line x1="0" x2="100%" y1="${first.y + high}" y2="${first.y + high}" stroke="#484f58" stroke-dasharray="4"/>\n`;
	writeFileSync(file, picture(first.texts + between + second.texts, second.y));
} finally {
	model.close();
}
