// A network of the family of BERT as a file of ONNX: a message of protobuf, of which
// only what is needed here is written. onnx.proto has the numbers of the fields.

// tensors reads a file of safetensors, values as float32.
export function tensors(file) {
	const length = Number(file.readBigUInt64LE(0));
	const header = JSON.parse(file.subarray(8, 8 + length).toString());
	const list = new Map();
	for (const [name, entry] of Object.entries(header)) {
		if (name === "__metadata__") continue;
		const bytes = file.subarray(8 + length + entry.data_offsets[0], 8 + length + entry.data_offsets[1]);
		let raw = bytes;
		if (entry.dtype === "BF16") { // the upper half of a float32
			raw = Buffer.alloc(bytes.length * 2);
			for (let i = 0; i < bytes.length / 2; i++) bytes.copy(raw, 4 * i + 2, 2 * i, 2 * i + 2);
		} else if (entry.dtype !== "F32") {
			throw new Error(`${name} is of the kind ${entry.dtype}`);
		}
		list.set(name, { shape: entry.shape, raw });
	}
	return list;
}

// network returns the file: from pieces and places, both of n whole numbers, to
// "hidden", n rows of hidden_size values.
export function network(config, weights) {
	const nodes = [], constants = [];
	const { hidden_size: width, num_attention_heads: heads } = config;
	let number = 0;
	const node = (kind, inputs, attributes = {}) => {
		const out = `v${number++}`;
		nodes.push({ kind, inputs, out, attributes });
		return out;
	};
	const constant = (name, type, shape, raw) => {
		constants.push(tensor(name, type, shape, raw));
		return name;
	};
	const weight = (name) => {
		const { shape, raw } = weights.get(name);
		return constant(name, FLOAT, shape, raw);
	};
	const whole = (name, values) => {
		const raw = Buffer.alloc(8 * values.length);
		values.forEach((x, i) => raw.writeBigInt64LE(BigInt(x), 8 * i));
		return constant(name, INT64, [values.length], raw);
	};
	const number32 = (name, x) => {
		const raw = Buffer.alloc(4);
		raw.writeFloatLE(x);
		return constant(name, FLOAT, [], raw);
	};
	const linear = (x, name) => node("Gemm", [x, weight(name + ".weight"), weight(name + ".bias")], { transB: 1 });
	const norm = (x, name) =>
		node("LayerNormalization", [x, weight(name + ".weight"), weight(name + ".bias")], { axis: -1, epsilon: { float: config.layer_norm_eps } });
	const activation = (x) => {
		switch (config.hidden_act) {
			case "gelu": return node("Gelu", [x]);
			case "gelu_new": return node("Gelu", [x], { approximate: "tanh" });
			case "relu": return node("Relu", [x]);
		}
		throw new Error(`the activation ${config.hidden_act}`);
	};

	whole("first", [0]);
	whole("split", [-1, heads, width / heads]);
	whole("joined", [-1, width]);
	number32("scale", 1 / Math.sqrt(width / heads));
	const kind = node("Gather", [weight("embeddings.token_type_embeddings.weight"), "first"]); // one row, for all
	let x = node("Gather", [weight("embeddings.word_embeddings.weight"), "pieces"]);
	x = node("Add", [x, node("Gather", [weight("embeddings.position_embeddings.weight"), "places"])]);
	x = norm(node("Add", [x, kind]), "embeddings.LayerNorm");
	for (let i = 0; i < config.num_hidden_layers; i++) {
		const at = `encoder.layer.${i}.`;
		// heads, then pieces, then values; of keys the last two are turned.
		const part = (name, order) => node("Transpose", [node("Reshape", [linear(x, `${at}attention.self.${name}`), "split"])], { perm: order });
		const scores = node("Mul", [node("MatMul", [part("query", [1, 0, 2]), part("key", [1, 2, 0])]), "scale"]);
		const mixed = node("MatMul", [node("Softmax", [scores], { axis: -1 }), part("value", [1, 0, 2])]);
		const joined = node("Reshape", [node("Transpose", [mixed], { perm: [1, 0, 2] }), "joined"]);
		x = norm(node("Add", [x, linear(joined, `${at}attention.output.dense`)]), `${at}attention.output.LayerNorm`);
		const inner = activation(linear(x, `${at}intermediate.dense`));
		x = norm(node("Add", [x, linear(inner, `${at}output.dense`)]), `${at}output.LayerNorm`);
	}
	nodes.push({ kind: "Identity", inputs: [x], out: "hidden", attributes: {} });
	const graph = message(
		...nodes.map((n) => field(1, encodeNode(n))), field(2, "bert"), ...constants.map((c) => field(5, c)),
		field(11, value("pieces", INT64, ["n"])), field(11, value("places", INT64, ["n"])), field(12, value("hidden", FLOAT, ["n", width])),
	);
	const operators = message(field(1, ""), field(2, 20));
	return message(field(1, 9), field(7, graph), field(8, operators));
}

const FLOAT = 1, INT64 = 7;

function tensor(name, type, shape, raw) {
	return message(...shape.map((n) => field(1, n)), field(2, type), field(8, name), field(9, raw));
}

function value(name, type, shape) {
	const dimensions = message(...shape.map((n) => field(1, message(typeof n === "string" ? field(2, n) : field(1, n)))));
	return message(field(1, name), field(2, message(field(1, message(field(1, type), field(2, dimensions))))));
}

function encodeNode({ kind, inputs, out, attributes }) {
	return message(...inputs.map((name) => field(1, name)), field(2, out), field(4, kind),
		...Object.entries(attributes).map(([name, x]) => field(5, attribute(name, x))));
}

function attribute(name, x) {
	const FLOATS = 1, INT = 2, STRING = 3, INTS = 7;
	if (Array.isArray(x)) return message(field(1, name), ...x.map((n) => field(8, n)), field(20, INTS));
	if (typeof x === "string") return message(field(1, name), field(4, x), field(20, STRING));
	if (typeof x === "object") {
		const raw = Buffer.alloc(4);
		raw.writeFloatLE(x.float);
		return message(field(1, name), Buffer.concat([varint((2 << 3) | 5), raw]), field(20, FLOATS));
	}
	return message(field(1, name), field(3, x), field(20, INT));
}

// field is a number, or a text, bytes or message with its length.
function field(number, x) {
	if (typeof x === "number") return Buffer.concat([varint(number << 3), varint(x)]);
	const bytes = Buffer.from(x);
	return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function message(...fields) {
	return Buffer.concat(fields);
}

function varint(x) {
	let n = BigInt.asUintN(64, BigInt(x));
	const bytes = [];
	for (; n >= 128n; n >>= 7n) bytes.push(Number(n & 127n) | 128);
	return Buffer.from([...bytes, Number(n)]);
}
