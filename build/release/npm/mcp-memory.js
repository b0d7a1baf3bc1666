#!/usr/bin/env node
// Starts the program for this platform, which npm installed as an optional
// dependency of this package.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = process.platform === "win32" ? "mcp-memory.exe" : "mcp-memory";
const wanted = `@mcp-memory/${process.platform}-${process.arch}`;

let program;
try {
	program = require.resolve(`${wanted}/bin/${name}`);
} catch {
	process.stderr.write(
		`mcp-memory: ${wanted} is not installed. Either npm was told to leave out optional dependencies ` +
			`(install again without --omit=optional or --no-optional), or there is no package for this platform.\n`,
	);
	process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
	process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
	process.stderr.write(`mcp-memory: ${program} does not start: ${error.message}\n`);
	process.exit(1);
});
child.on("exit", (code, signal) => {
	process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : code);
});
