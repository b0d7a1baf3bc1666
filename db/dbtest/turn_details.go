package dbtest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

var detailTests = map[string]func(*testing.T, *env){
	"of every sort":               everySortOfDetails,
	"kept with the turn only":     keptWithTheTurn,
	"stay inside the bank":        turnDetailsInside,
	"calls are searched":          callsAreSearched,
	"thinking is read":            thinkingIsRead,
	"indexed text is stored text": indexedAsStored,
}

func with(d *memory.TurnDetails) func(*memory.Turn) {
	return func(t *memory.Turn) { t.Details = d }
}

// variedDetails returns details that a careless encoding would change.
func variedDetails() []*memory.TurnDetails {
	return []*memory.TurnDetails{
		nil,
		{},
		{InputSource: "chat", Thinking: "Hm — 🌕\n", ToolCallID: "c1", Classification: memory.ClassProductive, Tokens: 12},
		{ToolCalls: []memory.ToolCall{{Name: "ls"}}},
		nil,
		{ToolCalls: []memory.ToolCall{
			{ID: "c1", Name: "grep", Arguments: json.RawMessage("{ \"a\" : \"<b> & \u2028\", \"n\":1.0 }"), Result: "x < y && z",
				Error: "\"quoted\"\n"},
			{ID: "c2", Name: "null", Arguments: json.RawMessage(`null`)},
			{ID: "c3", Name: "größe", Result: "東京都 \\u003c"},
		}, Tokens: 3},
	}
}

func everySortOfDetails(t *testing.T, e *env) {
	var want []memory.Turn
	for i, d := range variedDetails() {
		content := "said"
		if d != nil && len(d.ToolCalls) > 0 {
			content = "" // this turn has tool calls only
		}
		turn := e.turn(content, with(d))
		turn.Index = i
		want = append(want, turn)
	}
	e.say(t, want...)
	e.reopen(t, Fingerprint)
	ways := map[string]func() ([]memory.Turn, error){
		"EachTurn": func() ([]memory.Turn, error) { return everyTurn(t, e), nil },
		"Turns":    func() ([]memory.Turn, error) { return e.Turns(t.Context(), agent, "s", 0, 0) },
		"UnarchivedTurns": func() ([]memory.Turn, error) {
			turns, _, err := e.UnarchivedTurns(t.Context(), agent, 100)
			return turns, err
		},
	}
	for name, read := range ways {
		got, err := read()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, asJSON(got), asJSON(want))
		}
	}
}

// keptWithTheTurn tests that a turn that is stored already keeps its details when it comes again
// with others.
func keptWithTheTurn(t *testing.T, e *env) {
	first := e.turn("harbour", with(&memory.TurnDetails{Tokens: 1}), func(t *memory.Turn) { t.ExternalID = "m" })
	again := e.turn("harbour", with(&memory.TurnDetails{Tokens: 2}), func(t *memory.Turn) { t.ExternalID = "m" })
	if n := e.say(t, first, again); n != 1 {
		t.Errorf("%d stored", n)
	}
	if got := everyTurn(t, e); len(got) != 1 || got[0].Details.Tokens != 1 {
		t.Errorf("%s", asJSON(got))
	}
}

// turnDetailsInside stores a turn of the same id for two agents: each reads its own details.
func turnDetailsInside(t *testing.T, e *env) {
	turns := map[string]memory.Turn{}
	for _, who := range []string{agent, "bob"} {
		d := &memory.TurnDetails{ToolCalls: []memory.ToolCall{{Name: "seen by " + who}}}
		turns[who] = e.turn("", with(d), func(t *memory.Turn) { t.ID, t.Agent = "turn", who })
		e.say(t, turns[who])
	}
	for who, want := range turns {
		got, err := e.Turns(t.Context(), who, "s", 0, 0)
		if err != nil || !reflect.DeepEqual(got, []memory.Turn{want}) {
			t.Errorf("of %s: %s, %v", who, asJSON(got), err)
		}
		if docs := e.after(t, memory.Conversations, who, 0, 9); len(docs) != 1 || docs[0].Calls != want.Details.Text() {
			t.Errorf("of %s: %s", who, asJSON(docs))
		}
	}
}

