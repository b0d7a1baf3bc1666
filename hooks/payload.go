package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

// Call is what a host said when it called a hook, whatever its names for it. A
// field that it does not send is empty. It is small, whatever was sent, and can be handed on as JSON.
type Call struct {
	Host       string    `json:"host"`
	Event      Event     `json:"event"`
	Name       string    `json:"name"` // the event's, as the host has it
	Session    string    `json:"session"`
	Transcript string    `json:"transcript,omitempty"` // path of a file
	Dir        string    `json:"dir,omitempty"`        // the host's working directory
	Source     string    `json:"source,omitempty"`     // why it starts, or where the prompt is from
	Reason     string    `json:"reason,omitempty"`     // why it ends
	Prompt     string    `json:"prompt,omitempty"`
	Last       string    `json:"last,omitempty"`  // what the model said last
	Agent      string    `json:"agent,omitempty"` // the sub-agent that it is about
	Tool       ToolCall  `json:"tool,omitzero"`
	Messages   []Message `json:"messages,omitempty"` // of hosts that send what was said
	At         time.Time `json:"at,omitzero"`
}

// ToolCall is a call of a tool.
type ToolCall struct {
	ID          string          `json:"id,omitempty"`
	Name        string          `json:"name,omitempty"`
	Input       json.RawMessage `json:"input,omitempty"`
	Error       string          `json:"error,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"`
}

// Message is a message of a conversation.
type Message struct {
	ID   string      `json:"id"`
	Role memory.Role `json:"role"`
	Text string      `json:"text"`
	At   time.Time   `json:"at,omitzero"`
	// Calls are the calls of tools that it made and what they brought, as a message of
	// [transcripts.Plain] has them; nil for none.
	Calls json.RawMessage `json:"calls,omitempty"`
}

// Bounds on what is kept of a payload, in bytes.
const (
	maxText     = 64 << 10 // of a prompt or an answer: of a longer one the beginning and the end
	maxError    = 4 << 10
	maxInput    = 16 << 10
	maxPath     = 4 << 10
	maxCalls    = 2 << 20 // of the calls of all messages
	maxMessages = 200
)

// Decode reads what a host sent. host and event, where they are not empty, go
// before what it says itself. ok is false for what no host sends: then there is
// nothing to do.
func Decode(payload []byte, host, event string) (c Call, ok bool) {
	var f fields
	payload = bytes.TrimPrefix(bytes.TrimSpace(payload), []byte("\xEF\xBB\xBF"))
	if len(payload) > 0 && json.Unmarshal(payload, &f) != nil {
		return Call{}, false
	}
	h, known := hostNamed(host)
	if !known {
		if h, known = hostOf(f); !known && event == "" {
			return Call{}, false
		}
	} else if other, ok := hostOf(f); ok && h.Name == "claude-code" && other.Name == "vscode" {
		h = other // it runs the hooks of Claude Code's settings
	}
	c = Call{
		Host: h.Name, Name: cmp.Or(f.event(), event), Transcript: f.path("transcript_path", "transcriptPath", "agent_transcript_path"),
		Dir:    f.path("cwd", "working_dir", "workingDirectory", "directory"),
		Source: f.short("source"), Reason: f.short("reason", "stopReason"),
		Prompt: f.long("prompt", "task", "user_prompt", "userPrompt"),
		Last:   f.long("last_assistant_message", "prompt_response", "lastAssistantMessage", "text"),
		Agent:  f.short("agent_id", "agentId"), At: f.moment("timestamp"),
	}
	c.Event = eventNamed(cmp.Or(event, c.Name))
	if c.Event == Prompt && c.Prompt == "" {
		c.Prompt = f.long("message")
	}
	if inner := f.inner(); c.Prompt == "" && inner != nil { // old Cline nests what an event has
		c.Prompt = inner.long("prompt", "task", "initialTask")
	}
	if c.Dir == "" {
		c.Dir = f.first("workspace_roots", "workspaceRoots")
	}
	c.Session = sessionName(f.short("session_id", "sessionId", "conversation_id", "conversationId", "taskId", "sessionID"), c)
	c.Messages = f.messages()
	if h.quotes {
		c.unquote()
	}
	c.Tool = f.tool()
	if c.Event == ToolDone && c.Tool.Error != "" {
		c.Event = ToolFailed
	}
	return c, true
}

// unquote takes what the user says out of the quotation marks of a host that hands on
// an argument of its command line as a shell would want it.
func (c *Call) unquote() {
	c.Prompt = unquoted(c.Prompt)
	for i, m := range c.Messages {
		if m.Role == memory.RoleUser {
			c.Messages[i].Text = unquoted(m.Text)
		}
	}
}

// unquoted is a text that as a whole is between quotation marks without them. One
// with other marks in it that are not escaped is left as it is: it has two quotes.
func unquoted(text string) string {
	whole := strings.TrimSpace(text)
	if len(whole) < 2 || whole[0] != '"' || whole[len(whole)-1] != '"' {
		return text
	}
	inner := whole[1 : len(whole)-1]
	if strings.Contains(strings.ReplaceAll(inner, `\"`, ""), `"`) {
		return text
	}
	return strings.ReplaceAll(inner, `\"`, `"`)
}

// sessionName is the name of a call's session as a bank takes it.
func sessionName(name string, c Call) string {
	if memory.CheckLine("session", name, memory.MaxNameBytes) != nil {
		return c.Host + "-" + memory.SessionTag(name)
	}
	return strings.TrimSpace(name)
}

// fields are those of a payload.
type fields map[string]json.RawMessage

