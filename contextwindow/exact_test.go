package contextwindow_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// words counts words, so that a text can be made to take exactly n tokens.
type words struct{}

func (words) Count(text string) int { return len(strings.Fields(text)) }

// exactly is a message that takes n tokens. Its first word is its name.
func exactly(name string, n int) contextwindow.Message {
	overhead := contextwindow.MessageTokens(words{}, say(""))
	return say(name + strings.Repeat(" x", n-overhead-1))
}

// exactBank is a bank whose windows have 1,000 tokens, which are words.
func exactBank(t *testing.T, edits ...func(*contextwindow.Options)) *bank {
	t.Helper()
	return newBank(t, append([]func(*contextwindow.Options){func(o *contextwindow.Options) {
		o.Counter = func(string) memory.TokenCounter { return words{} }
		o.Settings.Total, o.Settings.Reserve = 1400, 400
	}}, edits...)...)
}

// TestExactThresholds: from 60 % on facts are saved, from 70 % on older turns go.
func TestExactThresholds(t *testing.T) {
	for used, want := range map[int]contextwindow.Action{
		599: contextwindow.ActionNone, 600: contextwindow.ActionFlushed,
		699: contextwindow.ActionFlushed, 700: contextwindow.ActionCompacted,
	} {
		b := exactBank(t)
		r := b.append(exactly("a", 100), exactly("b", 100), exactly("c", 100), exactly("d", 100), exactly("e", 100), exactly("f", used-500))
		if r.Action != want || r.Before.UsedTokens != used {
			t.Errorf("%s at %d tokens, want %s at %d", r.Action, r.Before.UsedTokens, want, used)
		}
	}
}

// TestExactReflush: between the two, facts are saved again after 5 % more.
func TestExactReflush(t *testing.T) {
	for more, want := range map[int]contextwindow.Action{49: contextwindow.ActionNone, 50: contextwindow.ActionFlushed} {
		b := exactBank(t)
		if r := b.append(exactly("a", 300), exactly("b", 310)); r.Action != contextwindow.ActionFlushed {
			t.Fatal(r.Action)
		}
		if r := b.append(exactly("c", more)); r.Action != want {
			t.Errorf("%s after %d tokens more, want %s", r.Action, more, want)
		}
	}
}

// TestExactRecommendation looks at windows that nothing is done about.
func TestExactRecommendation(t *testing.T) {
	for _, c := range []struct {
		used, messages int // up to 4 messages cannot be compacted
		want           contextwindow.Recommendation
	}{
		{599, 6, contextwindow.RecommendOK},
		{600, 6, contextwindow.RecommendCompress},
		{699, 4, contextwindow.RecommendCompress},
		{700, 4, contextwindow.RecommendEmergency},
		{700, 6, contextwindow.RecommendCompress},
		{1000, 6, contextwindow.RecommendCompress},
		{1001, 6, contextwindow.RecommendEmergency},
	} {
		b := exactBank(t, byMessages(50))
		var messages []contextwindow.Message
		for i := range c.messages - 1 {
			messages = append(messages, exactly(fmt.Sprint(i), 50))
		}
		r := b.append(append([]contextwindow.Message{exactly("first", c.used-50*(c.messages-1))}, messages...)...)
		if r.Utilization.UsedTokens != c.used || r.Utilization.Recommendation != c.want {
			t.Errorf("%d tokens in %d messages: %+v, want %s", c.used, c.messages, r.Utilization, c.want)
		}
	}
}

// TestExactlyFull: a full window is no reason to keep the caller waiting, one
// token more is.
func TestExactlyFull(t *testing.T) {
	for used, want := range map[int]contextwindow.Action{1000: contextwindow.ActionCompacting, 1001: contextwindow.ActionCompacted} {
		slow := &rules{remote: true, wait: make(chan struct{})}
		b := exactBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{slow, &rules{}} })
		r := b.append(exactly("a", used-500), exactly("b", 100), exactly("c", 100), exactly("d", 100), exactly("e", 100), exactly("f", 100))
		if r.Action != want {
			t.Errorf("%s at %d tokens, want %s", r.Action, used, want)
		}
	}
}

// known answers every query with the same records.
type known []memory.Record

func (k known) Memories(_ context.Context, _ memory.Scope, _ string, kinds []memory.Kind, _ int) ([]memory.Record, error) {
	return slices.DeleteFunc(slices.Clone(k), func(r memory.Record) bool { return !slices.Contains(kinds, r.Kind) }), nil
}

