// What is compared: how each program is started and called. MODELS has the files of the
// models that a program would fetch at first use.

import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

const text = (result) => result.content.map((part) => part.text ?? "").join("\n");
const json = (result) => JSON.parse(text(result));

// linked puts a model where a program of a home looks for it.
async function linked(home, from, ...to) {
  await mkdir(join(home, ...to.slice(0, -1)), { recursive: true });
  await symlink(from, join(home, ...to)).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

const longest = (question) => question.match(/[\w-]+/g).reduce((a, b) => (b.length > a.length ? b : a));

/**
 * The programs, in the order of the table. Each has
 *   command(home)      what starts it, in a home of its own
 *   save(fact, i)      name and arguments of the tool that saves a text
 *   search(question)   the same for a search that may give five results
 *   found(result)      the texts of a search's answer, the best first
 *   kept(call, home)   all texts that it has, as its own list or files tell
 * and may have home(home), which prepares the home, and same, if only what it is asked differs
 * from the one above.
 */
export function peers({ binary, modules, python, here, models, versions }) {
  const miniLM = join(models, "all-MiniLM-L6-v2");
  const python3 = (name, file) => join(python(name), "bin", file);
  const pinned = (name) => `${name} ${versions[name]}`;
  const graph = {
    name: pinned("@modelcontextprotocol/server-memory"),
    installed: [modules],
    model: "none",
    command: (home) => ({
      command: process.execPath,
      args: [join(modules, "@modelcontextprotocol/server-memory/dist/index.js")],
      env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") },
    }),
    save: (fact, i) => ["create_entities", { entities: [{ name: `note ${i}`, entityType: "note", observations: [fact] }] }],
    search: (query) => ["search_nodes", { query }],
    found: (result) => json(result).entities.slice(0, 5).map((e) => e.observations.join("\n")),
    kept: async (call) => json(await call("read_graph", {})).entities.map((e) => e.observations.join("\n")),
  };
  return [
    {
      name: "mcp-memory",
      installed: [binary],
      model: "in the program",
      command: (home) => ({ command: binary, args: ["serve", "--data-dir", join(home, "data")] }),
      save: (fact) => ["memory_save", { content: fact }],
      search: (query) => ["memory_recall", { query, limit: 5 }],
      found: (result) => result.structuredContent.results.map((r) => r.content),
      kept: (_, home) =>
        JSON.parse(execFileSync(binary, ["list", "--json", "--superseded", "--limit", "500", "--data-dir", join(home, "data")], { env: { HOME: home }, cwd: home })).items.map((r) => r.content),
    },
    graph,
    // It looks for the whole question in a text: what a model would ask may be one word.
    { ...graph, name: "– asked with the longest word", same: true, search: (query) => graph.search(longest(query)) },
    {
      name: pinned("basic-memory"),
      installed: [python("basic-memory")],
      model: "bge-small-en-v1.5, fetched at first use",
      home: (home) => linked(home, join(models, "fastembed"), ".basic-memory", "fastembed_cache"),
      command: () => ({ command: python3("basic-memory", "basic-memory"), args: ["mcp"] }),
      save: (fact, i) => ["write_note", { title: `note ${i}`, content: fact, directory: "facts" }],
      search: (query) => ["search_notes", { query, page_size: 5, output_format: "json" }],
      found: (result) => json(result).results.slice(0, 5).map((r) => r.content),
      // Its files are what counts; the index is made of them.
      kept: async (_, home) => (await readdir(join(home, "basic-memory", "facts"))).filter((name) => name.endsWith(".md")),
    },
    {
      name: pinned("mcp-memory-service-lite"),
      installed: [python("mcp-memory-service-lite")],
      model: "all-MiniLM-L6-v2, fetched at first use",
      home: (home) => linked(home, miniLM, ".cache", "mcp_memory", "onnx_models", "all-MiniLM-L6-v2"),
      command: () => ({ command: python3("mcp-memory-service-lite", "memory"), args: ["server"], env: { MCP_MEMORY_STORAGE_BACKEND: "sqlite_vec" } }),
      save: (fact) => ["memory_store", { content: fact }],
      search: (query) => ["memory_search", { query, limit: 5 }],
      found: (result) => text(result).split(/\n(?=\d+\. )/).slice(1, 6),
      kept: async (call) => json(await call("memory_list", { page: 1, page_size: 100 })).memories.map((m) => m.content),
    },
    {
      name: pinned("mempalace"),
      installed: [python("mempalace")],
      model: "all-MiniLM-L6-v2, fetched at first use",
      home: (home) => linked(home, miniLM, ".cache", "chroma", "onnx_models", "all-MiniLM-L6-v2"),
      command: () => ({ command: python3("mempalace", "mempalace-mcp"), args: [] }),
      save: (fact) => ["mempalace_add_drawer", { wing: "facts", room: "facts", content: fact }],
      search: (query) => ["mempalace_search", { query, limit: 5 }],
      found: (result) => json(result).results.map((r) => r.text),
      kept: async (call) => json(await call("mempalace_list_drawers", { limit: 100 })).drawers.map((d) => d.content_preview),
    },
    {
      name: `${pinned("mem0ai")}, its library without a chat model`,
      installed: [python("mem0ai")],
      model: "bge-small-en-v1.5, fetched at first use; a chat model with a key for what it is known for",
      noTools: true,
      command: (home) => ({ command: python3("mem0ai", "python3"), args: [join(here, "mem0_server.py"), join(home, "mem0")], env: { FASTEMBED_CACHE_PATH: join(models, "fastembed") } }),
      save: (fact) => ["add", { text: fact }],
      search: (query) => ["search", { query, limit: 5 }],
      found: (result) => json(result).results.map((r) => r.memory),
      kept: async (call) => json(await call("all", { limit: 1000 })).results.map((r) => r.memory),
    },
  ];
}
