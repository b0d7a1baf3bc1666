// Serves the packages of a folder as npm's registry does, and nothing else.
//
// node registry.mjs FOLDER prints its address, and serves until it is killed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const folder = process.argv[2];
const packages = new Map();
for (const file of readdirSync(folder)) {
	const manifest = JSON.parse(execFileSync("tar", ["-xzOf", join(folder, file), "package/package.json"]));
	packages.set(manifest.name, { file, manifest });
}
const server = createServer((request, response) => {
	const path = decodeURIComponent(request.url.slice(1));
	const base = `http://${request.headers.host}`;
	const found = packages.get(path);
	if (found) {
		const { file, manifest } = found;
		const tarball = readFileSync(join(folder, file));
		const dist = { tarball: `${base}/-/${file}`, integrity: "sha512-" + createHash("sha512").update(tarball).digest("base64") };
		response.setHeader("content-type", "application/json");
		response.end(
			JSON.stringify({
				name: manifest.name,
				"dist-tags": { latest: manifest.version },
				versions: { [manifest.version]: { ...manifest, dist } },
			}),
		);
	} else if (path.startsWith("-/") && readdirSync(folder).includes(path.slice(2))) {
		response.end(readFileSync(join(folder, path.slice(2))));
	} else {
		response.statusCode = 404;
		response.end("{}");
	}
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
