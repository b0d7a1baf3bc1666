package recall_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestUndoneSuccessionsAreHeard: what somebody brought back is no earlier version,
// not doubted, and comes before what had taken its place.
func TestUndoneSuccessionsAreHeard(t *testing.T) {
	for question, c := range map[string][2]string{
		"Where do I live?":           {"I live in Groningen.", "I have moved to Maastricht."},
		"Who is my dentist?":         {"My dentist is Dr. Amadi.", "My dentist is now Dr. Okonkwo."},
		"What do you know about me?": {"I work at Blankwerk.", "I now work at Harrow."},
		"Where is my home?":          {"I live in Trieste.", "From May 2027 I live in Bergen."},
		"Which phone do I have?":     {"My phone is a Pixel 7.", "My phone is now a Nokia G42."},
	} {
		ann := memory.Scope{Agent: "ann"}
		b := newBank(t, builtin())
		s := b.service(b.Store)
		b.tell(t, ann, "I sing alto in a choir.", "The mirror listens on port 8730.")
		old := b.tell(t, ann, c[0])[0]
		b.pass(24 * time.Hour)
		got, err := b.all.Remember.Save(t.Context(), ann, remember.SaveRequest{Content: c[1]})
		if err != nil || got.UndoID == "" {
			t.Fatalf("%s: nothing was superseded: %+v, %v", c[1], got, err)
		}
		if _, err := b.all.Remember.Forget(t.Context(), ann, remember.ForgetRequest{Undo: got.UndoID}); err != nil {
			t.Fatal(err)
		}
		versions, answer := earlierIn(t, s, ann, question)
		if len(versions) > 0 {
			t.Errorf("%s: earlier %q", question, said(versions))
		}
		for _, r := range answer.Results {
			if r.ID == got.ID {
				t.Errorf("%s: %q, what had taken its place comes first", question, contents(answer.Results))
			}
			if r.ID == old {
				if r.OutdatedBy != "" || r.DoubtedBy != "" {
					t.Errorf("%s: %q is out of date", question, r.Content)
				}
				break
			}
		}
	}
}