func callsAreSearched(t *testing.T, e *env) {
	call := memory.ToolCall{Name: "read_file", Arguments: json.RawMessage(`{"path":"src/ferries.go"}`), Result: "the harbours are deep",
		Error: "ENOENT"}
	turn := e.turn("", with(&memory.TurnDetails{ToolCalls: []memory.ToolCall{call}, Thinking: "a secret thought"}))
	e.say(t, e.turn("Nothing of it."), turn, e.turn("Nor here.", with(&memory.TurnDetails{Thinking: "ferries"})))
	f := memory.Filter{Agent: agent}
	for _, word := range []string{"ferry", "harbour", "ENOENT", "read_file"} {
		hits, err := e.MatchWords(t.Context(), memory.Conversations, f, []string{word}, 5)
		if err != nil || len(hits) != 1 {
			t.Fatalf("%s: %v, %v", word, hits, err)
		}
		docs, err := e.Documents(t.Context(), memory.Conversations, f, []int64{hits[0].Seq})
		if err != nil || len(docs) != 1 || docs[0].ID != turn.ID || docs[0].Calls != turn.Details.Text() {
			t.Errorf("%s: %s, %v", word, asJSON(docs), err)
		}
	}
	hits, err := e.MatchSubstrings(t.Context(), memory.Conversations, f, []string{"src/ferries.go"}, 5)
	if err != nil || len(hits) != 1 {
		t.Errorf("a part: %v, %v", hits, err)
	}
	if hits, err := e.MatchWords(t.Context(), memory.Conversations, f, []string{"secret"}, 5); len(hits) > 0 || err != nil {
		t.Errorf("thoughts are found: %v, %v", hits, err)
	}
}

// indexedAsStored tests that the text that After, Around and Documents return of a turn is the one
// that was indexed, so that an index made of it finds the same.
func indexedAsStored(t *testing.T, e *env) {
	banks := 0
	piece := rapid.OneOf(rapid.SampledFrom(vocabulary), rapid.SampledFrom([]string{"<b>", "a & b", "\u2028", "\\u003c", "  ", "\"x\""}))
	rapid.Check(t, func(rt *rapid.T) {
		banks++
		who := fmt.Sprint("agent ", banks)
		var turns []memory.Turn
		for range rapid.IntRange(1, 5).Draw(rt, "turns") {
			turn := e.turn(piece.Draw(rt, "content"), func(t *memory.Turn) { t.Agent = who })
			turn.Speaker = rapid.SampledFrom([]string{"", "assistant", "Élodie"}).Draw(rt, "speaker")
			for range rapid.IntRange(0, 3).Draw(rt, "calls") {
				arguments, err := json.MarshalIndent(map[string]string{piece.Draw(rt, "key"): piece.Draw(rt, "value")}, "", " ")
				if err != nil {
					rt.Fatal(err)
				}
				if turn.Details == nil {
					turn.Details = &memory.TurnDetails{}
				}
				turn.Details.ToolCalls = append(turn.Details.ToolCalls, memory.ToolCall{
					Name: piece.Draw(rt, "name"), Arguments: arguments, Result: piece.Draw(rt, "result"), Error: piece.Draw(rt, "error"),
				})
			}
			turns = append(turns, turn)
		}
		e.say(t, turns...)
		checkReadTexts(rt, t, e, who, turns)
	})
}

