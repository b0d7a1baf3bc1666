package dbtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

var wordTests = map[string]func(*testing.T, *env){
	"find":               wordsFind,
	"best first":         bestFirst,
	"are never syntax":   neverSyntax,
	"of several words":   phrases,
	"many":               manyWords,
	"the rarest":         rarestWords,
	"parts find":         partsFind,
	"limits":             limits,
	"of turns as stored": turnsAsDocuments,
}

func wordsFind(t *testing.T, e *env) {
	texts := []string{
		"She was running along the harbours.",
		"Le café d'Élodie est fermé.",
		"Größe und Straße",
		"parseHTTPRequest returns an error_code",
		"東京都に住んでいます",
		"Wir treffen uns um 14:30 in v1.2",
		"AND OR NOT NEAR",
	}
	for _, text := range texts {
		e.save(t, nil, e.record(text))
	}
	for _, c := range []struct {
		words string
		want  int
	}{
		{"run", 0}, {"runs", 0}, {"harbour", 0}, {"harboured", 0}, {"HARBOURS", 0},
		{"cafe", 1}, {"café", 1}, {"cafe\u0301", 1}, {"elodie", 1}, {"ferme", 1},
		{"grosse", -1}, {"größe", 2}, {"grosze", -1}, {"GRÖSSE", -1}, {"grÖße", 2},
		{"http", 3}, {"request", 3}, {"error", 3}, {"code", 3}, {"東京", 4}, {"住ん", 4},
		{"14", 5}, {"v1", 5}, {"near", 6}, {"and", 6}, {"nothing", -1},
	} {
		hits, err := e.MatchWords(t.Context(), memory.Memories, memory.Filter{Agent: agent}, strings.Fields(c.words), 10)
		got := e.names(t, memory.Memories, agent, hits, err)
		switch {
		case c.want < 0 && len(got) > 0:
			t.Errorf("%q found %q", c.words, got)
		case c.want >= 0 && !slices.Equal(got, texts[c.want:c.want+1]):
			t.Errorf("%q found %q, want %q", c.words, got, texts[c.want])
		}
	}
}

func bestFirst(t *testing.T, e *env) {
	for i := range 10 {
		e.save(t, nil, e.record(fmt.Sprintf("The ferry number %d leaves.", i)))
	}
	both := e.record("The harbour ferry.")
	rare := e.record("A harbour somewhere else.")
	e.save(t, nil, both, rare)
	hits, err := e.MatchWords(t.Context(), memory.Memories, memory.Filter{Agent: agent}, []string{"ferry", "harbour"}, 5)
	got := e.names(t, memory.Memories, agent, hits, err)
	if len(got) != 5 || got[0] != both.Content || got[1] != rare.Content {
		t.Errorf("order %q", got)
	}
	if !slices.IsSortedFunc(hits, func(a, b memory.Hit) int { return int(1e6 * (b.Score - a.Score)) }) {
		t.Errorf("scores %v", hits)
	}
}

