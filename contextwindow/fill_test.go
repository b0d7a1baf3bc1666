package contextwindow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// fact, learned and believed are things to save.
func fact(content string) remember.SaveRequest { return remember.SaveRequest{Content: content} }

func learned(content string) remember.SaveRequest {
	return remember.SaveRequest{Content: content, Kind: memory.KindLearning,
		KindDetails: memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningCorrection}}}
}

func failed(content string) remember.SaveRequest {
	r := learned(content)
	r.Learning = &memory.LearningDetails{Type: memory.LearningError}
	return r
}

func believed(content string) remember.SaveRequest {
	return remember.SaveRequest{Content: content, Kind: memory.KindSoul,
		KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulValue}}}
}

func happened(content string) remember.SaveRequest {
	return remember.SaveRequest{Content: content, Kind: memory.KindLongTerm,
		KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{}}}
}

func important(r remember.SaveRequest, x float64) remember.SaveRequest {
	r.Importance = &x
	return r
}

// bulk are facts that say nothing to anybody.
func bulk(n int) (list []remember.SaveRequest) {
	for i := range n {
		list = append(list, fact(fmt.Sprintf("Container %d holds %d crates of tiles.", 1000+i, 7*i)))
	}
	return list
}

// TestAssembleFills: what a prompt has of a bank, by what is asked.
func TestAssembleFills(t *testing.T) {
	many := func(kind func(string) remember.SaveRequest, n int, format string) (list []remember.SaveRequest) {
		for i := range n {
			list = append(list, kind(fmt.Sprintf(format, i)))
		}
		return list
	}
	for name, c := range map[string]struct {
		saved  []remember.SaveRequest
		query  string
		budget int      // 0 is the default
		want   []string // in this order
		not    []string
	}{
		"soul and learnings, whatever is asked": {
			saved: append(bulk(8), believed("Honesty comes first."), learned("Write dates day first.")),
			query: "What does container 1003 hold?",
			want:  []string{"Who you are:", "Honesty comes first.", "Learned the hard way:", "Write dates day first.", "Container 1003"},
		},
		"soul and learnings without a question": {
			saved: []remember.SaveRequest{believed("Honesty comes first."), learned("Write dates day first."),
				fact("The user lives in Ghent.")},
			want: []string{"Honesty comes first.", "Write dates day first.", "The user lives in Ghent."},
		},
		"corrections, then what failed most often": {
			saved: []remember.SaveRequest{failed("The oven needs an hour."), failed("The oven needs an hour"),
				learned("Write dates day first."), failed("The mixer is loud.")},
			query: "zymurgy", want: []string{"Learned the hard way:", "Write dates day first.", "The oven needs an hour.",
				"The mixer is loud."},
		},
		"many of both leave room for facts": {
			saved: slices.Concat(many(believed, 40, "Value %d is to be kept under all circumstances, come what may."),
				many(learned, 40, "Lesson %d is that the pumps need oil before the winter."),
				[]remember.SaveRequest{fact("The user lives in Ghent.")}),
			query: "Where does the user live?", want: []string{"Value ", "Lesson ", "The user lives in Ghent."},
		},
		"within a small budget": {
			saved: []remember.SaveRequest{believed("Honesty comes first."), learned("Write dates day first."),
				happened("The dinner in Ghent went well.")}, budget: 120,
			query: "How was the dinner?", want: []string{"Honesty comes first."},
		},
		"what stands out, where nothing is found": {
			saved: append(bulk(40), important(fact("The user is allergic to nuts."), 0.9),
				important(happened("The launch failed for lack of fuel."), 0.9)),
			query: "zymurgy", want: []string{"The user is allergic to nuts.", "The launch failed for lack of fuel."},
			not: []string{"Container 1000 "},
		},
		"what is new, where all is alike": {
			saved: append(bulk(40), fact("The user has a meeting with the mayor.")),
			query: "zymurgy", want: []string{"meeting with the mayor"}, not: []string{"Container 1000 "},
		},
		"of a long one only the beginning": {
			saved: []remember.SaveRequest{happened("The launch failed. " + strings.Repeat("It rained all day, and the crew waited. ", 20) +
				"Everybody went home.")}, query: "zymurgy",
			want: []string{"The launch failed.", "It rained all day", "..."}, not: []string{"Everybody went home"},
		},
		"no trivia": {
			saved: []remember.SaveRequest{important(fact("The bus was late."), 0.1), fact("The user lives in Ghent.")}, query: "zymurgy",
			want: []string{"Ghent"}, not: []string{"bus"},
		},
		"who is named": {
			saved: append(bulk(40), important(fact("Oskar Lindqvist keeps bees on the roof."), 0.31)),
			query: "Please write a long and friendly letter for the coming weekend in which we invite our neighbour Oskar with all his relatives",
			want:  []string{"Oskar Lindqvist keeps bees"},
		},
		"no more than what is found, where that is much": {
			saved: append(many(fact, 8, "Crane %d in the harbour is yellow."), important(fact("The user is allergic to nuts."), 0.9)),
			query: "Which cranes in the harbour are yellow?", want: []string{"Crane "}, not: []string{"nuts"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			for _, r := range c.saved {
				b.later(time.Hour)
				save(b, r)
			}
			r := contextwindow.AssembleRequest{Query: c.query}
			if c.budget > 0 {
				r.MemoryBudget = &c.budget
			}
			a := b.assemble(r)
			got, last := text(a), -1
			for _, part := range c.want {
				at := strings.Index(got, part)
				if at <= last {
					t.Errorf("%q is at %d, after %d", part, at, last)
				}
				last = at
			}
			for _, part := range c.not {
				if strings.Contains(got, part) {
					t.Errorf("%q is there", part)
				}
			}
			if budget := contextwindow.DefaultSettings().Memory.Total; a.Budget.MemoryTokens > budget ||
				c.budget > 0 && a.Budget.MemoryTokens > c.budget {
				t.Errorf("%d tokens of memories", a.Budget.MemoryTokens)
			}
			if t.Failed() {
				t.Log(got)
			}
		})
	}
}

