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

export const McpMemory = async ({ client, directory }) => {
  const shown = new Map() // what goes into the system prompt of a session: its start, and the last prompt's
  const about = (id) => ({ session_id: id, cwd: directory })

  const said = async (id) => {
    const answer = await client.session.messages({ path: { id } })
    return (answer.data ?? [])
      .map((m) => ({ id: m.info.id, role: m.info.role, text: textOf(m.parts), at: m.info.time?.created }))
      .filter((m) => m.text)
  }
  const save = async (event, id) => {
    try { await hook(event, { ...about(id), messages: await said(id) }, 60000) } catch {}
  }

  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      const texts = shown.get(id) ?? { start: await hook("session-start", { ...about(id), source: "startup" }, 10000), prompt: "" }
      const prompt = textOf(output.parts)
      if (prompt) texts.prompt = await hook("prompt", { ...about(id), prompt }, 5000)
      shown.set(id, texts)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const texts = shown.get(input.sessionID)
      if (texts) output.system.push(...[texts.start, texts.prompt].filter(Boolean))
    },
    "experimental.session.compacting": async (input) => {
      await save("pre-compact", input.sessionID)
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") await save("stop", event.properties.sessionID)
      if (event.type === "session.compacted") shown.delete(event.properties.sessionID)
      if (event.type === "session.deleted") {
        shown.delete(event.properties.info.id)
        await hook("session-end", about(event.properties.info.id), 10000)
      }
    },
  }
}