// hostile are words that have a meaning in query languages, and words without any term.
var hostile = []string{
	`"`, `""`, `"""`, `'`, `*`, `har*`, `-harbour`, `+harbour`, `^harbour`, `text:harbour`, `:`, `(`, `)`, `NEAR(a b)`, `NEAR`, `AND`, `OR`,
	`NOT`, `{text}:x`, `\`, `%`, `_`, `;`, `--`, `/*`, `?`, `?1`, `$x`,
	`@x`, `harbour"`, `"harbour`, "har\nbour", "\t", " ", "", "👩🏽‍🚀", "🌕",
	"\u200b", "\ufeff", "\u0301", "x' OR 1=1", "'); DROP TABLE records; --",
	"\xff\xfe", strings.Repeat("a", 40000), strings.Repeat("ä ", 9000),
}

func neverSyntax(t *testing.T, e *env) {
	e.save(t, nil, e.record("The harbour is deep."), e.record("unrelated text and OR"))
	e.say(t, e.turn("The harbour is deep."))
	for _, c := range memory.Corpora() {
		for _, word := range hostile {
			for _, words := range [][]string{{word}, {word, "harbour"}, {"harbour", word, word}} {
				hits, err := e.MatchWords(t.Context(), c, memory.Filter{Agent: agent}, words, 5)
				if _, rarest := e.MatchRarest(t.Context(), memory.Filter{Agent: agent}, words, memory.Rarest{Words: 3, Postings: 9},
					5); rarest != nil {
					t.Errorf("the rarest of %.40q: %v", words, rarest)
				}
				if err != nil {
					t.Errorf("words %.40q: %v", words, err)
				} else if got := e.names(t, c, agent, hits, nil); len(words) > 1 && !slices.Contains(got, "The harbour is deep.") {
					t.Errorf("words %.40q: %q", words, got)
				}
				if _, err := e.MatchSubstrings(t.Context(), c, memory.Filter{Agent: agent}, words, 5); err != nil {
					t.Errorf("parts %.40q: %v", words, err)
				}
				if _, err := e.Statistics(t.Context(), agent, c, words); err != nil {
					t.Errorf("statistics %.40q: %v", words, err)
				}
			}
		}
	}
	everything := strings.Join(hostile, "")
	for _, f := range []memory.Filter{
		{Agent: everything}, {Agent: agent, Projects: hostile}, {Agent: agent, Categories: hostile}, {Agent: agent, Tags: hostile[:10]},
		{Agent: agent, Session: everything}, {Agent: agent, Speaker: everything},
	} {
		if _, err := e.MatchWords(t.Context(), memory.Memories, f, []string{"harbour"}, 5); err != nil {
			t.Errorf("filter %.80v: %v", f, err)
		}
	}
}

// phrases tests that a word with blanks inside is found as a phrase: its words in a row.
func phrases(t *testing.T, e *env) {
	e.save(t, nil, e.record("Irma said: where would you and I be?"), e.record("I and you be where they would."))
	hits, err := e.MatchWords(t.Context(), memory.Memories, memory.Filter{Agent: agent}, []string{"where would you and i be"}, 5)
	if got := e.names(t, memory.Memories, agent, hits, err); !slices.Equal(got, []string{"Irma said: where would you and I be?"}) {
		t.Errorf("found %q", got)
	}
}

// manyWords searches with as many words as a query of [memory.MaxQueryBytes] can have.
func manyWords(t *testing.T, e *env) {
	e.save(t, nil, e.record("The harbour is deep."))
	var words []string
	for size := 0; size < memory.MaxQueryBytes; size += 7 {
		words = append(words, fmt.Sprintf("w%05d", len(words)))
	}
	words = slices.Insert(words, memory.MaxTerms-1, "harbour") // the last one that is searched for
	f := memory.Filter{Agent: agent}
	if hits, err := e.MatchWords(t.Context(), memory.Memories, f, words, 5); len(hits) != 1 || err != nil {
		t.Errorf("words: %v, %v", hits, err)
	}
	if hits, err := e.MatchSubstrings(t.Context(), memory.Memories, f, words, 5); len(hits) != 1 || err != nil {
		t.Errorf("parts: %v, %v", hits, err)
	}
}

// rarestWords searches by the rarest of three words: one is in all six memories, one in three of
// them, one in one.
func rarestWords(t *testing.T, e *env) {
	texts := []string{"Ferry, quay and buoy.", "Ferry at the quay.", "Ferry by a quay.", "Ferry 4.", "Ferry 5.", "Ferry 6."}
	var all []memory.Record
	for _, text := range texts {
		all = append(all, e.record(text))
	}
	e.save(t, nil, all...)
	e.save(t, nil, e.record("A quay.", func(r *memory.Record) { r.Project = "p" }),
		e.record("The quays.", func(r *memory.Record) { r.ArchivedAt = day(1) }))
	words := []string{"ferries", "unheard", "quays", "buoy"} // found in 6, 0, 5 and 1 memories of the bank
	here := memory.Filter{Agent: agent, Projects: []string{""}}
	for _, c := range []struct {
		filter memory.Filter
		within memory.Rarest
		limit  int
		want   []string
	}{
		{here, memory.Rarest{Words: 3, Postings: 12}, 9, texts},
		{here, memory.Rarest{Words: 3, Postings: 11}, 9, texts[:3]},
		{here, memory.Rarest{Words: 2, Postings: 99}, 9, texts[:3]},
		{here, memory.Rarest{Words: 2, Postings: 5}, 9, texts[:1]},
		{here, memory.Rarest{Words: 3, Postings: 12}, 1, texts[:1]},
		{here, memory.Rarest{Words: 3, Postings: 12}, 0, nil},
		{here, memory.Rarest{Words: 3}, 9, nil},
		{here, memory.Rarest{Postings: 9}, 9, nil},
		{memory.Filter{Agent: agent, Projects: []string{"p"}}, memory.Rarest{Words: 3, Postings: 12}, 9, []string{"A quay."}},
		{memory.Filter{Agent: agent + "2"}, memory.Rarest{Words: 3, Postings: 12}, 9, nil},
	} {
		found, err := e.MatchRarest(t.Context(), c.filter, words, c.within, c.limit)
		var got []string
		for _, r := range found {
			if r.ID == "" {
				t.Errorf("%q has no id", r.Content)
			}
			got = append(got, r.Content)
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, slices.Sorted(slices.Values(c.want))) {
			t.Errorf("%+v, at most %d: %q, want %q (%v)", c.within, c.limit, got, c.want, err)
		}
	}
}

func partsFind(t *testing.T, e *env) {
	texts := []string{
		"Set vat_rate_bp in /etc/Shop.d/tax.yaml, see ERR-4711.",
		"東京都に住んでいます",
		"Das Dampfschifffahrtsgesellschaftsgebäude",
		"mail ann@example.org about #1234",
	}
	for _, text := range texts {
		e.save(t, nil, e.record(text))
	}
	for _, c := range []struct {
		part string
		want int
	}{
		{"vat_rate_bp", 0}, {"rate_b", 0}, {"VAT_RATE", 0}, {"shop.d/tax", 0}, {"err-4711", 0}, {"4711", 0},
		{"住んで", 1}, {"東京都", 1}, {"fahrtsges", 2}, {"example.org", 3}, {"#1234", 3},
		{"at", -1}, {"東京", -1}, {"e", -1}, {"", -1}, {"vat-rate", -1},
	} {
		hits, err := e.MatchSubstrings(t.Context(), memory.Memories, memory.Filter{Agent: agent}, []string{c.part}, 10)
		got := e.names(t, memory.Memories, agent, hits, err)
		switch {
		case c.want < 0 && len(got) > 0:
			t.Errorf("%q found %q", c.part, got)
		case c.want >= 0 && !slices.Equal(got, texts[c.want:c.want+1]):
			t.Errorf("%q found %q, want %q", c.part, got, texts[c.want])
		}
	}
}

func limits(t *testing.T, e *env) {
	var all []memory.Record
	for i := range 12 {
		all = append(all, e.record(fmt.Sprint("harbour ", i)))
	}
	e.save(t, towards(0.5), all...)
	for way, search := range searches {
		for limit, want := range map[int]int{0: 0, 1: 1, 5: 5, 12: 12, 4096: 12, 100000: 12} {
			hits, err := search(t.Context(), e, memory.Memories, memory.Filter{Agent: agent}, limit)
			if len(hits) != want || err != nil {
				t.Errorf("%s, limit %d: %d hits, %v", way, limit, len(hits), err)
			}
		}
	}
	f := memory.Filter{Agent: agent}
	if hits, err := e.MatchWords(t.Context(), memory.Memories, f, nil, 5); len(hits) != 0 || err != nil {
		t.Errorf("no words: %v, %v", hits, err)
	}
	if hits, err := e.MatchSubstrings(t.Context(), memory.Memories, f, nil, 5); len(hits) != 0 || err != nil {
		t.Errorf("no parts: %v, %v", hits, err)
	}
}

func turnsAsDocuments(t *testing.T, e *env) {
	turn := e.turn("About the harbour.", func(t *memory.Turn) {
		t.Project, t.Role, t.Speaker, t.ExternalID, t.Metadata = "p", memory.RoleAssistant, "Bo", "m1", []byte(`{"a":1}`)
		t.ArchivedAt = day(1)
	})
	e.say(t, e.turn("First."), turn)
	hits, err := searches["words"](t.Context(), e, memory.Conversations, memory.Filter{Agent: agent}, 5)
	if err != nil || len(hits) != 1 {
		t.Fatalf("%v, %v", hits, err)
	}
	docs, err := e.Documents(t.Context(), memory.Conversations, memory.Filter{Agent: agent}, []int64{hits[0].Seq})
	if err != nil || len(docs) != 1 {
		t.Fatalf("%v, %v", docs, err)
	}
	want := memory.Document{
		Seq: hits[0].Seq, Corpus: memory.Conversations, Session: "s", Index: 1, Speaker: "Bo", Role: memory.RoleAssistant,
		Record: memory.Record{
			ID: turn.ID, Agent: agent, Project: "p", Kind: memory.KindTurn, Content: turn.Content, ExternalID: "m1",
			Metadata: turn.Metadata, OccurredAt: turn.SaidAt, CreatedAt: turn.CreatedAt, ArchivedAt: turn.ArchivedAt, Confirmations: 1,
		},
	}
	if asJSON(docs[0]) != asJSON(want) {
		t.Errorf("got  %s\nwant %s", asJSON(docs[0]), asJSON(want))
	}
}