func (known) Conversations(context.Context, memory.Scope, string, int) ([]memory.Document, error) {
	return nil, nil
}

func (known) Salience(memory.Record) float64 { return 0 }

// TestExactBudget: each part of a prompt is in it whole if there is exactly room
// for it, and not with one token less.
func TestExactBudget(t *testing.T) {
	five := []contextwindow.Message{exactly("m1", 100), exactly("m2", 100), exactly("m3", 100), exactly("m4", 100), exactly("m5", 100)}
	part := func(n int) string { return strings.TrimSpace(strings.Repeat("y ", n)) }
	fact := func(content string) memory.Record { return memory.Record{Kind: memory.KindFact, Content: content} }
	none := 0
	for name, c := range map[string]struct {
		messages []contextwindow.Message
		events   []contextwindow.Event
		records  known
		budget   contextwindow.MemoryBudget
		request  contextwindow.AssembleRequest
		in       string // in the prompt, and nothing is cut, with exactly the room that it takes
	}{
		"an older turn":     {messages: five, in: "m1 x"},
		"the oldest of six": {messages: append([]contextwindow.Message{exactly("m0", 100)}, five...), in: "m0 x"},
		"a task":            {messages: five[:3], request: contextwindow.AssembleRequest{Task: part(90)}, in: part(90)},
		"a to-do":           {messages: five[:3], request: contextwindow.AssembleRequest{Todo: part(90)}, in: part(90)},
		"an event":          {messages: five[:3], events: []contextwindow.Event{{Type: "tide", Content: "high"}}, in: "tide: high"},
		"the older event": {messages: five[:3],
			events: []contextwindow.Event{{Type: "tide", Content: "high"}, {Type: "ebb", Content: "low"}}, in: "tide: high"},
		"a memory": {messages: five[:3], records: known{fact("One crane.")},
			budget:  contextwindow.MemoryBudget{Total: 500, Semantic: 500},
			request: contextwindow.AssembleRequest{Query: "q"}, in: "One crane."},
		"the second of them": {messages: five[:3], records: known{fact("One crane."), fact("Two piers.")},
			budget:  contextwindow.MemoryBudget{Total: 500, Semantic: 500},
			request: contextwindow.AssembleRequest{Query: "q"}, in: "Two piers."},
	} {
		b := exactBank(t, byMessages(50), func(o *contextwindow.Options) {
			o.Recall, o.Settings.Memory = c.records, c.budget
		})
		r, err := b.Append(t.Context(), contextwindow.AppendRequest{Scope: anna, Session: session, Messages: c.messages, Events: c.events})
		if err != nil || r.Appended != len(c.messages) {
			t.Fatal(r.Appended, err)
		}
		c.request.Reserve, c.request.Total = &none, 5000
		room := b.assemble(c.request).Budget.Used()
		for _, less := range []int{0, 1} {
			c.request.Total = room - less
			a := b.assemble(c.request)
			if is := strings.Contains(text(a), c.in) && !strings.Contains(text(a), "left out"); is != (less == 0) ||
				a.Budget.Used() > room-less || less == 0 && a.Budget.Used() != room {
				t.Errorf("%s: with %d of %d tokens it is whole: %v, and takes %d", name, room-less, room, is, a.Budget.Used())
			}
		}
	}
}

// TestExactSummary: the summary is the last that a prompt has room for.
func TestExactSummary(t *testing.T) {
	b := exactBank(t)
	b.append(exactly("a", 200), exactly("b", 100), exactly("c", 100), exactly("d", 100), exactly("e", 100), exactly("f", 110))
	w := b.window()
	if w.Compacted != 2 || w.SummaryTokens == 0 {
		t.Fatalf("window %+v", w)
	}
	none := 0
	for less, in := range map[int]bool{0: true, 1: false} {
		a := b.assemble(contextwindow.AssembleRequest{Total: 410 + w.SummaryTokens - less, Reserve: &none, MemoryBudget: &none})
		if is := strings.Contains(text(a), w.Summary); is != in || !strings.Contains(text(a), "c x") {
			t.Errorf("with %d tokens less than it takes, the summary is in the prompt: %v", less, is)
		}
	}
}

