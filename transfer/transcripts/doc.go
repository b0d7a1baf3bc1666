// Package transcripts reads the transcripts that hosts write of conversations. It returns the turns
// of users, models and tools, without what the host or this program has added. It knows nothing of
// banks.
//
// # Formats
//
// The format is recognised by the first line that only one host writes; see [Formats]. No host
// guarantees its format, so unknown lines are skipped and counted, and are not errors.
//
//   - Claude Code: JSONL. A line has a message or a part of one in "message". Lines
//     of sub-agents (isSidechain), the host's own (isMeta, isCompactSummary) and
//     lines without a message are left out.
//   - Codex: rollouts, JSONL with a payload. Left out are the developer's messages,
//     the first messages, which the host writes in the user's name, whole files of
//     sub-agents, and events, which repeat the messages.
//   - Gemini CLI: JSONL, in which a message is repeated when it has grown, or one
//     JSON object for the whole session.
//   - Copilot CLI: JSONL of events, of which messages and ends of tool calls are read.
//   - Cursor CLI: JSONL of messages without times and ids. The user's text contains
//     the time.
//   - plain: {role, content, …}, as in chat APIs.
//
// # What a turn contains
//
// What this program has injected (package injected) is removed, and so are the elements that hosts
// put into messages: reminders, notifications, the environment. Calls of this program's own tools
// are left out if [Options.Own] is set. A turn that is empty then is dropped. The result of a tool
// is a turn of its own. It begins with "Error: " if the call failed, and its speaker is the tool,
// if the call is known.
//
// # Repeated reading
//
// Every turn has an external id: the host's, or else one made of its place and content. So reading
// a file again gives the same turns the same ids. A growing file is read on from its [Mark]; see
// [Resume].
package transcripts
