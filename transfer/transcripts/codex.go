package transcripts

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/transfer/jsonl"
)

// codexLine is a line of a rollout. In the older form, the line itself is what is now the payload.
type codexLine struct {
	Timestamp jsonl.Moment    `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

// codexItem is a payload: the session's head, a message, a call, or its output.
type codexItem struct {
	Type      string          `json:"type"`
	ID        jsonl.Name      `json:"id"`
	SessionID jsonl.Name      `json:"session_id"`
	Cwd       string          `json:"cwd"`
	Source    json.RawMessage `json:"source"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Message   json.RawMessage `json:"message"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
	CallID    string          `json:"call_id"`
	Output    json.RawMessage `json:"output"`
}

func (d *reading) codexLine(line []byte) ([]memory.Turn, error) {
	var l codexLine
	if err := jsonl.DecodeKnown(line, &l); err != nil {
		return nil, err
	}
	if l.Type == "event_msg" || l.Type == "compacted" {
		return nil, nil
	}
	if len(l.Payload) == 0 || l.Payload[0] != '{' {
		l.Payload = line
	}
	var item codexItem
	if err := jsonl.DecodeKnown(l.Payload, &item); err != nil {
		return nil, err
	}
	t := memory.Turn{SaidAt: l.Timestamp.Time, Details: &memory.TurnDetails{}}
	switch {
	case l.Type == "session_meta":
		d.codexSession(item)
		return nil, nil
	case l.Type == "turn_context":
		d.begin("", item.Cwd)
		return nil, nil
	case l.Type == "" && item.Type == "" && item.Role == "" && item.ID != "": // first line of the older form
		d.begin(string(item.ID), item.Cwd)
		return nil, nil
	}
	d.begin("", "")
	t.Session = d.state.Session
	return d.codexTurns(t, item)
}

// codexSession takes the session's head. A forked session also contains the heads of its ancestors
// after its own, which are ignored.
func (d *reading) codexSession(item codexItem) {
	if d.state.Headed {
		return
	}
	d.state.Headed = true
	d.begin(string(cmp.Or(item.ID, item.SessionID)), item.Cwd)
	d.state.Sub = strings.Contains(string(item.Source), `"subagent"`)
}

func (d *reading) codexTurns(t memory.Turn, item codexItem) ([]memory.Turn, error) {
	switch kind := item.Type; {
	case kind == "message", kind == "" && item.Role != "":
		if item.Role != "user" && item.Role != "assistant" {
			return nil, nil // role developer: instructions, and what hooks injected
		}
		t.Role = memory.Role(item.Role)
		t.Content = codexText(item.Content, t.Role)
	case kind == "" && item.Message != nil:
		t.Role, t.Content = memory.RoleUser, text(item.Message)
	case strings.HasSuffix(kind, "_call_output"):
		output, failed := codexOutput(item.Output)
		r, own := d.result(t, outputID(item.CallID), item.CallID, output, failed)
		if own {
			return nil, nil
		}
		return []memory.Turn{r}, nil
	case kind == "function_call", kind == "custom_tool_call", kind == "local_shell_call":
		arguments := object(item.Arguments, item.Input, item.Action)
		if arguments == nil && len(item.Input) > 0 {
			arguments, _ = json.Marshal(map[string]json.RawMessage{"input": item.Input})
		}
		name := cmp.Or(item.Name, strings.TrimSuffix(kind, "_call"))
		if item.Namespace != "" {
			name = item.Namespace + "__" + name
		}
		t.Role, t.ExternalID = memory.RoleAssistant, callID(item.CallID)
		t.Details.ToolCalls = []memory.ToolCall{{ID: item.CallID, Name: name, Arguments: arguments}}
	default: // such as reasoning, which is encrypted
		return nil, nil
	}
	return []memory.Turn{t}, nil
}

// callID and outputID return the external ids of the turns of a call and of its output.
func callID(call string) string {
	if call == "" {
		return ""
	}
	return call + "/call"
}

func outputID(call string) string {
	if call == "" {
		return ""
	}
	return call + "/output"
}

// codexText returns the text of a message. Parts of a user's message that the host wrote are left
// out.
func codexText(content json.RawMessage, role memory.Role) string {
	var parts []part
	if len(content) == 0 || content[0] != '[' || jsonl.DecodeKnown(content, &parts) != nil {
		return text(content)
	}
	var texts []string
	for _, p := range parts {
		if t := withoutWrappers(p.Text, role); strings.TrimSpace(t) != "" {
			texts = append(texts, t)
		}
	}
	return strings.Join(texts, "\n")
}

// exitStatus matches the beginning of an output in newer versions.
var exitStatus = lazyregexp.New(`^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process exited with code|Exit code:) (-?[0-9]+)\b`)

// codexOutput returns the output of a call, and whether the call failed. The value is a text, a
// list of parts, or an object, which may be encoded as a string.
func codexOutput(value json.RawMessage) (string, bool) {
	output := text(value)
	var said struct {
		Output   *string         `json:"output"`
		Content  json.RawMessage `json:"content"`
		Success  *bool           `json:"success"`
		Metadata struct {
			ExitCode *int `json:"exit_code"`
		} `json:"metadata"`
	}
	if strings.HasPrefix(output, "{") && json.Unmarshal([]byte(output), &said) == nil && (said.Output != nil || said.Content != nil) {
		failed := said.Success != nil && !*said.Success || said.Metadata.ExitCode != nil && *said.Metadata.ExitCode != 0
		if said.Output != nil {
			return *said.Output, failed
		}
		return text(said.Content), failed
	}
	return output, failedStatus(exitStatus(), output)
}

func failedStatus(status *regexp.Regexp, output string) bool {
	m := status.FindStringSubmatch(output[:min(len(output), 500)])
	return m != nil && m[1] != "0"
}
