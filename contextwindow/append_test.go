package contextwindow_test

import (
	"encoding/json"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

func TestAppendFlushesThenCompacts(t *testing.T) {
	b := newBank(t)
	var actions []contextwindow.Action
	for i := range 30 {
		r := b.append(filler(i, 100))
		actions = append(actions, r.Action)
		switch {
		case r.Before.Percent < 60 && r.Action != contextwindow.ActionNone,
			r.Before.Percent >= 70 && r.Action != contextwindow.ActionCompacted:
			t.Errorf("append %d: %s at %.1f %%", i, r.Action, r.Before.Percent)
		case r.Utilization.Percent > 100:
			t.Errorf("append %d: %.1f %% after", i, r.Utilization.Percent)
		}
		if r.Action != contextwindow.ActionCompacted {
			continue
		}
		if len(r.Messages) != 5 || r.Messages[0].Role != memory.RoleSystem || !strings.Contains(r.Messages[0].Content, r.Summary) ||
			r.Summary == "" {
			t.Errorf("append %d: %d messages, the first %q; want the summary %q and 4", i, len(r.Messages),
				r.Messages[0].Content, r.Summary)
		}
		if r.Messages[4].Content != filler(i, 100).Content {
			t.Errorf("append %d: the last message is %q", i, r.Messages[4].Content)
		}
		if r.Utilization.TurnsInContext != 4 || r.Utilization.CompressedTurns != i-3 || r.Utilization.CompressionRatio >= 1 {
			t.Errorf("append %d: %+v", i, r.Utilization)
		}
	}
	first := slices.Index(actions, contextwindow.ActionFlushed)
	second := slices.Index(actions, contextwindow.ActionCompacted)
	if first != 9 || second < 10 || second > 11 { // 100 of 1,600 tokens each
		t.Errorf("flushed at %d, compacted at %d: %v", first, second, actions)
	}
	if turns := b.turns(); len(turns) != 30 {
		t.Errorf("%d turns are there, want 30", len(turns))
	}
	facts := b.facts()
	if w := b.window(); len(facts) != w.Flushed || w.Flushed < w.Compacted {
		t.Errorf("%d facts, window %+v", len(facts), w)
	}
	for _, fact := range facts {
		if strings.Count(b.file("MEMORY.md"), fact) != 1 {
			t.Errorf("MEMORY.md does not have %q once", fact)
		}
	}
	if lines := strings.Count(b.file(session+".jsonl"), "\n"); lines != 30 {
		t.Errorf("%d lines in the session's file", lines)
	}
	if b.file("HISTORY.md") == "" {
		t.Error("HISTORY.md is empty")
	}
}

func TestFactsKnowTheirTurn(t *testing.T) {
	b := newBank(t)
	said := start.Add(-48 * time.Hour)
	b.append(contextwindow.Message{Role: memory.RoleUser, Content: "My cat is Whiskerino", TS: said})
	r, err := b.Compact(t.Context(), contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush})
	if err != nil || r.Action != contextwindow.ActionFlushed || len(r.FactsSaved) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	records, err := b.store.Records(t.Context(), anna.Agent, r.FactsSaved)
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	f := records[0]
	var from struct{ Session, Turn string }
	if err := json.Unmarshal(f.Provenance, &from); err != nil {
		t.Fatal(err)
	}
	turns, err := b.store.Turns(t.Context(), anna.Agent, session, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if from.Session != session || from.Turn != turns[0].ID || f.Source != memory.SourceAgent || !f.OccurredAt.Equal(said) ||
		f.Category != "identity" {
		t.Errorf("fact %+v, provenance %s", f, f.Provenance)
	}
}

func TestBadMessages(t *testing.T) {
	b := newBank(t)
	long := strings.Repeat("x", memory.MaxTurnBytes)
	for name, c := range map[string]struct {
		message contextwindow.Message
		code    memory.Code
		names   string
	}{
		"unknown role":    {contextwindow.Message{Role: "robot", Content: "x"}, memory.CodeInvalidArgument, "messages[1].role"},
		"no role":         {contextwindow.Message{Content: "x"}, memory.CodeInvalidArgument, "messages[1].role"},
		"empty":           {say(" \n"), memory.CodeInvalidArgument, "messages[1].content"},
		"more than 1 MiB": {say(long + "x"), memory.CodeTooLarge, "messages[1].content"},
		"not UTF-8":       {say("\xff"), memory.CodeInvalidArgument, "messages[1].content"},
		"nameless call": {contextwindow.Message{Role: memory.RoleAssistant, ToolCalls: []memory.ToolCall{{}}},
			memory.CodeInvalidArgument, "messages[1].tool_calls[0].name"},
		"arguments no JSON": {contextwindow.Message{Role: memory.RoleAssistant,
			ToolCalls: []memory.ToolCall{{Name: "f", Arguments: json.RawMessage("{")}}},
			memory.CodeInvalidArgument, "tool_calls[0].arguments"},
		"long external id": {contextwindow.Message{Role: memory.RoleUser, Content: "x", ExternalID: strings.Repeat("i", 300)},
			memory.CodeTooLarge, "external_id"},
	} {
		_, err := b.Append(t.Context(),
			contextwindow.AppendRequest{Scope: anna, Session: session, Messages: []contextwindow.Message{say("fine"), c.message}})
		wantCode(t, err, c.code)
		if err == nil || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v does not name %s", name, err, c.names)
		}
	}
	for name, r := range map[string]contextwindow.AppendRequest{
		"no session":     {Scope: anna, Messages: []contextwindow.Message{say("x")}},
		"small window":   {Scope: anna, Session: session, Total: 100, Messages: []contextwindow.Message{say("x")}},
		"nameless event": {Scope: anna, Session: session, Events: []contextwindow.Event{{Content: "x"}}},
	} {
		_, err := b.Append(t.Context(), r)
		if memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := b.Append(t.Context(),
		contextwindow.AppendRequest{Scope: anna, Session: session, Messages: make([]contextwindow.Message, 501)})
	wantCode(t, err, memory.CodeTooLarge)
	if turns := b.turns(); len(turns) != 0 {
		t.Errorf("%d turns were stored", len(turns))
	}
	r := b.append(say(long))
	if r.Utilization.Percent > 100 || r.Utilization.Recommendation != contextwindow.RecommendEmergency {
		t.Errorf("1 MiB: %+v", r.Utilization)
	}
	if turns := b.turns(); len(turns) != 1 || turns[0] != long {
		t.Error("a message of 1 MiB was not kept as it is")
	}
}

func TestClocksThatGoBack(t *testing.T) {
	b := newBank(t)
	for i, text := range []string{"third", "first", "second"} {
		b.append(contextwindow.Message{Role: memory.RoleUser, Content: text, TS: start.Add(-time.Duration(i) * time.Hour)})
	}
	if turns := b.turns(); !slices.Equal(turns, []string{"third", "first", "second"}) {
		t.Errorf("turns %q are not in order of arrival", turns)
	}
}

func TestRepetitions(t *testing.T) {
	at := func(m contextwindow.Message, minutes int) contextwindow.Message {
		m.TS = start.Add(time.Duration(minutes) * time.Minute)
		return m
	}
	named := func(m contextwindow.Message, id string) contextwindow.Message {
		m.ExternalID = id
		return m
	}
	type call []contextwindow.Message
	for name, c := range map[string]struct {
		calls []call
		want  []string
	}{
		"the same id": {[]call{{named(say("a"), "1")}, {named(say("a"), "1")}}, []string{"a"}},
		"the same id with other content": {[]call{{named(say("a"), "1")}, {named(say("b"), "1"), named(say("c"), "2")}},
			[]string{"a", "c"}},
		"an id twice in a call": {[]call{{named(say("a"), "1"), named(say("b"), "1")}}, []string{"a"}},
		"other ids, the same content": {[]call{{named(say("a"), "1"), named(say("b"), "2")},
			{named(say("a"), "3"), named(say("b"), "4")}}, []string{"a", "b", "a", "b"}},
		"yes twice":                          {[]call{{say("yes")}, {say("yes")}}, []string{"yes", "yes"}},
		"yes twice in a call":                {[]call{{say("yes"), say("yes")}}, []string{"yes", "yes"}},
		"one message again at the same time": {[]call{{at(say("yes"), 1)}, {at(say("yes"), 1)}}, []string{"yes"}},
		"one message again at another time":  {[]call{{at(say("yes"), 1)}, {at(say("yes"), 2)}}, []string{"yes", "yes"}},
		"a call again":                       {[]call{{say("a"), answer("b")}, {say("a"), answer("b")}}, []string{"a", "b"}},
		"a call again at other times": {[]call{{at(say("a"), 1), at(answer("b"), 2)}, {at(say("a"), 3), at(answer("b"), 4)}},
			[]string{"a", "b", "a", "b"}},
		"the whole history and one more": {[]call{{say("a"), answer("b")}, {say("a"), answer("b"), say("c")}},
			[]string{"a", "b", "c"}},
		"the end of the history and one more": {[]call{{say("a"), answer("b"), say("c")}, {answer("b"), say("c"), answer("d")}},
			[]string{"a", "b", "c", "d"}},
		"a late repetition of the first call": {[]call{{say("a"), answer("b")}, {say("c"), answer("d")}, {say("a"), answer("b")}},
			[]string{"a", "b", "c", "d"}},
		"the history in pieces": {[]call{{say("a"), say("b"), say("c"), say("d"), say("e")}, {say("a"), say("b")},
			{say("c"), say("d")}, {say("e"), say("f")}}, []string{"a", "b", "c", "d", "e", "f"}},
		"another role": {[]call{{say("a"), say("b")}, {answer("a"), answer("b")}}, []string{"a", "b", "a", "b"}},
		"only the last is the same": {[]call{{say("a"), answer("yes")}, {answer("yes"), say("b")}},
			[]string{"a", "yes", "yes", "b"}},
		"the last at the same time, and a new": {[]call{{at(say("a"), 1)}, {at(say("a"), 1), at(say("b"), 2)}}, []string{"a", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			for _, messages := range c.calls {
				b.append(messages...)
				b.later(time.Second)
			}
			if got := b.turns(); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestAnswerLost: a call that is tried again after a compaction gets the
// shorter history again.
func TestAnswerLost(t *testing.T) {
	b := newBank(t)
	report := func() contextwindow.Result {
		return b.append(filler(0, 1200), answer("a"), answer("b"), answer("c"), answer("d"))
	}
	first := report()
	again := report()
	if first.Action != contextwindow.ActionCompacted || again.Action != contextwindow.ActionNone || again.Appended != 0 ||
		!reflect.DeepEqual(again.Messages, first.Messages) {
		t.Errorf("%s with %d messages, then %s with %d", first.Action, len(first.Messages), again.Action, len(again.Messages))
	}
	if r := b.append(say("on")); r.Messages != nil {
		t.Errorf("a message that is new brings %d back", len(r.Messages))
	}
	if r := report(); r.Appended != 0 || r.Messages != nil {
		t.Errorf("what was said long ago: %d stored, %d messages", r.Appended, len(r.Messages))
	}
}

// TestOtherContent: an external id names one message. What comes under it with
// another content is not stored, and the caller learns it.
func TestOtherContent(t *testing.T) {
	b := newBank(t)
	named := func(id, content string) contextwindow.Message {
		return contextwindow.Message{Role: memory.RoleUser, Content: content, ExternalID: id}
	}
	b.append(named("1", "one"), named("2", "two"))
	r := b.append(named("1", "one"), named("2", "more than two"), named("3", "three"), named("3", "four"))
	if r.Appended != 1 || !slices.Equal(r.Differing, []string{"2", "3"}) || !slices.Equal(b.turns(), []string{"one", "two", "three"}) {
		t.Errorf("%d stored, %q differ, turns %q", r.Appended, r.Differing, b.turns())
	}
}

// TestManyTurns: a report costs the same however many turns are live.
func TestManyTurns(t *testing.T) {
	b := newBank(t, func(o *contextwindow.Options) { o.Settings.Total, o.Files = 1<<24, nil })
	names := memory.NewIDs(b.clock)
	grow := func(n int) {
		for range n {
			messages := make([]contextwindow.Message, memory.MaxBatch)
			for i := range messages {
				messages[i] = contextwindow.Message{Role: memory.RoleUser, Content: "x", ExternalID: names.New()}
			}
			b.append(messages...)
		}
	}
	grow(1)
	few := allocated(func() { b.append(say("few")) })
	grow(9)
	if many := allocated(func() { b.append(say("many")) }); many > 3*few {
		t.Errorf("%d bytes with 5,000 turns, %d with 500", many, few)
	}
}

// allocated returns the fewest bytes that fn took in several runs.
func allocated(fn func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 9 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fn()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

func TestRepeatedCallsOfTools(t *testing.T) {
	b := newBank(t)
	messages := []contextwindow.Message{
		{Role: memory.RoleAssistant,
			ToolCalls: []memory.ToolCall{{ID: "c1", Name: "read", Arguments: json.RawMessage(`{ "path": "<a & b>" }`)}}},
		{Role: memory.RoleTool, Content: "text", ToolCallID: "c1"},
	}
	b.append(messages...)
	if r := b.append(messages...); r.Appended != 0 {
		t.Errorf("%d appended again", r.Appended)
	}
	messages[0].ToolCalls[0].Arguments = json.RawMessage(`{"path": "other"}`)
	if r := b.append(messages...); r.Appended != 2 {
		t.Errorf("%d appended of a call with other arguments", r.Appended)
	}
}

// TestHandedBack: after a compaction the host sends the messages that it got,
// and one more.
func TestHandedBack(t *testing.T) {
	b := newBank(t)
	var r contextwindow.Result
	n := 0
	for ; r.Action != contextwindow.ActionCompacted; n++ {
		r = b.append(filler(n, 150))
	}
	r = b.append(append(r.Messages, say("and on"))...)
	if r.Appended != 1 || len(b.turns()) != n+1 {
		t.Errorf("%d appended, %d turns; want 1 and %d", r.Appended, len(b.turns()), n+1)
	}
}

// TestHandedBackAfterAPrompt: the host's own system prompt stands before what
// it got, and what was assembled comes back whole.
func TestHandedBackAfterAPrompt(t *testing.T) {
	b := newBank(t)
	prompt := contextwindow.Message{Role: memory.RoleSystem, Content: "You are a clerk."}
	history, sent := []contextwindow.Message{prompt}, 0
	for i := range 30 {
		history, sent = append(history, filler(i, 150)), sent+1
		if r := b.append(history...); r.Messages != nil {
			history = append([]contextwindow.Message{prompt}, r.Messages...)
		}
	}
	if w := b.window(); w.Compacted == 0 || w.Turns != sent+1 {
		t.Errorf("%d turns of %d messages and a prompt, %d compacted", w.Turns, sent, w.Compacted)
	}
	made := b.assemble(contextwindow.AssembleRequest{SystemPrompt: prompt.Content, Task: "file it"}).Messages
	if r := b.append(append(made, say("done"))...); r.Appended != 1 {
		t.Errorf("%d appended of an assembled prompt and a message", r.Appended)
	}
	other := contextwindow.Message{Role: memory.RoleSystem, Content: "You are a pilot."}
	if r := b.append(other, say("done again")); r.Appended != 2 {
		t.Errorf("%d appended of another prompt and a message", r.Appended)
	}
}

func TestEvents(t *testing.T) {
	b := newBank(t)
	request := contextwindow.AppendRequest{
		Scope: anna, Session: session, Messages: []contextwindow.Message{say("a"), answer("b")},
		Events: []contextwindow.Event{
			{Type: "deployed", Content: "v2", TaskID: "abc"}, {Type: "deployed", Content: "v2", TaskID: "abc"},
			{Type: "timed", Content: "x", TS: start}, {Type: "named", Content: "y", ExternalID: "e1"},
		},
	}
	for range 2 {
		if _, err := b.Append(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	events, err := b.store.Events(t.Context(), anna.Agent, session, 100)
	if err != nil || len(events) != 4 {
		t.Errorf("%d events, %v; want 4", len(events), err)
	}
}

func TestStoredTurn(t *testing.T) {
	b := newBank(t)
	call := memory.ToolCall{ID: "1", Name: "git_commit", Arguments: json.RawMessage(`{"m":"x"}`), Result: "ok"}
	r, err := b.Append(t.Context(), contextwindow.AppendRequest{
		Scope: anna, Session: session, Source: "hook", Messages: []contextwindow.Message{
			{Role: memory.RoleAssistant, Name: "Coder", Content: "done", Thinking: strings.Repeat("hm ", 500),
				ToolCalls: []memory.ToolCall{call}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	turns, err := b.store.Turns(t.Context(), anna.Agent, session, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := turns[0].Details
	if got == nil || got.InputSource != "hook" || got.Classification != memory.ClassProductive ||
		!reflect.DeepEqual(got.ToolCalls, []memory.ToolCall{call}) || turns[0].Speaker != "Coder" {
		t.Errorf("turn %+v, details %+v", turns[0], got)
	}
	if got.Tokens < 10 || got.Tokens > 60 || r.Utilization.UsedTokens != got.Tokens {
		t.Errorf("%d tokens, %d used: thinking must not count", got.Tokens, r.Utilization.UsedTokens)
	}
}

// Who speaks under a name is known afterwards, once for each message that is new.
func TestSpeakersAreMet(t *testing.T) {
	b := newBank(t)
	marta := contextwindow.Message{Role: memory.RoleUser, Name: "Marta", Content: "Is the tower open?", ExternalID: "m1"}
	b.append(marta, contextwindow.Message{Role: memory.RoleAssistant, Name: "Hal", Content: "From ten."},
		contextwindow.Message{Role: memory.RoleUser, Content: "Thanks."})
	b.append(marta)
	b.append(contextwindow.Message{Role: memory.RoleUser, Name: "Marta", Content: "And on Monday?"})
	list, _, err := b.store.List(t.Context(), memory.CatalogFilter{Agent: anna.Agent, Kind: memory.KindRelationship})
	if err != nil || len(list) != 1 || list[0].Relationship.Party != "Marta" || list[0].Relationship.Interactions != 2 {
		t.Errorf("known: %+v, %v", list, err)
	}
}
