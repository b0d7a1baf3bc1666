// The hosts that are tried: where their program is in node_modules, the files that must come
// back byte for byte (and how they begin), how they list servers, and how they hold a session with
// another model.

import { join } from "node:path";

const { platform, arch } = process;

export const hosts = [
  {
    id: "claude-code",
    command: "claude",
    program: (modules) => join(modules, `@anthropic-ai/claude-code-${platform}-${arch}/claude`),
    files: [".claude/settings.json"], // .claude.json it rewrites at each start
    begins: {
      ".claude/settings.json":
        '{\n    "theme": "dark",\n    "hooks": {\n        "SessionStart": [\n            {"matcher": "startup", "hooks": [{"type": "command", "command": "true"}]}\n        ]\n    }\n}\n',
    },
    // Tools that the model has to search for first are more than a script wants to know.
    env: { DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
    list: ["mcp", "list"],
    lists: /memory: .*mcp-memory serve.*Connected/,
    connects: true,
    reader: () => "claude -p --model haiku",
    session(home, url) {
      return {
        command: "claude",
        args: (prompt) => ["-p", prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "mcp__memory__*"],
        env: { ...this.env, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-api03-scripted" },
      };
    },
  },
  {
    id: "codex",
    command: "codex",
    program: (modules) => join(modules, "@openai/codex/bin/codex.js"),
    files: [".codex/config.toml", ".codex/hooks.json"],
    begins: {
      ".codex/config.toml":
        '# mine\nmodel = "gpt-5"   # of the script\nmodel_provider = "script"\n\n[model_providers.script]\nname = "script"\nbase_url = "http://127.0.0.1:9/v1"\nwire_api = "responses"\nenv_key = "SCRIPT_KEY"\n\n\n[mcp_servers.other]\ncommand = "true"\nenabled = false\n',
    },
    list: ["mcp", "list"],
    lists: /memory .*mcp-memory +serve .*enabled/,
    // What reads takes no settings of the user's, so it has to be told of the script.
    reader: (url) => `codex exec -c 'model_provider="script"' -c 'model_providers.script={name="script",base_url="${url}/v1",wire_api="responses",env_key="SCRIPT_KEY"}'`,
    session(home, url) {
      return {
        command: "codex",
        // Nobody can approve hooks without a terminal: the flag is for this one run.
        args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-c", `model_providers.script.base_url="${url}/v1"`, prompt],
        env: { SCRIPT_KEY: "scripted" },
      };
    },
  },
  {
    id: "gemini",
    command: "gemini",
    program: (modules) => join(modules, "@google/gemini-cli/bundle/gemini.js"),
    files: [".gemini/settings.json"],
    begins: {
      ".gemini/settings.json":
        '{\n  // mine\n  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},\n  "privacy": {"usageStatisticsEnabled": false}, /* and no more */\n  "general": {"enableAutoUpdate": false}\n}\n',
    },
    env: { GEMINI_API_KEY: "scripted" },
    list: ["mcp", "list"],
    lists: /memory: .*mcp-memory serve \(stdio\) - Connected/,
    connects: true,
    reader: () => "gemini -m gemini-2.5-flash",
    session(home, url) {
      return {
        command: "gemini",
        args: (prompt) => ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", prompt],
        env: { ...this.env, GOOGLE_GEMINI_BASE_URL: url },
      };
    },
  },
  {
    id: "opencode",
    command: "opencode",
    program: (modules) => join(modules, `opencode-${platform}-${arch}/bin/opencode`),
    files: [".config/opencode/opencode.jsonc", ".config/opencode/plugins/mcp-memory.js"],
    begins: {
      ".config/opencode/opencode.jsonc":
        '// mine\n{\n  "$schema": "https://opencode.ai/config.json",\n  "model": "script/one", // of the script\n  "provider": {\n    "script": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "{env:SCRIPT_URL}", "apiKey": "scripted"}, "models": {"one": {"name": "one"}}},\n  },\n}\n',
    },
    env: {
      SCRIPT_URL: "http://127.0.0.1:9/v1", OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
    list: ["mcp", "list"],
    lists: /memory.*connected/,
    plugin: true, // instead of hooks
    connects: true,
    session(home, url) {
      return { command: "opencode", args: (prompt) => ["run", prompt], env: { ...this.env, SCRIPT_URL: url + "/v1" } };
    },
  },
  {
    id: "copilot-cli", // a session needs a login
    command: "copilot",
    program: (modules) => join(modules, "@github/copilot/npm-loader.js"),
    files: [".copilot/mcp-config.json", ".copilot/hooks/mcp-memory.json"],
    begins: { ".copilot/mcp-config.json": '{\n  "mcpServers": {\n    "other": {"type": "local", "command": "true", "args": [], "tools": ["*"]}\n  }\n}' },
    list: ["mcp", "list"],
    lists: /memory \(local\)/,
  },
];
