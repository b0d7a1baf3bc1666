// Validates JSON against a schema: node validate.mjs MODULES SCHEMA FILE
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [modules, schemaFile, file] = process.argv.slice(2);
const require = createRequire(modules + "/");
const schema = JSON.parse(readFileSync(schemaFile));
const Ajv = require(schema.$schema.includes("2020-12") ? "ajv/dist/2020.js" : "ajv").default;
const ajv = new Ajv({ strict: false, allErrors: true });
require("ajv-formats").default(ajv);
const valid = ajv.compile(schema);
if (!valid(JSON.parse(readFileSync(file)))) {
	for (const error of valid.errors) console.error(`${file}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
	process.exit(1);
}