// TestNamesPassTheFloor: a record that shares little with a query is found if it
// names somebody in it.
func TestNamesPassTheFloor(t *testing.T) {
	const (
		query   = "Please write a long and friendly letter for the coming weekend in which we invite our neighbour Oskar with all his relatives"
		content = "The cellar has been dry since Oskar Lindqvist mended the gutter in the spring."
		nobody  = "The cellar has been dry since somebody mended the gutter in the spring."
	)
	b := newBank(t)
	for _, r := range append(bulk(300), fact(content)) {
		save(b, r)
	}
	list, err := contextwindow.Recalls(b.all.Recall).Memories(t.Context(), anna, query, []memory.Kind{memory.KindFact}, 20)
	if err != nil || !slices.ContainsFunc(list, func(r memory.Record) bool { return r.Content == content }) {
		t.Errorf("found %d others, %v", len(list), err)
	}
	for _, c := range []struct {
		content string
		score   float64
		want    bool
	}{
		{content, recall.Floor / 2, true}, {nobody, recall.Floor / 2, false},
		{nobody, recall.Floor, true}, {content, recall.Floor / 10, false},
	} {
		if got := contextwindow.Relevant(query, c.content, c.score); got != c.want {
			t.Errorf("%q with %.2f: %v", c.content, c.score, got)
		}
	}
}

func TestShareName(t *testing.T) {
	for _, c := range []struct {
		query, record string
		want          bool
	}{
		{"What does Mira drink?", "Mira prefers tea.", true},
		{"what does mira drink?", "In the morning Mira has tea.", true},
		{"Mira again", "We saw Mira today.", true},
		{"What does Mira drink?", "Tea is what they drink.", false},
		{"Tea is fine", "Tea comes from China.", false},
		{"What is due on Monday?", "The user swims on Monday.", false},
		{"Ask the bank about it", "The Bank of Ghent is closed.", true},
		{"What will I do?", "I will sail.", false},
		{"Was macht Jörg?", "Der Garten gehört Jörg.", true},
		{"", "Mira", false},
	} {
		if got := contextwindow.ShareName(c.query, c.record); got != c.want {
			t.Errorf("%q and %q: %v", c.query, c.record, got)
		}
	}
}
