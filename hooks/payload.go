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

// Call is what a host said when it called a hook, independent of the host's
// names for it. A field that the host did not send is empty. A Call is of
// limited size, whatever was sent, and can be passed on as JSON.
type Call struct {
	Host       string    `json:"host"`
	Event      Event     `json:"event"`
	Name       string    `json:"name"` // the host's name of the event
	Session    string    `json:"session"`
	Transcript string    `json:"transcript,omitempty"` // path of a file
	Dir        string    `json:"dir,omitempty"`        // the host's working directory
	Source     string    `json:"source,omitempty"`     // why it starts, or where the prompt is from
	Reason     string    `json:"reason,omitempty"`     // why the session ends
	Prompt     string    `json:"prompt,omitempty"`
	Last       string    `json:"last,omitempty"`  // what the model said last
	Agent      string    `json:"agent,omitempty"` // id of the sub-agent that the call is about
	Tool       ToolCall  `json:"tool,omitzero"`
	Messages   []Message `json:"messages,omitempty"` // from hosts that send the conversation
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

// Message is a message of a conversation, as a host's plug-in sends it.
type Message struct {
	ID   string      `json:"id"`
	Role memory.Role `json:"role"`
	Text string      `json:"text"`
	At   time.Time   `json:"at,omitzero"`
	// Calls are the tool calls of the message with their results, in the format
	// of [transcripts.Plain]; nil for none.
	Calls json.RawMessage `json:"calls,omitempty"`
}

// Bounds on what is kept of a payload, in bytes.
const (
	maxText     = 64 << 10 // of a prompt or an answer: the middle of a longer one is cut out
	maxError    = 4 << 10
	maxInput    = 16 << 10
	maxPath     = 4 << 10
	maxCalls    = 2 << 20 // of the tool calls of all messages
	maxMessages = 200     // number of messages, the last ones
)

// Decode decodes the payload of a hook. host, if it is the name of a known host,
// and event, if it is not empty, override what the payload says; only VS Code is
// recognised even under the name of Claude Code. ok is false if the payload is
// not a JSON object, or if no host is recognised and event is empty: then there is
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
		h = other // VS Code runs the hooks in Claude Code's settings
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
	if inner := f.inner(); c.Prompt == "" && inner != nil { // old versions of Cline nest it
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

// unquote removes the quotation marks around what the user says, for a host
// that passes on an argument of its command line as it is quoted for a shell.
func (c *Call) unquote() {
	c.Prompt = unquoted(c.Prompt)
	for i, m := range c.Messages {
		if m.Role == memory.RoleUser {
			c.Messages[i].Text = unquoted(m.Text)
		}
	}
}

// unquoted returns text without quotation marks around the whole of it. If it
// has others inside that are not escaped, it is left as it is: it begins and
// ends with quotations.
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

// sessionName returns the name of a call's session in a form that a bank
// accepts.
func sessionName(name string, c Call) string {
	if memory.CheckLine("session", name, memory.MaxNameBytes) != nil {
		return c.Host + "-" + memory.SessionTag(name)
	}
	return strings.TrimSpace(name)
}

// fields are the top-level fields of a payload, or of an object in it.
type fields map[string]json.RawMessage

func (f fields) has(name string) bool {
	v, ok := f[name]
	return ok && string(v) != "null"
}

// text returns the first of the fields that is a non-empty string, a number or
// a boolean, as text.
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

// event returns the host's name of the event.
func (f fields) event() string {
	return clean(f.text("hook_event_name", "hookEventName", "event", "hookName", "event_name"), memory.MaxNameBytes)
}

// inner returns the object in the field with the name of the event, such as
// taskStart for the event TaskStart.
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

// path returns a field with a path as it is, or "" if it cannot be a path.
func (f fields) path(names ...string) string {
	p := f.text(names...)
	if len(p) > maxPath || strings.ContainsRune(p, 0) {
		return ""
	}
	return p
}

// first returns the first text of a field with a list of texts.
func (f fields) first(names ...string) string {
	for _, name := range names {
		var list []string
		if json.Unmarshal(f[name], &list) == nil && len(list) > 0 && len(list[0]) <= maxPath {
			return list[0]
		}
	}
	return ""
}

// moment returns a time that is given in RFC 3339 or in milliseconds since
// 1970.
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

// messages returns the messages that a host's plug-in sends.
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

// tool returns the tool call that a payload is about, and why it failed.
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

// asObject returns v if it is a JSON object, or the object that the JSON string
// v holds, else nil.
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

// said returns a JSON string, or the message in a JSON object.
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

// failure returns why a call failed, according to its result; "" if it did not
// fail.
func failure(v json.RawMessage) string {
	var f fields
	if v = asObject(v); v == nil || json.Unmarshal(v, &f) != nil {
		return ""
	}
	if why := said(f["error"]); why != "" {
		return why
	}
	var meta fields
	_ = json.Unmarshal(f["metadata"], &meta) // an absent field is fine
	code := cmp.Or(f.text("exit_code", "exitCode"), meta.text("exit_code", "exitCode"))
	failed := code != "" && code != "0" || f.text("success") == "false" || f.text("is_error", "isError") == "true" ||
		f.text("resultType") == "failure"
	if !failed {
		return ""
	}
	return cmp.Or(f.text("stderr", "textResultForLlm", "output", "stdout", "llmContent", "returnDisplay", "content"), "exit code "+code)
}

// clean returns text in a form that a bank accepts, with at most about limit
// bytes. The middle of a longer text is cut out.
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
