// Calls the hooks of mcp-memory: the start page and what is remembered about a prompt go into the
// system prompt, what was said goes to the memory. A hook that fails changes nothing.
import { spawn } from "node:child_process"

const command = HOOK_COMMAND

function hook(event, payload, limit) {
  return new Promise((resolve) => {
    let out = ""
    const child = spawn(command[0], [...command.slice(1), event], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    const timer = setTimeout(() => { child.kill(); resolve("") }, limit)
    const done = () => {
      clearTimeout(timer)
      try { resolve(JSON.parse(out).additionalContext ?? "") } catch { resolve("") }
    }
    child.on("error", done)
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => { out += data })
    child.stdin.end(JSON.stringify({ host: "opencode", ...payload }))
  })
}

const textOf = (parts) => (parts ?? []).filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n").trim()

const short = (text) => (typeof text === "string" && text.length > 8000 ? text.slice(0, 4000) + "\n…\n" + text.slice(-4000) : text)

// callsOf are the calls of tools that have ended, in short.
const callsOf = (parts) =>
  (parts ?? []).filter((p) => p.type === "tool" && (p.state?.status === "completed" || p.state?.status === "error")).map((p) => {
    const exit = p.state.metadata?.exit
    const failed = p.state.status === "error" ? p.state.error : exit ? `Exit code ${exit}\n${p.state.output}` : undefined
    const args = Object.fromEntries(Object.entries(p.state.input ?? {}).map(([name, value]) => [name, short(value)]))
    return { id: p.callID, name: p.tool, arguments: args, ...(failed === undefined ? { result: short(p.state.output) } : { error: short(failed) }) }
  })

export const McpMemory = async ({ client, directory }) => {
  const shown = new Map() // by session, what goes into its system prompt; nothing is shown twice, so all of it stays
  const inputs = new Map() // by call, what a tool was given
  const sent = new Set() // calls that were saved
  const about = (id) => ({ session_id: id, cwd: directory })

  const said = async (id) => {
    const answer = await client.session.messages({ path: { id } })
    return (answer.data ?? [])
      .map((m) => ({ id: m.info.id, role: m.info.role, text: textOf(m.parts), at: m.info.time?.created, calls: callsOf(m.parts).filter((c) => !sent.has(c.id)) }))
      .filter((m) => m.text || m.calls.length)
  }
  const save = async (event, id) => {
    try {
      const messages = await said(id)
      await hook(event, { ...about(id), messages }, 60000)
      for (const m of messages) for (const c of m.calls) sent.add(c.id)
    } catch {}
  }

  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      if (!shown.has(id)) shown.set(id, [await hook("session-start", { ...about(id), source: "startup" }, 10000)])
      const prompt = textOf(output.parts)
      if (prompt) shown.get(id)?.push(await hook("prompt", { ...about(id), prompt }, 5000))
    },
    "experimental.chat.system.transform": async (input, output) => {
      output.system.push(...(shown.get(input.sessionID) ?? []).filter(Boolean))
    },
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
      await hook("tool-done", { ...about(input.sessionID), tool_name: input.tool, tool_use_id: input.callID, tool_input, tool_response }, 5000)
    },
    "experimental.session.compacting": async (input) => {
      await save("pre-compact", input.sessionID)
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") await save("stop", event.properties.sessionID)
      if (event.type === "session.compacted") {
        const id = event.properties.sessionID
        shown.set(id, [await hook("session-start", { ...about(id), source: "compact" }, 10000)])
      }
      const part = event.properties?.part
      if (event.type === "message.part.updated" && part?.type === "tool" && part.state?.status === "error") {
        const call = { tool_name: part.tool, tool_use_id: part.callID, tool_input: part.state.input, error: part.state.error }
        await hook("tool-failed", { ...about(part.sessionID), ...call }, 5000)
      }
      if (event.type === "session.deleted") {
        shown.delete(event.properties.info.id)
        await hook("session-end", about(event.properties.info.id), 10000)
      }
    },
  }
}
