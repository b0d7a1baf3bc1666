package recall

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// made is a candidate that only has what folding looks at.
func made(id string, corpus memory.Corpus, kind memory.Kind, content string) *candidate {
	return &candidate{Document: memory.Document{Corpus: corpus, Record: memory.Record{ID: id, Kind: kind, Content: content}}}
}

// folded shows what became of candidates: the ids kept, with those folded into them.
func folded(kept []*candidate) (list []string) {
	for _, c := range kept {
		list = append(list, strings.Join(append([]string{c.ID}, c.duplicates...), "+"))
	}
	return list
}

// nine and ten have nine words in common: nine of ten are the same.
const (
	eight = "harbour library router kitchen orchestra garden bakery ferry"
	nine  = eight + " compiler"
	ten   = nine + " museum"
)

func TestDiversify(t *testing.T) {
	const fact, procedure = memory.KindFact, memory.KindProcedure
	memories, turns := memory.Memories, memory.Conversations
	for name, c := range map[string]struct {
		ranked []*candidate
		limit  int
		want   []string
	}{
		"the same words": {[]*candidate{made("a", memories, fact, ten), made("b", memories, fact, ten)}, 9, []string{"a+b"}},
		"in another order and inflection": {[]*candidate{
			made("a", memories, fact, "Two ferries left the harbours."), made("b", memories, fact, "The harbour: two ferry left"),
		}, 9, []string{"a+b"}},
		"nine of ten words":     {[]*candidate{made("a", memories, fact, ten), made("b", memories, fact, nine)}, 9, []string{"a+b"}},
		"the shorter one first": {[]*candidate{made("a", memories, fact, nine), made("b", memories, fact, ten)}, 9, []string{"a+b"}},
		"eight of nine words":   {[]*candidate{made("a", memories, fact, nine), made("b", memories, fact, eight)}, 9, []string{"a", "b"}},
		"nine of eleven words": {[]*candidate{
			made("a", memories, fact, ten), made("b", memories, fact, nine+" clinic"),
		}, 9, []string{"a", "b"}},
		"another kind":     {[]*candidate{made("a", memories, fact, ten), made("b", memories, procedure, ten)}, 9, []string{"a", "b"}},
		"another corpus":   {[]*candidate{made("a", memories, "", ten), made("b", turns, "", ten)}, 9, []string{"a", "b"}},
		"no content words": {[]*candidate{made("a", turns, "", "so it is"), made("b", turns, "", "so it is")}, 9, []string{"a", "b"}},
		"into the better one": {[]*candidate{made("a", turns, "", "x1"), made("b", turns, "", ten), made("c", turns, "", "x1"),
			made("d", turns, "", ten), made("e", turns, "", "x1")}, 9, []string{"a+c+e", "b+d"}},
		"behind the limit too": {[]*candidate{
			made("a", turns, "", "x1"), made("b", turns, "", "x2"),
			made("c", turns, "", "x1"), made("d", turns, "", "x3"), made("e", turns, "", "x2"),
		}, 2, []string{"a+c", "b"}}, // up to the first that is new
		"nothing": {nil, 3, nil},
	} {
		if got := folded(diversify(c.ranked, c.limit)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestJaccard(t *testing.T) {
	set := func(words string) map[string]int { return countTerms(words) }
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "", 0}, {"ferry", "", 0}, {"ferry", "ferry", 1}, {"ferry ferry ferry", "ferry", 1}, {"ferry", "harbour", 0},
		{"ferry harbour", "ferry", 0.5}, {"ferry", "ferry harbour", 0.5}, {"ferry harbour museum", "ferry garden museum", 0.5},
	} {
		if got := jaccard(set(c.a), set(c.b)); !near(got, c.want) {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// Who asks for more than ten sees more sessions behind the first ten, until
// half of the places show one each.
func TestWiden(t *testing.T) {
	list := func(sessions string) (ranked []*candidate) {
		for i, session := range strings.Fields(sessions) {
			c := &candidate{Document: memory.Document{Corpus: memory.Conversations, Session: session}}
			if session == "-" { // a record
				c.Corpus, c.Session = memory.Memories, ""
			}
			c.ID = fmt.Sprint(i, session)
			ranked = append(ranked, c)
		}
		return ranked
	}
	ten := strings.Repeat("a ", DefaultLimit)
	for name, c := range map[string]struct {
		sessions string
		limit    int
		want     string // sessions in order
	}{
		"ten are asked for":    {ten + "a b c", 10, ten + "a b c"},
		"all find room":        {ten + "a b", 12, ten + "a b"},
		"the others move up":   {ten + "a a b c b a", 12, ten + "b c a a b a"},
		"up to half":           {ten + "a b c d e f g", 12, ten + "b c d e f a g"},
		"those shown count":    {"a b c d e f a a a a" + " a g h", 12, "a b c d e f a a a a a g h"},
		"records stay":         {ten + "- b - a", 11, ten + "b - - a"},
		"one more than twelve": {ten + "a a b", 12, ten + "b a a"},
	} {
		before := list(c.sessions)
		var got []string
		ids := map[string]bool{}
		for _, one := range widen(before, c.limit) {
			ids[one.ID] = true
			if one.Corpus == memory.Memories {
				one.Session = "-"
			}
			got = append(got, one.Session)
		}
		if !reflect.DeepEqual(got, strings.Fields(c.want)) || len(ids) != len(before) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestFoldingKeepsWhatDiffers(t *testing.T) {
	early := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	at := func(id, content string, days int) *candidate {
		c := made(id, memory.Memories, memory.KindFact, content)
		c.OccurredAt = early.AddDate(0, 0, days)
		return c
	}
	for name, c := range map[string]struct {
		a, b string
		want []string // a is older and ranked first
	}{
		"the same": {"The night train leaves from platform two in Malmo", "Night train leaves from platform two, Malmo",
			[]string{"b+a"}},
		"a negation":   {"Hedda does not like opera", "Hedda likes opera", []string{"a", "b"}},
		"a permission": {"Interns may open the archive", "Interns may not open the archive", []string{"a", "b"}},
		"on and off":   {"The sprinkler is on in greenhouse four", "The sprinkler is off in greenhouse four", []string{"a", "b"}},
		"who to whom":  {"Sanna lent money to Orla", "Orla lent money to Sanna", []string{"a", "b"}},
		"a number": {
			"The harbour library router kitchen orchestra garden bakery ferry compiler has 14 rooms",
			"The harbour library router kitchen orchestra garden bakery ferry compiler has 15 rooms", []string{"a", "b"},
		},
	} {
		if got := folded(diversify([]*candidate{at("a", c.a, 0), at("b", c.b, 9)}, 5)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	a, b := at("a", ten, 0), at("b", ten, 9)
	a.score, b.score = 0.7, 0.4
	if kept := diversify([]*candidate{a, b}, 5); kept[0] != b || b.score != 0.7 {
		t.Errorf("%q with score %v, want the newer with the score of the better", kept[0].ID, kept[0].score)
	}
	a, b = at("a", ten, 0), at("b", ten, 9)
	a.Corpus, b.Corpus = memory.Conversations, memory.Conversations
	if got := folded(diversify([]*candidate{a, b}, 5)); !slices.Equal(got, []string{"a+b"}) {
		t.Errorf("turns: %q, want the better one shown", got)
	}
}

func TestOverlapIsJaccard(t *testing.T) {
	set := func(n, from int) map[string]int {
		terms := map[string]int{}
		for i := range n {
			terms[string(rune('a'+from+i))] = 1
		}
		return terms
	}
	for n := range 12 {
		for m := range 12 {
			for from := range 4 {
				for _, least := range []float64{0.5, 0.9, 1} {
					a, b := set(n, 0), set(m, from)
					if got, want := overlap(a, b, least), jaccard(a, b) >= least; got != want {
						t.Fatalf("%d and %d terms, the second from %d, %.1f: %v", n, m, from, least, got)
					}
				}
			}
		}
	}
}
