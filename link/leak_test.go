package link_test

import (
	"encoding/json"
	"strings"
	"testing"

	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// everywhere is all that an agent can see of its bank, its links and its log.
func (w *world) everywhere(agent string) string {
	w.t.Helper()
	var seen []any
	add := func(v any, err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
		seen = append(seen, v)
	}
	add(w.records(agent), nil)
	add(w.store.AuditLog(w.t.Context(), agent, 1000))
	add(w.store.Links(w.t.Context(), agent, 1000))
	add(w.store.Vocabulary(w.t.Context(), memory.Memories, agent))
	add(w.store.Stats(w.t.Context(), agent))
	all, err := json.Marshal(seen)
	add(nil, err)
	return strings.ToLower(string(all))
}

// TestNothingLeaks marks what each agent has and looks for the marks of the
// others before and after a link, of which all answers but one are refused.
func TestNothingLeaks(t *testing.T) {
	w := newWorld(t)
	for _, agent := range []string{ann, bob, eve} {
		w.say(agent, "The open word of "+agent+" is zopen"+agent+".")
		w.save(agent, remember.SaveRequest{Content: "I believe in zsoul" + agent + ".", Kind: memory.KindSoul})
		w.save(agent, remember.SaveRequest{Content: "Not for all: ztag" + agent + ".", Tags: []string{"private"}})
		w.say(agent, "The password of the safe is zpass"+agent+".")
		w.forget(agent, remember.ForgetRequest{IDs: []string{w.say(agent, "Long gone is zgone"+agent+".")}})
		w.correct(agent, w.say(agent, "Once it was zonce"+agent+"."), "Now it is zthen"+agent+".")
	}
	marks := []string{"zopen", "zsoul", "ztag", "zpass", "zgone", "zonce", "zthen"}
	check := func(when string, may map[string]bool) {
		t.Helper()
		for _, agent := range []string{ann, bob, eve} {
			all := w.everywhere(agent)
			for _, of := range []string{ann, bob, eve} {
				for _, mark := range marks {
					if want := agent == of || may[agent+" "+mark+of]; strings.Contains(all, mark+of) != want {
						t.Errorf("%s: that %s has %s of %s is %v", when, agent, mark, of, !want)
					}
				}
			}
		}
	}
	check("at first", nil)
	id := w.ask(link.Part{}).ID
	for _, agent := range []string{ann, eve} {
		if _, err := w.Share(t.Context(), agent, link.Offer{LinkID: id}); err == nil {
			t.Errorf("%s could share", agent)
		}
	}
	check("asked", nil)
	w.share(link.Offer{LinkID: id})
	check("shared", map[string]bool{"ann zopenbob": true, "ann zthenbob": true})
	l, err := w.Request(t.Context(), bob, link.Request{Agent: ann})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Decline(t.Context(), ann, l.ID, ""); err != nil {
		t.Fatal(err)
	}
	check("declined", map[string]bool{"ann zopenbob": true, "ann zthenbob": true})
}

// TestForgettingALinkAsAWhole takes soul entries along, comes back, and when
// it is erased the link can be made again.
func TestForgettingALinkAsAWhole(t *testing.T) {
	w := newWorld(t)
	office := w.say(bob, "The office is in Rome.")
	w.save(bob, remember.SaveRequest{Content: "Kindness wins.", Kind: memory.KindSoul})
	first := w.link(link.Part{}, link.Part{Kinds: memory.Kinds()})
	w.later(1)
	w.correct(bob, office, "The office is in Oslo.")
	second := w.link(link.Part{}, link.Part{})
	if first.Copied != 3 || second.Copied != 1 {
		t.Fatalf("copied %d and %d", first.Copied, second.Copied)
	}
	mine := w.say(ann, "Ann stays.")
	forgotten := w.forget(ann, remember.ForgetRequest{LinkID: first.ID, Reason: "no longer friends"})
	if forgotten.Forgotten != 3 { // what the second link corrected is of the first
		t.Errorf("%+v", forgotten)
	}
	w.wantContents(ann, "The office is in Oslo.")
	if back := w.forget(ann, remember.ForgetRequest{Undo: forgotten.UndoID}); len(back.IDs) != 3 {
		t.Errorf("%+v", back)
	}
	w.wantContents(ann, "I am bob.", "Kindness wins.", "The office is in Oslo.")
	for _, id := range []string{first.ID, second.ID} {
		w.forget(ann, remember.ForgetRequest{LinkID: id})
		w.forget(ann, remember.ForgetRequest{LinkID: id, Permanent: true, Confirm: true})
	}
	if left := w.records(ann); len(left) != 2 || left[1].ID != mine {
		t.Errorf("left %+v", left)
	}
	if again := w.link(link.Part{}, link.Part{}); again.Copied != 2 || again.Skipped != 0 {
		t.Errorf("again %+v", again)
	}
	if len(w.linked(bob)) != 0 || len(w.records(bob)) != 4 {
		t.Errorf("bob has %d", len(w.records(bob)))
	}
}
