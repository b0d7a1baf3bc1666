// Package transcripts reads what hosts wrote of their conversations: the turns of
// people, models and tools, and nothing of what the host or this program put in
// between. It knows no banks.
//
// # Forms
//
// Each line is told apart by itself until one is decisive; see [Formats] for the
// names. None of the hosts promises its form, so what is not known is passed
// over and counted, never an error.
//
//   - Claude Code: JSONL, a message or a part of one a line, below "message". Left
//     out are lines of sub-agents (isSidechain), the host's own (isMeta,
//     isCompactSummary) and all that are no messages.
//   - Codex: rollouts, JSONL with a payload. Left out are the developer's messages,
//     the first messages that the host writes as if the user had, the whole of a
//     sub-agent's file, and events, which repeat the messages.
//   - Gemini CLI: JSONL, in which a message comes again when it grew, or one JSON
//     object for the whole session.
//   - Copilot CLI: JSONL of events; messages and the ends of tool calls count.
//   - Cursor CLI: JSONL of messages without times or ids; the time stands in the
//     user's text.
//   - plain: {role, content, …} as chat APIs take it.
//
// # What is left of a turn
//
// What this program has injected is cut out (package injected), its own tools'
// calls too where [Options.Own] knows them, and so are the elements that hosts
// put into messages: reminders, notifications, the environment. A turn of which nothing is left is
// none. The result of a tool is a turn of its own, which begins with "Error: " if
// the call failed, and its speaker is the tool, where the call is known.
//
// # Again
//
// Every turn has an external id, the host's where it gives one, else one made of
// its place and content. So reading a file twice reports the same turns under the
// same ids. A growing file is read on from its [Mark]; see [Resume].
package transcripts