// TestExactMemoryBudget: a kind of memory takes up to its own budget, all of
// them up to theirs. Of two that take the same, the one that fits better stays.
func TestExactMemoryBudget(t *testing.T) {
	records := known{{Kind: memory.KindFact, Content: "One crane."}, {Kind: memory.KindFact, Content: "Two piers."},
		{Kind: memory.KindFact, Content: "Three."}}
	const all = 5000
	for name, c := range map[string]struct {
		budget contextwindow.MemoryBudget
		want   string
	}{
		// "What is known:" and lines of 3 and 2 words, each with its end.
		"of the kind, all":          {contextwindow.MemoryBudget{Total: all, Semantic: 3 + 4 + 4 + 3}, "One Two Three."},
		"of the kind, one less":     {contextwindow.MemoryBudget{Total: all, Semantic: 3 + 4 + 4 + 2}, "One Two"},
		"of the kind, room for two": {contextwindow.MemoryBudget{Total: all, Semantic: 3 + 4 + 3}, "One Three."},
		"of the kind, for one":      {contextwindow.MemoryBudget{Total: all, Semantic: 3 + 4}, "One"},
		"of the kind, for a word":   {contextwindow.MemoryBudget{Total: all, Semantic: 3 + 3}, "Three."},
		"of the kind, for none":     {contextwindow.MemoryBudget{Total: all, Semantic: 3 + 2}, ""},
		// As a message, with the delimiters around it.
		"in all":           {contextwindow.MemoryBudget{Total: 4 + 3 + 3 + 3 + 3 + 2, Semantic: all}, "One Two Three."},
		"in all, one less": {contextwindow.MemoryBudget{Total: 4 + 3 + 3 + 3 + 3 + 1, Semantic: all}, "One Two"},
	} {
		b := exactBank(t, byMessages(50), func(o *contextwindow.Options) { o.Recall, o.Settings.Memory = records, c.budget })
		prompt := text(b.assemble(contextwindow.AssembleRequest{Query: "q"}))
		var got []string
		for line := range strings.Lines(prompt) {
			if line, ok := strings.CutPrefix(line, "- "); ok {
				got = append(got, strings.Fields(line)[0])
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestTooLargeNamesTheFirst: of two parts that are the largest, the one of
// higher priority is named.
func TestTooLargeNamesTheFirst(t *testing.T) {
	b := exactBank(t, byMessages(50))
	b.append(exactly("a", 64), exactly("b", 64), exactly("c", 64)) // three floors
	none := 0
	for tokens, want := range map[int]string{191: "messages", 192: "system_prompt", 193: "system_prompt"} {
		_, err := b.Assemble(t.Context(), contextwindow.AssembleRequest{
			Scope: anna, Session: session, Total: 300, Reserve: &none, SystemPrompt: exactly("s", tokens).Content,
		})
		if memory.CodeOf(err) != memory.CodeTooLarge || !strings.HasPrefix(memory.Public(err).Message, want+" ") {
			t.Errorf("a system prompt of %d tokens: %v, want %s", tokens, err, want)
		}
	}
	whole := contextwindow.AssembleRequest{Scope: anna, Session: session, Total: 300, Reserve: &none,
		SystemPrompt: exactly("s", 108).Content}
	if a, err := b.Assemble(t.Context(), whole); err != nil || a.Budget.Used() != 300 {
		t.Errorf("parts that just fit: %d tokens, %v", a.Budget.Used(), err)
	}
	whole.SystemPrompt = exactly("s", 109).Content
	if _, err := b.Assemble(t.Context(), whole); memory.CodeOf(err) != memory.CodeTooLarge {
		t.Errorf("one token too much: %v", err)
	}
}

// TestShares: what is small is whole; of what is cut, what is left over by the
// division goes to the last, however many are of the same size.
func TestShares(t *testing.T) {
	var sizes, want []int
	for i := range 40 {
		sizes, want = append(sizes, 10+i%2*20), append(want, 10)
		if i%2 == 1 {
			want[i] = 15
		}
	}
	want[37], want[39] = 16, 16
	if got := contextwindow.Shares(sizes, 20*10+20*15+2); !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
	if got := contextwindow.Shares([]int{5, 9, 9, 9}, 20); !slices.Equal(got, []int{5, 5, 5, 5}) {
		t.Errorf("%d", got)
	}
	if got := contextwindow.Shares([]int{5, 5}, -1); !slices.Equal(got, []int{0, 0}) {
		t.Errorf("no room: %d", got)
	}
}