func (f fields) has(name string) bool {
	v, ok := f[name]
	return ok && string(v) != "null"
}

// text is the first of some fields that is a text, a number or true or false.
func (f fields) text(names ...string) string {
	for _, name := range names {
		var s string
		switch v := f[name]; {
		case len(v) == 0:
		case v[0] == '"':
			if json.Unmarshal(v, &s) == nil && s != "" {
				return s
			}
		case v[0] == '{', v[0] == '[', string(v) == "null":
		default:
			return string(v)
		}
	}
	return ""
}

// event is the name by which the host calls the event.
func (f fields) event() string {
	return clean(f.text("hook_event_name", "hookEventName", "event", "hookName", "event_name"), memory.MaxNameBytes)
}

// inner is what a field of the event's own name holds, such as taskStart of the
// event TaskStart.
func (f fields) inner() (inner fields) {
	name := f.event()
	if name == "" {
		return nil
	}
	if json.Unmarshal(f[strings.ToLower(name[:1])+name[1:]], &inner) != nil {
		return nil
	}
	return inner
}

func (f fields) short(names ...string) string { return clean(f.text(names...), memory.MaxNameBytes) }

func (f fields) long(names ...string) string { return clean(f.text(names...), maxText) }

// path is a field with a path, with slashes as they are.
func (f fields) path(names ...string) string {
	p := f.text(names...)
	if len(p) > maxPath || strings.ContainsRune(p, 0) {
		return ""
	}
	return p
}

// first is the first of the texts in a field.
func (f fields) first(names ...string) string {
	for _, name := range names {
		var list []string
		if json.Unmarshal(f[name], &list) == nil && len(list) > 0 && len(list[0]) <= maxPath {
			return list[0]
		}
	}
	return ""
}

// moment is a time in RFC 3339 or in milliseconds.
func (f fields) moment(name string) time.Time {
	text := f.text(name)
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && ms > 1e11 && ms < 1e14 {
		return time.UnixMilli(ms)
	}
	return time.Time{}
}

// messages are those that a host's plug-in sends.
func (f fields) messages() (list []Message) {
	var sent []struct {
		ID, Role, Text, Content string
		At, Calls               json.RawMessage
	}
	if json.Unmarshal(f["messages"], &sent) != nil {
		return nil
	}
	room := maxCalls
	for _, m := range sent[max(0, len(sent)-maxMessages):] {
		one := Message{ID: clean(m.ID, memory.MaxNameBytes), Role: memory.Role(m.Role), Text: clean(cmp.Or(m.Text, m.Content), maxText),
			At: fields{"at": m.At}.moment("at")}
		if bytes.HasPrefix(m.Calls, []byte("[{")) && len(m.Calls) <= room {
			one.Calls = m.Calls
			room -= len(m.Calls)
		}
		if one.ID != "" && (strings.TrimSpace(one.Text) != "" || one.Calls != nil) &&
			(one.Role == memory.RoleUser || one.Role == memory.RoleAssistant) {
			list = append(list, one)
		}
	}
	return list
}

// tool is the call that a payload is about, and why it failed.
func (f fields) tool() ToolCall {
	t := ToolCall{
		ID: f.short("tool_use_id", "toolUseId", "tool_call_id", "toolCallId"), Name: f.short("tool_name", "toolName"),
		Interrupted: f.text("is_interrupt", "isInterrupt") == "true",
	}
	for _, name := range []string{"tool_input", "toolInput", "toolArgs", "tool_args"} {
		if v := asObject(f[name]); v != nil && len(v) <= maxInput {
			t.Input = v
			break
		}
	}
	t.Error = clean(cmp.Or(said(f["error"]), f.text("error_message", "errorMessage"), failure(f["tool_response"]), failure(f["toolResult"]),
		failure(f["tool_result"]), failure(f["tool_output"])), maxError)
	return t
}

// asObject is a JSON object, as itself or as text, else nil.
func asObject(v json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(v, &s) == nil {
		v = json.RawMessage(strings.TrimSpace(s))
	}
	if len(v) == 0 || v[0] != '{' || !json.Valid(v) {
		return nil
	}
	return v
}

// said is a text, or that of an object with a message.
func said(v json.RawMessage) string {
	f := fields{"v": v}
	if s := f.text("v"); s != "" && s != "false" && s != "true" {
		return s
	}
	var inner fields
	if json.Unmarshal(v, &inner) != nil {
		return ""
	}
	return inner.text("message", "error", "name")
}

// failure says why a call failed, out of what it brought; "" of one that did not.
func failure(v json.RawMessage) string {
	var f fields
	if v = asObject(v); v == nil || json.Unmarshal(v, &f) != nil {
		return ""
	}
	if why := said(f["error"]); why != "" {
		return why
	}
	var meta fields
	_ = json.Unmarshal(f["metadata"], &meta) // not there is fine
	code := cmp.Or(f.text("exit_code", "exitCode"), meta.text("exit_code", "exitCode"))
	failed := code != "" && code != "0" || f.text("success") == "false" || f.text("is_error", "isError") == "true" ||
		f.text("resultType") == "failure"
	if !failed {
		return ""
	}
	return cmp.Or(f.text("stderr", "textResultForLlm", "output", "stdout", "llmContent", "returnDisplay", "content"), "exit code "+code)
}

// clean is a text as a bank takes it, of at most so many bytes: of a longer one
// the beginning and the end.
func clean(text string, limit int) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
	if len(text) <= limit {
		return text
	}
	head, tail := text[:limit*2/3], text[len(text)-limit/4:]
	for len(head) > 0 && !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + " … " + tail
}
