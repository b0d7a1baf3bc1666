package workspace

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
)

// turnLine is a turn in sessions/ID.jsonl. The index comes first, for people
// who read the file from the left.
type turnLine struct {
	Index          int               `json:"index"`
	ID             string            `json:"id"`
	Session        string            `json:"session"`
	Role           memory.Role       `json:"role,omitempty"`
	Speaker        string            `json:"speaker,omitempty"`
	Content        string            `json:"content"`
	InputSource    string            `json:"input_source,omitempty"`
	Thinking       string            `json:"thinking,omitempty"`
	ToolCalls      []memory.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID     string            `json:"tool_call_id,omitempty"`
	Classification memory.TurnClass  `json:"classification,omitempty"`
	Tokens         int               `json:"tokens,omitempty"`
	TS             time.Time         `json:"ts"`
	ExternalID     string            `json:"external_id,omitempty"`
}

// AppendSession adds turns to the session's file, one JSON object a line:
//
//	{"index", "id", "session", "role", "speaker", "content", "input_source", "thinking",
//	 "tool_calls", "tool_call_id", "classification", "tokens", "ts", "external_id"}
//
// Empty ones of these are left out, except for the index, id, session, content
// and ts (RFC 3339, when it was said, else recorded). A turn whose index is in
// the file is not written again. Turns of callers that overtake each other may
// be out of order by up to 64 places; a reader sorts by index. A last line that
// a crash tore is cut off first. [memory.CodeInvalidArgument] without a session;
// [memory.CodeUnavailable] and [memory.CodeForbidden] as with [Dir.MergeMemory].
func (d Dir) AppendSession(ctx context.Context, session string, turns []memory.Turn) error {
	if strings.TrimSpace(session) == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "session is missing").WithHint("name the conversation that the messages belong to")
	}
	if len(turns) == 0 {
		return nil
	}
	return d.alone(ctx, func(t tree) (err error) {
		name, err := t.sessionFile(session)
		if err != nil {
			return err
		}
		j, err := t.journal(name)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, j.Close()) }()
		first := slices.MinFunc(turns, func(a, b memory.Turn) int { return cmp.Compare(a.Index, b.Index) }).Index
		written, err := j.lastTurns(first)
		if err != nil {
			return err
		}
		lines, err := turnLines(session, turns, written)
		if err != nil || lines == "" {
			return err
		}
		return j.add(lines)
	})
}

// turnLines are the lines of those turns that are not written yet, in order.
func turnLines(session string, turns []memory.Turn, written map[int]bool) (string, error) {
	ordered := slices.SortedStableFunc(slices.Values(turns), func(a, b memory.Turn) int { return cmp.Compare(a.Index, b.Index) })
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, t := range ordered {
		if written[t.Index] {
			continue
		}
		written[t.Index] = true
		l := turnLine{
			Index: t.Index, ID: t.ID, Session: session, Role: t.Role,
			Speaker: t.Speaker, Content: t.Content, ExternalID: t.ExternalID, TS: t.SaidAt.UTC(),
		}
		if t.SaidAt.IsZero() {
			l.TS = t.CreatedAt.UTC()
		}
		if d := t.Details; d != nil {
			l.InputSource, l.Thinking, l.Classification, l.Tokens = d.InputSource, d.Thinking, d.Classification, d.Tokens
			l.ToolCalls, l.ToolCallID = d.ToolCalls, d.ToolCallID
		}
		if err := encoder.Encode(l); err != nil {
			return "", fmt.Errorf("encode turn %d: %w", t.Index, err)
		}
	}
	return b.String(), nil
}

// overtaken is how many places a turn may be out of order in its file: as many
// as callers that append to one session at the same moment.
const overtaken = 64

// lastTurns returns the indexes of the turns at the file's end, at least of all with an index
// from first on, and mends the last line.
func (j *journal) lastTurns(first int) (map[int]bool, error) {
	for n := int64(64 << 10); ; n *= 4 {
		tail, err := j.tail(n)
		if err != nil {
			return nil, err
		}
		whole := int64(len(tail)) == j.size
		if !whole { // the first line is cut by where the tail begins
			_, tail, _ = strings.Cut(tail, "\n")
		}
		written, enough := map[int]bool{}, false
		lines := tail[:strings.LastIndexByte(tail, '\n')+1]
		for rest := lines; rest != "" && !enough; {
			last := strings.LastIndexByte(rest[:len(rest)-1], '\n') + 1
			if i, ok := endedIndex(rest[last:]); ok {
				written[i] = true
				enough = i < first-overtaken
			}
			rest = rest[:last]
		}
		if !enough && !whole {
			continue
		}
		return written, j.mendTail(tail[len(lines):], written)
	}
}

// mendTail mends a last line without a line end: a whole one gets it, for example after an editor
// removed it; any other was torn by a crash and is cut off.
func (j *journal) mendTail(rest string, written map[int]bool) error {
	if rest == "" {
		return nil
	}
	i, ok := turnIndex(rest)
	if !ok {
		return j.cut(j.size - int64(len(rest)))
	}
	written[i] = true
	return j.add("\n")
}

// turnIndex reads a line's index; ok is false for anything else than a turn.
func turnIndex(line string) (index int, ok bool) {
	var t struct {
		Index *int `json:"index"`
	}
	if json.Unmarshal([]byte(line), &t) != nil || t.Index == nil {
		return 0, false
	}
	return *t.Index, true
}

// endedIndex is turnIndex for a line with its end. Lines of our own begin with
// the index: they need not be read to the end, which may be a megabyte away.
func endedIndex(line string) (index int, ok bool) {
	if rest, ours := strings.CutPrefix(line, `{"index":`); ours && strings.HasSuffix(line, "}\n") {
		digits, _, _ := strings.Cut(rest[:min(len(rest), 20)], ",")
		if index, err := strconv.Atoi(digits); err == nil {
			return index, true
		}
	}
	return turnIndex(line)
}
