// Plug-in of mcp-memory for OpenCode: shows what is remembered, and hands on what was said.
// It goes to ~/.config/opencode/plugins/; `mcp-memory install opencode` puts it there.
import { spawn } from "node:child_process"

const COMMAND = "mcp-memory"

// call runs a hook and returns the text that it wants shown, "" for none. It never fails.
function call(directory, event, session, more, patience) {
  return new Promise((resolve) => {
    try {
      const child = spawn(COMMAND, ["hook", "--host", "opencode"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      const timer = setTimeout(() => { child.kill(); resolve("") }, patience)
      let out = ""
      child.stdout.on("data", (part) => { out += part })
      child.on("error", () => { clearTimeout(timer); resolve("") })
      child.on("close", () => {
        clearTimeout(timer)
        try { resolve(JSON.parse(out).additionalContext ?? "") } catch { resolve("") }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ host: "opencode", event, session_id: session, cwd: directory, ...more }))
    } catch { resolve("") }
  })
}

const words = (parts) => (parts ?? []).filter((p) => p.type === "text" && !p.synthetic && !p.ignored).map((p) => p.text).join("\n")

export const McpMemory = async ({ client, directory }) => {
  const shown = new Map() // by session: texts that stay in its system prompt
  const inputs = new Map() // by call: what a tool was given
  let latest = ""

  const begin = async (session, source) => {
    const text = await call(directory, "SessionStart", session, { source }, 10000)
    shown.set(session, text ? [text] : [])
  }
  const told = async (session) => {
    const answer = await client.session.messages({ path: { id: session } })
    return (answer.data ?? []).slice(-100).map(({ info, parts }) => ({ id: info.id, role: info.role, text: words(parts), at: info.time?.created }))
  }
  const finish = async (event, session) => {
    let messages = []
    try { messages = await told(session) } catch {}
    await call(directory, event, session, { messages }, 10000)
  }

  return {
    "chat.message": async (input, output) => {
      latest = input.sessionID
      if (!shown.has(latest)) await begin(latest, "startup")
      const text = await call(directory, "UserPromptSubmit", latest, { prompt: words(output.parts) }, 1000)
      if (text) shown.get(latest).push(text)
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const text of shown.get(input?.sessionID ?? latest) ?? []) output.system.push(text)
    },
    "experimental.session.compacting": async (input) => finish("PreCompact", input.sessionID),
    "tool.execute.before": async (input, output) => {
      if (inputs.size > 500) inputs.clear()
      inputs.set(input.callID, output.args)
    },
    "tool.execute.after": async (input, output) => {
      const tool_input = inputs.get(input.callID) ?? input.args
      inputs.delete(input.callID)
      const exit = output?.metadata?.exit
      if (typeof exit !== "number" || exit === 0) return
      const tool_response = { exit_code: exit, output: output.output }
      await call(directory, "PostToolUse", input.sessionID, { tool_name: input.tool, tool_use_id: input.callID, tool_input, tool_response }, 1000)
    },
    event: async ({ event }) => {
      const p = event.properties ?? {}
      if (event.type === "session.idle") await finish("Stop", p.sessionID)
      if (event.type === "session.compacted") await begin(p.sessionID, "compact")
      if (event.type === "session.deleted" && p.info?.id) {
        shown.delete(p.info.id)
        await call(directory, "SessionEnd", p.info.id, {}, 10000)
      }
      const part = p.part
      if (event.type === "message.part.updated" && part?.type === "tool" && part.state?.status === "error") {
        const more = { tool_name: part.tool, tool_use_id: part.callID, tool_input: part.state.input, error: part.state.error }
        await call(directory, "PostToolUseFailure", part.sessionID, more, 1000)
      }
    },
  }
}
