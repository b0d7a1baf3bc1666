// Writes what ONNX Runtime makes of texts by models of the family of BERT:
//   node bert.mjs NODE_MODULES DIR TEXTS COUNT OUT
// DIR has a folder for each model (test/encoder/bert writes them), TEXTS a text a line.
// The pieces are those of the library tokenizers. The network is written down in the
// operators of ONNX, from config.json and model.safetensors.
import { createRequire } from "node:module";
import { readFileSync, readdirSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { network, tensors } from "./onnx.mjs";

const [modules, dir, from, count, to] = process.argv.slice(2);
const require = createRequire(join(modules, "x.js"));
const ort = require("onnxruntime-node");
const { Tokenizer } = require("@huggingface/tokenizers");

const lines = [...new Set(readFileSync(from, "utf8").split("\n"))].filter((line) => line.trim() !== "");
const texts = Array.from({ length: Math.min(count, lines.length) }, (_, i) => lines[Math.floor((i * lines.length) / Math.min(count, lines.length))]);

const made = {};
for (const name of readdirSync(dir)) {
	made[name] = await run(join(dir, name));
}
writeFileSync(to, JSON.stringify(made));

async function run(model) {
	const read = (file) => JSON.parse(readFileSync(join(model, file), "utf8"));
	const config = read("config.json");
	const pooling = read("1_Pooling/config.json");
	const most = read("sentence_bert_config.json").max_seq_length;
	const prefix = existsSync(join(model, "config_sentence_transformers.json")) ? read("config_sentence_transformers.json").prompts.query : "";
	const tokenizer = new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
	const session = await ort.InferenceSession.create(network(config, tensors(readFileSync(join(model, "model.safetensors")))), { graphOptimizationLevel: "disabled" });
	const around = tokenizer.encode("", { add_special_tokens: true }).ids;
	const firstPlace = config.model_type === "bert" ? 0 : config.pad_token_id + 1;
	const list = [];
	for (const text of texts) {
		const inner = tokenizer.encode(prefix + text, { add_special_tokens: false }).ids.slice(0, most - around.length);
		const pieces = [around[0], ...inner, around[1]];
		const whole = (values) => new ort.Tensor("int64", BigInt64Array.from(values, BigInt), [values.length]);
		const { hidden } = await session.run({ pieces: whole(pieces), places: whole(pieces.map((_, i) => firstPlace + i)) });
		list.push({ text, pieces, vector: pooled(hidden.data, pieces.length, config.hidden_size, pooling.pooling_mode_cls_token) });
	}
	return list;
}

// pooled is the mean of all pieces or the first one, of length 1.
function pooled(hidden, pieces, width, first) {
	const sum = new Array(width).fill(0);
	for (let i = 0; i < (first ? 1 : pieces); i++) {
		for (let c = 0; c < width; c++) sum[c] += hidden[i * width + c];
	}
	const length = Math.hypot(...sum);
	return sum.map((x) => x / length);
}