func checkReadTexts(rt *rapid.T, t *testing.T, e *env, who string, turns []memory.Turn) {
	want := make([]string, len(turns))
	for i, turn := range turns {
		want[i] = turn.SearchText()
	}
	docs := e.after(t, memory.Conversations, who, 0, 100)
	seqs := make([]int64, len(docs))
	for i, d := range docs {
		seqs[i] = d.Seq
	}
	around, err := e.Around(t.Context(), memory.Conversations, who, seqs[:1], 100)
	if err != nil {
		rt.Fatal(err)
	}
	read, err := e.Documents(t.Context(), memory.Conversations, memory.Filter{Agent: who}, seqs)
	if err != nil {
		rt.Fatal(err)
	}
	slices.SortFunc(read, func(a, b memory.Document) int { return int(a.Seq - b.Seq) })
	for name, list := range map[string][]memory.Document{"After": docs, "Around": around, "Documents": read} {
		texts := make([]string, len(list))
		for i, d := range list {
			texts[i] = d.SearchText()
		}
		if !slices.Equal(texts, want) {
			rt.Fatalf("%s gives %q, want %q", name, texts, want)
		}
	}
	var stems []string
	for _, text := range want {
		stems = append(stems, analysis.Content(text)...)
	}
	slices.Sort(stems)
	got, err := e.Vocabulary(t.Context(), memory.Conversations, who)
	slices.Sort(got)
	if stems = slices.Compact(stems); err != nil || !slices.Equal(got, stems) {
		rt.Fatalf("indexed %q, %v; want %q", got, err, stems)
	}
}

// thinkingIsRead tests that the thinking of turns is read as documents of its own, of only those
// turns that have some and that pass the filter (by session).
func thinkingIsRead(t *testing.T, e *env) {
	by := func(session, thought string) memory.Turn {
		return e.turn("Said.", with(&memory.TurnDetails{Thinking: thought, ToolCalls: []memory.ToolCall{{Name: "ls"}}}),
			func(t *memory.Turn) { t.Session = session })
	}
	first, other := by("one", "ferries are slow"), by("two", "harbours are deep")
	e.say(t, first, e.turn("Plain."), by("one", ""), other)
	e.say(t, e.turn("Theirs.", with(&memory.TurnDetails{Thinking: "private"}), func(t *memory.Turn) { t.Agent = "bob" }))
	e.reopen(t, Fingerprint)
	text := func(docs []memory.Document) (list []string) {
		for _, d := range docs {
			if d.Corpus != memory.Thinking || d.Calls != "" {
				t.Errorf("%s", asJSON(d))
			}
			list = append(list, d.Session+": "+d.Content)
		}
		slices.Sort(list)
		return list
	}
	all := e.after(t, memory.Thinking, agent, 0, 10)
	if got := text(all); !slices.Equal(got, []string{"one: ferries are slow", "two: harbours are deep"}) {
		t.Fatalf("after: %q", got)
	}
	if got := text(e.after(t, memory.Thinking, agent, all[0].Seq, 10)); !slices.Equal(got, []string{"two: harbours are deep"}) {
		t.Errorf("after the first: %q", got)
	}
	if got := e.after(t, memory.Thinking, agent, 0, 1); len(got) != 1 || got[0].Seq != all[0].Seq {
		t.Errorf("one: %s", asJSON(got))
	}
	turns := e.after(t, memory.Conversations, agent, 0, 10)
	seqs := make([]int64, len(turns))
	for i, d := range turns {
		seqs[i] = d.Seq
	}
	for session, want := range map[string][]string{"": {"one: ferries are slow", "two: harbours are deep"},
		"two": {"two: harbours are deep"}, "s": nil} {
		f := memory.Filter{Agent: agent, Session: session}
		docs, err := e.Documents(t.Context(), memory.Thinking, f, seqs)
		if got := text(docs); err != nil || !slices.Equal(got, want) {
			t.Errorf("documents of %q: %q, %v", session, got, err)
		}
		for _, d := range docs {
			if d.ID != first.ID && d.ID != other.ID || d.Kind != memory.KindTurn {
				t.Errorf("%s", asJSON(d))
			}
		}
		if chosen, err := e.Select(t.Context(), memory.Thinking, f); err != nil || len(chosen) != len(want) {
			t.Errorf("select of %q: %v, %v", session, chosen, err)
		}
		if newest, err := e.Newest(t.Context(), memory.Thinking, f, 0, 1); err != nil || len(newest) != min(1, len(want)) ||
			len(want) == 2 && newest[0] != all[1].Seq {
			t.Errorf("newest of %q: %v, %v", session, newest, err)
		}
	}
}
