package workspace_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
)

func TestHistory(t *testing.T) {
	w, dir := desk(t)
	vienna := time.FixedZone("", 3600)
	for _, e := range []struct{ id, text string }{
		{"a", "Anna said:\r\n\n# Hello\n<!-- b -->"}, {"b", "## Heading"},
		{"a", "again"}, {"c", "> quoted"}, {"d", "``` code"}, {"e", "---"},
	} {
		must(t, w.AppendHistory(t.Context(), e.id, time.Date(2025, 1, 15, 11, 30, 59, 0, vienna), e.text))
	}
	heading := "2025-01-15 10:30: "
	want := "# History (UTC)\n\n" + heading + "Anna said: # Hello &lt;!-- b --&gt; <!-- a -->\n\n" + heading +
		"\\## Heading <!-- b -->\n\n" +
		heading + "\\> quoted <!-- c -->\n\n" + heading + "\\``` code <!-- d -->\n\n" + heading + "\\--- <!-- e -->\n"
	if got := read(t, dir, "memory", "HISTORY.md"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wantCode(t, w.AppendHistory(t.Context(), "a -->\n# x", noon, "x"), memory.CodeInvalidArgument)

	write(t, "mine\r\nno end", dir, "memory", "HISTORY.md")
	must(t, w.AppendHistory(t.Context(), "a", noon, "A"))
	if got := read(t, dir, "memory", "HISTORY.md"); got != "mine\r\nno end\r\n\r\n2026-03-01 12:00: A <!-- a -->\r\n" {
		t.Errorf("got %q", got)
	}
}

// An entry that a crash tore is written again, and what came before is left.
func TestTornHistory(t *testing.T) {
	w, dir := desk(t)
	must(t, w.AppendHistory(t.Context(), "a", noon, "A"))
	must(t, w.AppendHistory(t.Context(), "b", noon, "Long text"))
	whole := read(t, dir, "memory", "HISTORY.md")
	write(t, strings.TrimSuffix(whole, "g text <!-- b -->\n"), dir, "memory", "HISTORY.md")
	must(t, w.AppendHistory(t.Context(), "b", noon, "Long text"))
	if got := read(t, dir, "memory", "HISTORY.md"); !strings.HasSuffix(got, "Lon\n\n2026-03-01 12:00: Long text <!-- b -->\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestLearnings(t *testing.T) {
	w, dir := desk(t)
	r := fact("a", "technical", "# Ask before\ndeleting")
	r.Learning = &memory.LearningDetails{Type: memory.LearningError, Tool: "shell\nrm", Context: "in\n\n# the repository"}
	r.OccurredAt = noon.Add(-time.Hour)
	for range 2 {
		must(t, w.AppendLearning(t.Context(), r))
	}
	r.Learning = &memory.LearningDetails{Type: memory.LearningCorrection}
	must(t, w.AppendLearning(t.Context(), r))
	for name, want := range map[string]string{
		"errors.md":      "# Errors\n\n## 2026-03-01 11:00 UTC, shell rm\n\n\\# Ask before deleting\n\nContext: in # the repository <!-- a -->\n",
		"corrections.md": "# Corrections\n\n## 2026-03-01 11:00 UTC\n\n\\# Ask before deleting <!-- a -->\n",
	} {
		if got := unsummed(read(t, dir, "learnings", name)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// unsummed is a file with the ids alone in its markers.
func unsummed(content string) string {
	return regexp.MustCompile(` (?:100|yours) [0-9a-f]{8}(?: global)? -->`).ReplaceAllString(content, " -->")
}

func soul(id, content string, kind memory.SoulType) memory.Record {
	r := fact(id, "identity", content)
	r.Soul = &memory.SoulDetails{Type: kind}
	return r
}

func TestSoul(t *testing.T) {
	const begin,
		end = "<!-- mcp-memory:soul:begin -->\n<!-- One entry a line, kept by mcp-memory: reword, add or delete lines as you like. -->\n",
		"<!-- mcp-memory:soul:end -->\n"
	const a, b, c = "01a20397-3418-7000-abaf-c4773966dbf2", "01a20397-346b-7000-bb4f-2fa3ae1cc061", "01a20397-3474-7000-ab19-3954e46ba0dd"
	kind := []memory.Record{soul(a, "Be kind\n"+end, memory.SoulValue), soul(b, "All passes", memory.SoulBelief),
		soul(c, "Be true", memory.SoulValue)}
	gone := soul("d", "Gone", memory.SoulFear)
	gone.ArchivedAt = noon
	section := "\n## Beliefs\n\n- All passes <!-- " + b + " -->\n\n## Values\n\n- Be kind &lt;!-- mcp-memory:soul:end --&gt; <!-- " + a +
		" -->\n- Be true <!-- " + c + " -->\n\n"
	for _, c := range []struct {
		name, content string
		entries       []memory.Record
		want          string
	}{
		{"at the end", "mine", append(kind, gone), "mine\n\n" + begin + section + end},
		{"in place", "mine\n" + begin + "old\n" + end + "more", kind, "mine\n" + begin + section + end + "\nold\nmore"},
		{"empty file", "", kind, begin + section + end},
		{"nothing to say", "mine", nil, "mine"},
		{"nothing left to say", begin + section + end + "mine", nil, begin + end + "mine"},
		{"no end", begin + "mine\n", kind, begin + "mine\n\n" + begin + section + end},
		{"no begin", "mine\n" + end, kind, "mine\n" + end + "\n" + begin + section + end},
		{"a begin too many", begin + "mine\n" + begin + "x\n" + end, kind, begin + "mine\n" + begin + section + end + "\nx\n"},
		{"an open one later", begin + end + "mine\n" + begin + "mine", kind, begin + section + end + "mine\n" + begin + "mine"},
		{"windows", "\uFEFF" + strings.ReplaceAll(begin+end+"mine\n", "\n", "\r\n"), kind,
			"\uFEFF" + strings.ReplaceAll(begin+section+end+"mine\n", "\n", "\r\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, dir := desk(t)
			write(t, c.content, dir, "SOUL.md")
			for range 2 {
				must(t, w.MirrorSoul(t.Context(), c.entries))
				if got := unsummed(read(t, dir, "SOUL.md")); got != c.want {
					t.Errorf("got\n%q\nwant\n%q", got, c.want)
				}
			}
		})
	}
	untyped := kind[1]
	untyped.Soul = nil // as earlier versions imported it
	w, dir := desk(t)
	must(t, w.MirrorSoul(t.Context(), []memory.Record{kind[0], untyped, kind[2]}))
	if got := unsummed(read(t, dir, "SOUL.md")); !strings.HasPrefix(got, "# Soul\n") || !strings.HasSuffix(got, begin+section+end) {
		t.Errorf("got\n%s", got)
	}
	// One whose id no comment can hold does not keep the others out.
	must(t, w.MirrorSoul(t.Context(), []memory.Record{soul("a --> b", "Odd", memory.SoulFear), soul("fine", "Even", memory.SoulFear)}))
	if page := unsummed(read(t, dir, "SOUL.md")); !strings.Contains(page, "\n- Odd\n- Even <!-- fine -->\n") {
		t.Errorf("%s", page)
	}
}

// turns are those with the given indexes.
func turns(indexes ...int) []memory.Turn {
	var all []memory.Turn
	for _, i := range indexes {
		all = append(all, memory.Turn{ID: fmt.Sprint("id", i), Index: i, Role: memory.RoleUser, Content: fmt.Sprint("say ", i),
			CreatedAt: noon})
	}
	return all
}

// indexes reads a session's file, in which each line must be an object.
func indexes(t *testing.T, content string) []int {
	t.Helper()
	var all []int
	for l := range strings.Lines(content) {
		var turn struct{ Index int }
		if err := json.Unmarshal([]byte(l), &turn); err != nil || !strings.HasSuffix(l, "}\n") {
			t.Fatalf("%q: %v", l, err)
		}
		all = append(all, turn.Index)
	}
	return all
}

func TestSession(t *testing.T) {
	w, dir := desk(t)
	all := turns(1, 0)
	all[0].SaidAt, all[0].Speaker, all[0].ExternalID, all[0].Content = noon.Add(time.Second), "Anna", "m1", "<b>\nnew line"
	all[0].Details = &memory.TurnDetails{
		InputSource: "hook", Thinking: "Hm", ToolCalls: []memory.ToolCall{{Name: "ls", Arguments: json.RawMessage(`{"a": 1}`)}},
		ToolCallID: "c", Classification: memory.ClassError, Tokens: 7,
	}
	must(t, w.AppendSession(t.Context(), "One", all))
	want := `{"index":0,"id":"id0","session":"One","role":"user","content":"say 0","ts":"2026-03-01T12:00:00Z"}
{"index":1,"id":"id1","session":"One","role":"user","speaker":"Anna","content":"<b>\nnew line","input_source":"hook","thinking":"Hm",` +
		`"tool_calls":[{"name":"ls","arguments":{"a":1}}],"tool_call_id":"c","classification":"error","tokens":7,"ts":"2026-03-01T12:00:01Z","external_id":"m1"}
`
	name := filepath.Join(dir, filepath.FromSlash("sessions/One.jsonl"))
	if got := read(t, name); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	must(t, w.AppendSession(t.Context(), "One", all))
	must(t, w.AppendSession(t.Context(), "One", nil))
	if got := read(t, name); got != want {
		t.Errorf("written again\n%s", got)
	}
	wantCode(t, w.AppendSession(t.Context(), " ", all), memory.CodeInvalidArgument)
}

// Any order of overlapping calls writes each turn once.
func TestSessionOvertaking(t *testing.T) {
	w, dir := desk(t)
	for _, call := range [][]int{{0, 1}, {4}, {2, 3, 4}, {1}, {6}, {5}, {4, 5, 6}, {6}} {
		must(t, w.AppendSession(t.Context(), "s", turns(call...)))
	}
	if got := fmt.Sprint(indexes(t, read(t, dir, "sessions", "s.jsonl"))); got != "[0 1 4 2 3 6 5]" {
		t.Errorf("got %s", got)
	}
}

func TestTornSession(t *testing.T) {
	w, dir := desk(t)
	must(t, w.AppendSession(t.Context(), "s", turns(0, 1, 2)))
	name := filepath.Join(dir, "sessions", "s.jsonl")
	whole := read(t, name)
	last := strings.LastIndex(strings.TrimSpace(whole), "\n") + 1
	for size := last; size <= len(whole); size++ {
		for _, rest := range []string{"", "\x00\x00\x00"} {
			if size == len(whole)-1 && rest != "" || size == len(whole) && rest == "" {
				continue
			}
			write(t, whole[:size]+rest, name)
			must(t, w.AppendSession(t.Context(), "s", turns(2, 3)))
			if got := fmt.Sprint(indexes(t, read(t, name))); got != "[0 1 2 3]" {
				t.Fatalf("cut at %d: got %s", size, got)
			}
		}
	}
	// An editor has ended the line that a crash tore.
	write(t, whole[:last]+whole[last:len(whole)-4]+"\n", name)
	must(t, w.AppendSession(t.Context(), "s", turns(2, 3)))
	if got := read(t, name); strings.Count(got, `{"index":2`) != 2 || strings.Count(got, `{"index":3`) != 1 {
		t.Errorf("after a line that is torn and ended: %s", got)
	}
	write(t, strings.Repeat("x", 300_000), name)
	must(t, w.AppendSession(t.Context(), "s", turns(0)))
	if got := read(t, name); fmt.Sprint(indexes(t, got)) != "[0]" {
		t.Errorf("got %.200s", got)
	}
}

// A session that is larger than what is read at first.
func TestLongSession(t *testing.T) {
	w, dir := desk(t)
	var all []memory.Turn
	for i := range 500 {
		turn := turns(i)[0]
		turn.Content = strings.Repeat("x", i*10)
		all = append(all, turn)
	}
	must(t, w.AppendSession(t.Context(), "s", all))
	name := filepath.Join(dir, "sessions", "s.jsonl")
	before, err := testfiles.Stat(name)
	must(t, err)
	for _, i := range []int{0, 10, 250, 499} {
		must(t, w.AppendSession(t.Context(), "s", all[i:]))
	}
	if after, err := testfiles.Stat(name); err != nil || after.Size() != before.Size() {
		t.Errorf("grew from %d to %d, %v", before.Size(), after.Size(), err)
	}
	must(t, w.AppendSession(t.Context(), "s", turns(500)))
	if got := indexes(t, read(t, name)); len(got) != 501 || got[500] != 500 {
		t.Errorf("%d turns", len(got))
	}
}

// Entries that had headings, and the time twice, are known by their markers.
func TestHistoryOfTheFormerForm(t *testing.T) {
	w, dir := desk(t)
	tag := memory.SessionTag("s")
	former := "# History\n\n## 2025-01-15 10:30 UTC\n\n2025-01-15 10:30 UTC: Tea. <!-- 1." + tag +
		" -->\n\n## 2025-01-16 10:30 UTC\n\n2025-01-16 10:30 UTC: Rice. <!-- b -->\n"
	write(t, former, dir, "memory", "HISTORY.md")
	must(t, w.AppendHistory(t.Context(), "1."+tag, noon, "Tea."))
	must(t, w.AppendHistory(t.Context(), "2."+tag, noon, "Soup."))
	must(t, w.AppendHistory(t.Context(), "c", noon, "Bread."))
	if got, want := read(t, dir, "memory", "HISTORY.md"),
		former+"\n2026-03-01 12:00: Soup. <!-- 2."+tag+" -->\n\n2026-03-01 12:00: Bread. <!-- c -->\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	must(t, w.EraseSession(t.Context(), "s"))
	if got, want := read(t, dir, "memory", "HISTORY.md"),
		"# History\n\n## 2025-01-16 10:30 UTC\n\n2025-01-16 10:30 UTC: Rice. <!-- b -->\n\n2026-03-01 12:00: Bread. <!-- c -->\n"; got != want {
		t.Errorf("after the session was erased\n%s\nwant\n%s", got, want)
	}
}
