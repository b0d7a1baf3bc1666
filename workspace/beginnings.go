package workspace

// beginnings are what a standard file says before anybody wrote in it.
var beginnings = []struct{ name, text string }{
	{agentsFile, `# Instructions

Rules for the agent: how it works, conventions, commands, what it must never do.
Sessions are given what you write here. mcp-memory never changes this file.
`},
	{SoulFile, `# Soul

Who the agent is. Sessions are given what you write here. The marked section, once
there is one, says what the soul in the database says: reword, add or delete its lines.
`},
	{userFile, `# User

Who the agent works for: name, language, time zone, how to be addressed.
Sessions are given what you write here. mcp-memory never changes this file.
`},
	{MemoryFile, memoryBeginning},
	{HeartbeatFile, `# Heartbeat

What to look at from time to time, one task a line. Sessions are given these lines;
nothing runs them by itself. A line with a box, such as - [ ] Call the bank, is a to-do
and gets an id: tick it when it is done. mcp-memory changes no other line.
`},
	{ignoreFile, `# For those who keep this folder in Git. This file is yours; mcp-memory never changes it.
# What only this machine knows, locks, and files that are being written:
.mirror.json
.lock
.mirror.lock
memory/.lock
.*.draft
# Conversations word for word; take the line out to keep them:
sessions/
`},
}

const memoryBeginning = `# Memory

What is worth knowing in every session, here and in the database alike. A line with
an id at its end is a memory: reword it to correct the memory, delete it to set the
memory aside, with undo. A bullet that you add becomes a memory and gets an id. All
other text is yours alone, and sessions are given it as it is.
`

// beginningOf is what a standard file begins with, "" for any other file.
func beginningOf(name string) string {
	for _, b := range beginnings {
		if b.name == name {
			return b.text
		}
	}
	return ""
}

// formerBeginnings are what files of earlier versions began with, by their names. A
// text that changes above moves here: else in old files it would be taken for what a
// person wrote.
var formerBeginnings = map[string][]string{
	agentsFile: {`# Instructions

How the agent works: rules, conventions, commands, what it must never do.
This file is yours; mcp-memory never changes it.
`},
	SoulFile: {`# Soul

Who the agent is. Write what you like; the marked section, once there is one,
is kept by mcp-memory.
`},
	userFile: {`# User

Who the agent works for: name, language, time zone, how to be addressed.
This file is yours; mcp-memory never changes it.
`},
	MemoryFile: {`# Memory

What is worth knowing in every session. Lines with an id at their end come from
mcp-memory: reword, move or delete them as you like. Everything else is yours.
`},
	HeartbeatFile: {`# Heartbeat

What to look at from time to time without being asked, one task a line.
This file is yours; mcp-memory never changes it.
`, `# Heartbeat

What to look at from time to time, one task a line. Sessions are given these lines;
nothing runs them by itself. mcp-memory never changes this file.
`},
}
