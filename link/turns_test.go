package link_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// speak stores messages of an agent's conversation.
func (w *world) speak(agent string, turns ...memory.Turn) {
	w.t.Helper()
	for i := range turns {
		t := &turns[i]
		t.ID, t.Agent, t.CreatedAt = w.ids.New(), agent, w.clock()
		if t.SaidAt.IsZero() {
			t.SaidAt = w.clock()
		}
	}
	err := w.store.Write(w.t.Context(), agent, func(tx memory.Tx) error { _, err := tx.InsertTurns(turns, nil); return err })
	if err != nil {
		w.t.Fatal(err)
	}
}

// spoken are the messages of an agent, as "session/role/speaker: content".
func (w *world) spoken(agent string) (list []string) {
	w.t.Helper()
	err := w.store.EachTurn(w.t.Context(), agent, func(t memory.Turn) error {
		list = append(list, t.Session+"/"+string(t.Role)+"/"+t.Speaker+": "+t.Content)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

var turnsNamed = link.Part{Kinds: []memory.Kind{memory.KindTurn}}

func TestConversationsAreCopiedWhenNamed(t *testing.T) {
	w := newWorld(t)
	w.speak(bob,
		memory.Turn{Session: "monday", Role: memory.RoleUser, Speaker: "user", Content: "The ferry leaves at nine.", ExternalID: "m1",
			Metadata: json.RawMessage(`{"page":7}`)},
		memory.Turn{Session: "monday", Role: memory.RoleAssistant, Speaker: "assistant", Content: "Noted.",
			Metadata: json.RawMessage("null"), Details: &memory.TurnDetails{Thinking: "zthought", Tokens: 3}},
		memory.Turn{Session: "monday", Role: memory.RoleUser, Speaker: "Marta", Content: "The password of the safe is zpassword77."},
		memory.Turn{Session: "monday", Role: memory.RoleAssistant, Speaker: "assistant", Content: "Looking.", Details: &memory.TurnDetails{
			ToolCalls: []memory.ToolCall{{Name: "read", Result: "api_key = sk-proj-9f8e7d6c5b4a3021f9e8d7c6b5a40312"}}}},
		memory.Turn{Session: "monday", Role: memory.RoleUser, Speaker: "Marta", Content: "And back at ten."})
	before := w.spoken(bob)
	if shared := w.link(link.Part{}, link.Part{}); len(w.spoken(ann)) != 0 || shared.LeftOut["turn"] != 5 {
		t.Fatalf("unnamed: %q, %v", w.spoken(ann), shared.LeftOut)
	}
	shared := w.link(link.Part{}, turnsNamed)
	want := []string{"monday (bob)//user (bob): The ferry leaves at nine.", "monday (bob)//assistant (bob): Noted.",
		"monday (bob)//Marta: And back at ten."}
	if got := w.spoken(ann); !slices.Equal(got, want) || shared.Copied != 3 || shared.Withheld != 2 {
		t.Errorf("%+v\n%q, want\n%q", shared, got, want)
	}
	if left := (map[string]int{"turn": 2, "thinking": 1, "fact": 1}); !maps.Equal(shared.LeftOut, left) {
		t.Errorf("left out %v, want %v", shared.LeftOut, left)
	}
	copied, err := w.store.Turns(t.Context(), ann, "monday (bob)", 0, 0)
	if err != nil || len(copied) != 3 || strings.Contains(string(copied[1].Metadata), "zthought") || copied[1].Details == nil ||
		copied[1].Details.Thinking != "" {
		t.Fatalf("%+v, %v", copied, err)
	}
	var metadata struct {
		Page int
		Link link.Provenance
	}
	if err := json.Unmarshal(copied[0].Metadata, &metadata); err != nil || metadata.Page != 7 || metadata.Link.FromAgent != bob ||
		metadata.Link.ExternalID != "m1" || metadata.Link.LinkID != shared.ID {
		t.Errorf("metadata %+v, %v", metadata, err)
	}
	if !reflect.DeepEqual(w.spoken(bob), before) {
		t.Error("the sharer's conversations have changed")
	}

	// Again copies what is new, and what came from somebody does not go back to them.
	w.speak(bob, memory.Turn{Session: "monday", Role: memory.RoleUser, Speaker: "user", Content: "Bring a coat."})
	if shared := w.link(turnsNamed, turnsNamed); shared.Copied != 1 || shared.Skipped != 3 {
		t.Errorf("again %+v", shared)
	}
	l, err := w.Request(t.Context(), bob, link.Request{Agent: ann, Part: turnsNamed})
	if err != nil {
		t.Fatal(err)
	}
	back, err := w.Share(t.Context(), ann, link.Offer{LinkID: l.ID, Part: turnsNamed})
	if err != nil || back.Copied != 0 || back.Skipped != 4 {
		t.Errorf("back %+v, %v", back, err)
	}
}

// Conversations go only where both sides allow them: by kind, time and, as they have
// none, without a category.
func TestConversationsAreNarrowed(t *testing.T) {
	day := func(n int) time.Time { return start.AddDate(0, 0, n) }
	for name, c := range map[string]struct {
		asked, offered link.Part
		want           int
	}{
		"named by both": {turnsNamed, turnsNamed, 2},
		"since":         {link.Part{Since: day(2)}, turnsNamed, 1},
		"of a category": {link.Part{}, link.Part{Kinds: turnsNamed.Kinds, Categories: []string{"goal"}}, 0},
		"not asked for": {link.Part{Kinds: []memory.Kind{memory.KindFact}},
			link.Part{Kinds: []memory.Kind{memory.KindFact, memory.KindTurn}}, 0},
		"secrets, named": {link.Part{}, link.Part{Kinds: turnsNamed.Kinds, Categories: []string{"secret"}}, 1},
	} {
		w := newWorld(t)
		w.speak(bob,
			memory.Turn{Session: "s", Role: memory.RoleUser, Speaker: "user", Content: "One.", SaidAt: day(1)},
			memory.Turn{Session: "s", Role: memory.RoleUser, Speaker: "user", Content: "Two.", SaidAt: day(3)},
			memory.Turn{Session: "s", Role: memory.RoleUser, Speaker: "user", Content: "The password of the safe is zpassword77.",
				SaidAt: day(1)})
		w.link(c.asked, c.offered)
		if got := w.spoken(ann); len(got) != c.want {
			t.Errorf("%s: %q, want %d", name, got, c.want)
		}
	}
	w := newWorld(t)
	_, err := w.Share(t.Context(), bob, link.Offer{LinkID: w.ask(turnsNamed).ID})
	wantCode(t, err, memory.CodeInvalidArgument, "turn are shared only if you name them")
}

// What stays is counted by kind, for the sharer alone.
func TestLeftOutIsCounted(t *testing.T) {
	w := newWorld(t)
	w.save(bob, remember.SaveRequest{Content: "I keep promises.", Kind: memory.KindSoul})
	w.say(bob, "The password of the safe is zpassword77.")
	w.forget(bob, remember.ForgetRequest{IDs: []string{w.say(bob, "Bob collects stamps.")}})
	w.correct(bob, w.say(bob, "The pier has two lamps."), "The pier has three lamps.")
	w.save(bob, remember.SaveRequest{Content: "Bob met Carol.", Kind: memory.KindEpisode})
	err := w.store.Write(t.Context(), bob, func(tx memory.Tx) error {
		err := tx.InsertTodo(memory.Todo{ID: w.ids.New(), Agent: bob, Title: "Oil the crane", Priority: memory.PriorityNormal,
			CreatedAt: start})
		if err != nil {
			return err
		}
		return tx.InsertEvent(memory.CalendarEvent{ID: w.ids.New(), Agent: bob, Title: "Regatta", StartsAt: start, TimeZone: "UTC",
			LastStart: start, CreatedAt: start})
	})
	if err != nil {
		t.Fatal(err)
	}
	shared := w.link(link.Part{Kinds: []memory.Kind{memory.KindFact}}, link.Part{})
	want := map[string]int{"soul": 1, "fact": 1, "episode": 1, "archived": 1, "superseded": 1, "todo": 1, "calendar": 1}
	if shared.Copied != 2 || !maps.Equal(shared.LeftOut, want) {
		t.Errorf("copied %d, left out %v, want %v", shared.Copied, shared.LeftOut, want)
	}
}
