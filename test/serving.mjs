// Starts a server over HTTP for the scripts of this folder.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const patience = 20_000;

/**
 * Starts a program that says on stderr where it serves; resolves when it did.
 * What comes back has its url (of the endpoint /mcp) and kill(signal), which
 * resolves when the process is gone, to how it ended.
 */
export async function serve(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const gone = new Promise((resolve) => {
    child.on("close", (code, signal) => resolve(signal ?? code));
    child.on("error", (error) => resolve(error.message));
  });
  const said = [];
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${command} does not serve\n${said.join("\n")}`)), patience);
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      const [, address] = line.match(/serving MCP at (http\S+)/) ?? [];
      if (address) {
        clearTimeout(late);
        resolve(address);
      }
    });
    gone.then((how) => {
      clearTimeout(late);
      reject(new Error(`${command} ended: ${how}\n${said.join("\n")}`));
    });
  }).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
  return {
    url,
    said,
    kill(signal = "SIGTERM") {
      child.kill(signal);
      return gone;
    },
  };
}
