package consolidate_test

import (
	"fmt"
	"strings"
	"testing"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
	"mcp-memory/text/tokens"
)

// diaryOf are memories of one theme, each with a name and a number and half of
// them without a full stop.
func (b *bank) diaryOf(from, n int) []memory.Record {
	var list []memory.Record
	for i := from; i < from+n; i++ {
		text := fmt.Sprintf("%s repaired pump %d at the %s pier and wrote the hours down", people[i%len(people)], 1000+i,
			places[(i/7)%len(places)])
		if i%2 == 0 {
			text += "."
		}
		list = append(list, b.memory(i, "technical", text))
	}
	b.save(list...)
	return list
}

// TestRoomInProportion: of one theme there is a summary for each 500 memories, and
// all have a fifth of what they stand for. Their sentences are whole and dated.
func TestRoomInProportion(t *testing.T) {
	b, counter := newBank(t), tokens.NewCounter("")
	originals := b.diaryOf(0, 1042)
	r := b.care(consolidate.Request{})
	summaries := b.live(memory.KindSummary)
	if r.MemoriesArchived != 1042 || len(summaries) != 3 || len(r.Summaries) != 3 {
		t.Fatalf("%d archived, %d summaries live, %d told", r.MemoriesArchived, len(summaries), len(r.Summaries))
	}
	before, after, covered := 0, 0, 0
	for _, o := range originals {
		before += counter.Count(o.Content)
	}
	for _, s := range summaries {
		n := counter.Count(s.Content)
		after, covered = after+n, covered+s.Summary.Count
		if s.Summary.Count > 500 || n > 2000 {
			t.Errorf("%d tokens for %d memories", n, s.Summary.Count)
		}
		dated := 0
		for line := range strings.Lines(s.Content) {
			line = strings.TrimSpace(line)
			if !strings.HasSuffix(line, ".") {
				t.Errorf("%q is not ended", line)
			}
			if strings.Contains(line, " 2025: ") {
				dated++
			}
		}
		if dated < min(5, s.Summary.Count/24) { // 24 are of a day
			t.Errorf("%d lines with a date in\n%s", dated, s.Content)
		}
	}
	if covered != 1042 || after < before*15/100 || after > before*25/100 {
		t.Errorf("%d tokens for %d, covering %d", after, before, covered)
	}
	// The newest volume has room left: what comes later goes there.
	b.diaryOf(1042, 60)
	if r = b.care(consolidate.Request{}); len(r.Summaries) != 1 || r.Summaries[0].Covers != 102 || len(b.live(memory.KindSummary)) != 3 ||
		!strings.Contains(r.Summaries[0].Content, " February 2025: ") || !strings.Contains(r.Summaries[0].Content, "pump 20") {
		t.Errorf("later: %d summaries, %+v", len(b.live(memory.KindSummary)), r.Summaries)
	}
	undone, err := b.SelfCare(t.Context(), consolidate.Request{Agent: agent, Undo: r.UndoID})
	if err != nil || undone.BroughtBack != 60 || len(b.live(memory.KindSummary)) != 3 {
		t.Errorf("undo: %+v, %v", undone, err)
	}
}

// TestLongMemories: few that are long get as many summaries as they need.
func TestLongMemories(t *testing.T) {
	b := newBank(t)
	var list []memory.Record
	for i := range 62 {
		list = append(list, b.memory(i, "technical",
			strings.Repeat(fmt.Sprintf("%s wrote on page %d that the harbour needs crane %d. ", people[i%len(people)], i, 100*i), 40)))
	}
	b.save(list...)
	r := b.care(consolidate.Request{})
	if r.MemoriesArchived != 62 || len(r.Summaries) < 3 {
		t.Fatalf("%d archived, %d summaries of %d tokens", r.MemoriesArchived, len(r.Summaries), r.TokensBefore)
	}
	covered := 0
	for _, s := range r.Summaries {
		covered += s.Covers
		if equal := 62 / len(r.Summaries); s.Covers < equal*2/3 || s.Covers > equal*4/3 {
			t.Errorf("one of %d summaries stands for %d", len(r.Summaries), s.Covers)
		}
	}
	if covered != 62 {
		t.Errorf("they stand for %d", covered)
	}
}

// TestShortMemories: a summary stands for 500 at most, also where there is room for more.
func TestShortMemories(t *testing.T) {
	b := newBank(t)
	for _, n := range []int{480, 30} {
		var list []memory.Record
		for i := range n {
			list = append(list, b.memory(n+i, "technical", fmt.Sprintf("Tick %d.", 1000*n+i)))
		}
		b.save(list...)
		if r := b.care(consolidate.Request{}); r.MemoriesArchived != n || len(r.Summaries) != 1 || r.Summaries[0].Covers != n {
			t.Errorf("%d more: %+v", n, r.Summaries)
		}
	}
	if all := b.live(memory.KindSummary); len(all) != 2 {
		t.Errorf("%d summaries", len(all))
	}
}

// TestSentencesOfTheirOwn: what had no full stop does not run into what follows.
func TestSentencesOfTheirOwn(t *testing.T) {
	for text, want := range map[string]string{
		"Rui paid":               "Rui paid.",
		"Rui paid.":              "Rui paid.",
		"Rui paid 300 ":          "Rui paid 300.",
		"Did Rui pay?":           "Did Rui pay?",
		"To do:\n- paint\n\nall": "To do:\n- paint.\n\nall.",
		"会议在周一":                  "会议在周一。",
		"회의는 월요일":                "회의는 월요일.",
		"(said \"no\")":          "(said \"no\").",
		"":                       "",
	} {
		if got := consolidate.Punctuated(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// TestLastSentence: what breaks off is left out, where that is little.
func TestLastSentence(t *testing.T) {
	whole := "Rui paid 300 euros on 3 March 2026. Priya sold the boat in Porto. Tomasz moved to Lagos with both of his dogs."
	for said, want := range map[string]string{
		whole:                          whole,
		whole + " Then the":            whole,
		whole + "\n- one more item":    whole + "\n- one more item",
		"It has no full stop":          "It has no full stop",
		whole + " (Rui was glad.)":     whole + " (Rui was glad.)",
		"They met. " + whole[:20]:      "They met. " + whole[:20],
		whole + " 会议在周一举行。":            whole + " 会议在周一举行。",
		whole + " \"That is it.\" Hmm": whole + " \"That is it.\"",
	} {
		if got := consolidate.Ended(said); got != want {
			t.Errorf("%q becomes %q", said, got)
		}
	}
}
