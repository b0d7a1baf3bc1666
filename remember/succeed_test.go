package remember_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// hear saves a fact a minute after the last one.
func (b *bank) hear(content string) remember.SaveResult {
	b.t.Helper()
	b.later()
	return b.say(content)
}

// live returns the contents of the live records.
func (b *bank) live() []string {
	b.t.Helper()
	var list []string
	for _, r := range b.records() {
		if r.Live() {
			list = append(list, r.Content)
		}
	}
	return list
}

// wantLive fails unless exactly these contents are live, in order of arrival.
func (b *bank) wantLive(want ...string) {
	b.t.Helper()
	if got := b.live(); !slices.Equal(got, want) {
		b.t.Errorf("live are %q, want %q", got, want)
	}
}

// relation is how an answer relates to a record.
func relation(r remember.SaveResult, id string) remember.Relation {
	for _, s := range r.Similar {
		if s.ID == id {
			return s.Relation
		}
	}
	return ""
}

func TestLaterStateSupersedes(t *testing.T) {
	b := newBank(t)
	old := b.hear("I live in Groningen.")
	b.hear("My dentist is Dr. Amadi.")
	got := b.hear("I have moved to Maastricht.")
	if got.Action != remember.Superseded || fmt.Sprint(got.Superseded) != fmt.Sprint([]string{old.ID}) || got.UndoID == "" ||
		len(got.Similar) > 0 {
		t.Errorf("%+v", got)
	}
	b.wantLive("My dentist is Dr. Amadi.", "I have moved to Maastricht.")
	r := b.record(old.ID)
	if r.SupersededBy != got.ID || !r.ValidUntil.Equal(b.now) || len(r.History) != 2 {
		t.Errorf("the old one: %+v", r)
	}
	if again := b.hear("I have moved to Maastricht."); again.Action != remember.Duplicate || len(again.Superseded) > 0 {
		t.Errorf("the same again: %+v", again)
	}
}

func TestUndoOfSuperseding(t *testing.T) {
	b := newBank(t)
	old := b.save(remember.SaveRequest{Content: "I live in Groningen.", ValidUntil: start.AddDate(1, 0, 0)})
	before := b.record(old.ID).Record
	got := b.hear("I have moved to Maastricht.")
	done, err := b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: got.UndoID})
	if err != nil || !slices.Contains(done.IDs, old.ID) || len(done.Missing) > 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	b.wantLive("I live in Groningen.", "I have moved to Maastricht.")
	if after := b.record(old.ID); fmt.Sprintf("%+v", after.Record) != fmt.Sprintf("%+v", before) || after.History != nil {
		t.Errorf("got  %+v\nwant %+v", after.Record, before)
	}
	if r := b.record(got.ID); r.Supersedes != "" || !r.ValidFrom.IsZero() {
		t.Errorf("the new one: %+v", r)
	}
	_, err = b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: got.UndoID})
	wantCode(t, err, memory.CodeConflict)
}

// Undo and redo give back all, though the store keeps microseconds and a clock gives nanoseconds.
func TestUndoBelowMicroseconds(t *testing.T) {
	b := newBank(t)
	b.now = b.now.Add(123456789 * time.Nanosecond)
	saved := b.save(remember.SaveRequest{Content: "I live in Groningen."})
	b.later()
	end := start.AddDate(1, 0, 0).Add(987 * time.Nanosecond)
	if _, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: saved.ID, ValidUntil: &end}); err != nil {
		t.Fatal(err)
	}
	log, err := b.Log(t.Context(), anna, "", 1)
	if err != nil || len(log) != 1 {
		t.Fatal(log, err)
	}
	if _, err := b.TakeBack(t.Context(), anna, log[0].ID); err != nil {
		t.Fatal(err)
	}
	if r := b.record(saved.ID); !r.ValidUntil.IsZero() {
		t.Errorf("the end stays: %s", r.ValidUntil)
	}
	b.later()
	if _, err := b.TakeBack(t.Context(), anna, saved.ID); err != nil {
		t.Fatal(err)
	}
	b.later()
	if _, err := b.Redo(t.Context(), anna, saved.ID); err != nil {
		t.Fatal(err)
	}
	b.wantLive("I live in Groningen.")
}

// What somebody brought back is named by a save that says the same as the one that
// was undone, and not superseded again; by what says something new it is.
func TestBroughtBackStays(t *testing.T) {
	for _, c := range [][4]string{
		{"I live in Groningen.", "I have moved to Maastricht.", "I live in Maastricht now.", "I have moved to Ghent."},
		{"I work at Blankwerk.", "I now work at Harrow.", "I work at Harrow now.", "I now work at Tessellate."},
	} {
		b := newBank(t)
		old := b.hear(c[0])
		b.later()
		wrong := b.hear(c[1])
		if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: wrong.UndoID}); err != nil {
			t.Fatal(err)
		}
		b.later()
		again := b.hear(c[2])
		if !b.record(old.ID).Live() || relation(again, old.ID) != remember.MayReplace {
			t.Errorf("%s: %+v", c[2], again)
		}
		b.later()
		if third := b.hear(c[3]); b.record(old.ID).Live() {
			t.Errorf("%s: %+v", c[3], third)
		}
	}
}

// What was corrected or erased since the decision stays so.
func TestUndoLeavesWhatCameAfter(t *testing.T) {
	b := newBank(t)
	old := b.hear("I live in Groningen.")
	moved := b.hear("I have moved to Maastricht.")
	b.later()
	third := b.save(remember.SaveRequest{Content: "Maastricht is where I live, in the Wyck quarter.", Supersedes: moved.ID})
	if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: moved.UndoID}); err != nil {
		t.Fatal(err)
	}
	if r := b.record(moved.ID); r.SupersededBy != third.ID || r.Supersedes != "" {
		t.Errorf("%+v", r)
	}
	if !b.record(old.ID).Live() {
		t.Error("the old one is not live again")
	}
	next := b.hear("I moved to Ghent.")
	if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: next.Superseded, Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	if done, err := b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: next.UndoID}); err != nil || len(done.Missing) == 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestLikelySuccessorsStay(t *testing.T) {
	b := newBank(t)
	old := b.hear("I live in Oslo with my husband Jon, two cats and a parrot called Rico.")
	got := b.hear("I have moved to Bergen.")
	if got.Action != remember.Created || relation(got, old.ID) != remember.MayReplace || got.UndoID != "" {
		t.Errorf("%+v", got)
	}
	b.later()
	settled := b.save(remember.SaveRequest{Content: "I have moved to Bergen.", Supersedes: old.ID})
	if settled.Action != remember.Duplicate || b.record(old.ID).SupersededBy != got.ID {
		t.Errorf("%+v", settled)
	}
}

// Who replaces one thing keeps the others.
func TestOthersStay(t *testing.T) {
	for newer, older := range map[string][]string{
		"I now use Obsidian instead of Notion.": {"I use Spotify.", "I use Excel."},
		"I switched from Chrome to Arc.":        {"I use Chrome and Firefox."},
		"Her phone is now a Nokia.":             {"My phone is a Pixel."},
	} {
		b := newBank(t)
		for _, content := range older {
			b.hear(content)
		}
		if got := b.hear(newer); got.Action != remember.Created || len(b.live()) != len(older)+1 {
			t.Errorf("%s: %+v", newer, got)
		}
	}
}

func TestContradictionsStay(t *testing.T) {
	b := newBank(t)
	old := b.hear("Guests may use the staff kitchen.")
	if got := b.hear("Guests may not use the staff kitchen."); got.Action != remember.Created ||
		relation(got, old.ID) != remember.Contradicts {
		t.Errorf("%+v", got)
	}
}

// One sentence with another number, or turned around, may be the mistake: both
// are kept until somebody says which holds.
func TestRestatementsStay(t *testing.T) {
	for older, newer := range map[string]string{
		"The upload limit of the portal is 10 MB.":     "The upload limit of the portal is 100 MB.",
		"The exam is on 4 June.":                       "The exam is on 11 June.",
		"Lea is captain and Mo is the deputy.":         "Mo is captain and Lea is the deputy.",
		"The flag fast_checkout is off in production.": "The flag fast_checkout is on in production.",
	} {
		b := newBank(t)
		b.hear(older)
		if got := b.hear(newer); got.Action != remember.Created || len(got.Superseded) > 0 || len(b.live()) != 2 {
			t.Errorf("%q after %q: %+v", newer, older, got)
		}
	}
	b := newBank(t)
	old := b.hear("The upload limit of the portal is 10 MB.")
	if got := b.hear("The upload limit of the portal is 100 MB now."); !slices.Contains(got.Superseded, old.ID) {
		t.Errorf("a change is not seen: %+v", got)
	}
}

// What is no plain statement of a new state supersedes nothing, and is kept.
func TestNoSuccessors(t *testing.T) {
	long := "I have moved to Bergen. " + strings.Repeat("The crossing was long and the sea was grey. ", 760)
	for name, content := range map[string]string{
		"quotation":           "Ruben says he moved to Bergen.",
		"quotation of mine":   `My neighbour said: "I have moved to Bergen."`,
		"negation":            "I did not move to Bergen.",
		"negated state":       "I don't live in Bergen.",
		"question":            "Did I move to Bergen?",
		"other question":      "Should I live in Bergen?",
		"conditional":         "If I move to Bergen, I will sell the car.",
		"wish":                "I would like to live in Bergen.",
		"plan":                "I want to move to Bergen.",
		"guess":               "Maybe I live in Bergen next year.",
		"past":                "I used to live in Bergen.",
		"another person":      "My sister lives in Bergen.",
		"another name":        "Ruben moved to Bergen.",
		"somebody":            "She has moved to Bergen.",
		"somebody now":        "He now lives in Bergen.",
		"somebody no longer":  "They no longer live in Oslo.",
		"what is replaced":    "I moved from Lima to Bergen.",
		"addition":            "I also have a flat in Bergen.",
		"other language":      "Eu gosto muito de Bergen.",
		"script":              "Я переехала в Берген.",
		"words alone":         "Bergen, moved, live, now",
		"nothing but signs":   "?! … 🐈",
		"32 KiB":              long[:memory.MaxContentBytes-48],
		"stay of a few days":  "I am in Bergen until Friday.",
		"something else's":    "The billing service moved to Bergen.",
		"preference":          "I like Bergen.",
		"birthplace":          "I was born in Bergen.",
		"favourite":           "My favourite city is Bergen.",
		"time of its own":     "In 2009 I lived in Bergen.",
		"retraction":          "I take back what I said about Bergen.",
		"history of an owner": "The flat in Bergen belonged to my aunt.",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			b.hear("I live in Oslo.")
			if got := b.hear(content); got.Action != remember.Created || len(got.Superseded) > 0 {
				t.Errorf("%+v", got)
			}
			if live := b.live(); len(live) != 2 {
				t.Errorf("live are %.200q", live)
			}
		})
	}
}

// A list or a sentence about two things is not hidden for one of them.
func TestTwoSubjects(t *testing.T) {
	for _, old := range []string{
		"I live in Oslo and Ruben lives in Bergen.",
		"I live in Oslo and I work at Hollin Foods.",
		"- I live in Oslo\n- My dog is called Bosse\n- I drive a Volvo",
		"I live in Oslo. The rent is 12,000 a month.",
	} {
		b := newBank(t)
		first := b.hear(old)
		if got := b.hear("I have moved to Tromsø."); got.Action != remember.Created || !b.record(first.ID).Live() {
			t.Errorf("%q: %+v", old, got)
		}
	}
	b := newBank(t)
	home, work := b.hear("I live in Oslo."), b.hear("I work at Hollin Foods.")
	got := b.hear("I have moved to Tromsø and I work at Tressel now.")
	if got.Action != remember.Superseded || !slices.Contains(got.Superseded, home.ID) {
		t.Errorf("%+v", got)
	}
	for _, id := range got.Superseded {
		if len(b.record(got.ID).History) != 1+len(got.Superseded) {
			t.Errorf("%s is not in the history", id)
		}
	}
	_ = work
}

func TestFutureChange(t *testing.T) {
	for content, from := range map[string]time.Time{
		"From May I live in Bergen.":         time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC),
		"From 1 February I live in Bergen.":  time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC),
		"From 1 June 2027 I live in Bergen.": time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC),
		"From next month I live in Bergen.":  time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC),
	} {
		b := newBank(t)
		old := b.hear("I live in Oslo.")
		got := b.hear(content)
		if got.Action != remember.Created || got.UndoID == "" {
			t.Errorf("%q: %+v", content, got)
			continue
		}
		b.wantLive("I live in Oslo.", content)
		if r, n := b.record(old.ID), b.record(got.ID); !r.ValidUntil.Equal(from) || !n.ValidFrom.Equal(from) {
			t.Errorf("%q: until %v, from %v", content, r.ValidUntil, n.ValidFrom)
		}
		if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: got.UndoID}); err != nil ||
			!b.record(old.ID).ValidUntil.IsZero() {
			t.Errorf("%q: undone: %+v, %v", content, b.record(old.ID), err)
		}
	}
	b := newBank(t)
	old := b.hear("I live in Oslo.")
	b.later()
	from := b.now.AddDate(0, 2, 0)
	b.save(remember.SaveRequest{Content: "I live in Bergen.", ValidFrom: from})
	if r := b.record(old.ID); !r.Live() || !r.ValidUntil.Equal(from) {
		t.Errorf("%+v", r)
	}
}

// TestWhatBegins: a state that is to come holds from then on, also where nothing is
// known that it follows; wishes and times of other things do not.
func TestWhatBegins(t *testing.T) {
	on := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	for content, from := range map[string]time.Time{
		"From May 2027 I live in Bergen.":                    on(2027, 5, 1),
		"From May I live in Bergen.":                         on(2026, 5, 1),
		"From 1 July I work at Nordwind.":                    on(2026, 7, 1),
		"Starting next month I work at Nordwind.":            on(2026, 4, 1),
		"Starting in June, I'll be working at Nordwind.":     on(2026, 6, 1),
		"In March I'll move to Bergen.":                      {}, // this is March
		"In April I'll move to Bergen.":                      on(2026, 4, 1),
		"I'm going to move to Bergen in August.":             on(2026, 8, 1),
		"I will be living in Bergen from October.":           on(2026, 10, 1),
		"As of 1 July I live in Bergen.":                     on(2026, 7, 1),
		"As of 1 February I live in Bergen.":                 {}, // a month ago
		"Effective 1 June I work at Nordwind.":               on(2026, 6, 1),
		"I start at Nordwind in September.":                  on(2026, 9, 1),
		"I'm starting at Nordwind on 1 October.":             on(2026, 10, 1),
		"Tomorrow I move to Bergen.":                         on(2026, 3, 2),
		"My new manager will be Ines Faro from 15 May.":      on(2026, 5, 15),
		"From Friday our queue is NATS.":                     on(2026, 3, 6),
		"I want to move to Bergen in May.":                   {},
		"I might work at Nordwind from May.":                 {},
		"I've lived in Bergen since May.":                    {},
		"I moved to Bergen in May.":                          {},
		"I lived in Bergen until 2015.":                      {},
		"The concert will take place in May.":                {},
		"The deadline is 3 May.":                             {},
		"I live in Oslo, and from May I work at Nordwind.":   {},
		"I moved to Bergen yesterday.":                       {},
		"I work from Monday to Friday.":                      {},
		"My daughter will be in Bergen in May for a concert": {},
	} {
		t.Run(content, func(t *testing.T) {
			b := newBank(t)
			if got := b.record(b.hear(content).ID).ValidFrom; !got.Equal(from) {
				t.Errorf("from %v, want %v", got, from)
			}
		})
	}
}

func TestReversal(t *testing.T) {
	b := newBank(t)
	for _, content := range []string{"I live in Oslo.", "I moved to Bergen.", "I live in Oslo.", "I moved to Bergen.",
		"I have moved back to Oslo."} {
		got := b.hear(content)
		b.wantLive(content)
		if n := len(b.records()); n > 1 && (got.Action != remember.Superseded || len(b.record(got.ID).History) != n) {
			t.Errorf("%q: %+v", content, got)
		}
	}
}

func TestTwoChangesAtOnce(t *testing.T) {
	b := newBank(t)
	old := b.hear("I live in Oslo.")
	b.later()
	var group sync.WaitGroup
	for _, content := range []string{"I have moved to Bergen.", "I've moved to Bergen.", "I moved to Bergen!"} {
		group.Go(func() {
			if _, err := b.Save(t.Context(), anna, remember.SaveRequest{Content: content}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if b.record(old.ID).Live() || len(b.live()) == 0 || len(b.records()) < 2 {
		t.Errorf("%q", b.live())
	}
	// Other values in the same instant: the last one holds, and all are there.
	for _, city := range []string{"Tromsø", "Bodø", "Molde"} {
		b.say("I live in " + city + ".")
	}
	b.wantLive("I live in Molde.")
}

func TestWhatIsNeverSuperseded(t *testing.T) {
	b := newBank(t)
	pinned := b.save(remember.SaveRequest{Content: "I live in Oslo.", Pinned: true})
	if got := b.hear("I moved to Bergen."); got.Action != remember.Created || relation(got, pinned.ID) != remember.MayReplace {
		t.Errorf("pinned: %+v", got)
	}
	for name, r := range map[string]remember.SaveRequest{
		"soul": {Content: "My home is the sea.", Kind: memory.KindSoul},
		"triple": {Content: "The user lives in Oslo.", Kind: memory.KindTriple,
			KindDetails: memory.KindDetails{Triple: &memory.TripleDetails{Subject: "user", Predicate: "lives in", Object: "Oslo",
				Confidence: 1}}},
		"link": {Content: "I live in Oslo.", Source: memory.SourceLink},
	} {
		b := newBank(t)
		old, err := b.Save(t.Context(), anna, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := b.hear("I moved to Bergen."); got.Action != remember.Created || !b.record(old.ID).Live() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestOtherProjectsAndAgents(t *testing.T) {
	b := newBank(t)
	global := b.hear("The database is Postgres 15.")
	for _, scope := range []memory.Scope{{Agent: "anna", Project: "p"}, {Agent: "anna", Project: "q"}, {Agent: "boris"}} {
		b.later()
		got, err := b.Save(t.Context(), scope, remember.SaveRequest{Content: "The database is Postgres 17 now."})
		if err != nil || got.Action != remember.Created {
			t.Errorf("%+v: %+v, %v", scope, got, err)
		}
		if named := relation(got, global.ID); (named == remember.MayReplace) != (scope.Agent == "anna") {
			t.Errorf("%+v: relation %q", scope, named)
		}
	}
	if !b.record(global.ID).Live() {
		t.Error("superseded from elsewhere")
	}
}

// Whatever the order in which dated facts come, the same holds.
func TestImportOutOfOrder(t *testing.T) {
	line := func(day int, content string) remember.SaveRequest {
		return remember.SaveRequest{Content: content, OccurredAt: start.AddDate(0, 0, day), Source: memory.SourceImport, Quiet: true,
			Again: true}
	}
	lines := []remember.SaveRequest{line(-90, "I live in Oslo."), line(-60, "I moved to Bergen."), line(-30, "I moved to Tromsø.")}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}} {
		b := newBank(t)
		var requests []remember.SaveRequest
		for _, i := range order {
			requests = append(requests, lines[i])
		}
		if _, err := b.SaveBatch(t.Context(), anna, requests); err != nil {
			t.Fatalf("%v: %v", order, err)
		}
		b.wantLive("I moved to Tromsø.")
		for _, r := range b.records() {
			switch r.Content {
			case "I live in Oslo.":
				if r.ValidUntil.Before(start.AddDate(0, 0, -60)) || r.ValidUntil.After(start.AddDate(0, 0, -30)) {
					t.Errorf("%v: Oslo until %v", order, r.ValidUntil)
				}
			case "I moved to Bergen.":
				if !r.ValidUntil.Equal(start.AddDate(0, 0, -30)) {
					t.Errorf("%v: Bergen until %v", order, r.ValidUntil)
				}
			}
		}
		again, err := b.SaveBatch(t.Context(), anna, requests)
		if err != nil || len(b.records()) != 3 {
			t.Errorf("%v: again: %+v, %v", order, again, err)
		}
	}
}

func TestSupersedeKeepsIdempotency(t *testing.T) {
	b := newBank(t)
	b.hear("I live in Oslo.")
	b.later()
	r := remember.SaveRequest{Content: "I moved to Bergen.", IdempotencyKey: "k"}
	first := b.save(r)
	b.hear("I live in Oslo.")
	if again := b.save(r); again.ID != first.ID || again.UndoID != first.UndoID || len(again.Superseded) != 1 {
		t.Errorf("%+v, then %+v", first, again)
	}
	b.wantLive("I live in Oslo.")
}

func TestSupersedeSetting(t *testing.T) {
	for how, want := range map[remember.Supersede]remember.Relation{remember.SupersedeAsk: remember.MayReplace, remember.SupersedeOff: ""} {
		b := newBankOf(t, how)
		old := b.hear("I live in Oslo.")
		got := b.hear("I moved to Bergen.")
		if got.Action != remember.Created || got.UndoID != "" || !b.record(old.ID).Live() || relation(got, old.ID) != want {
			t.Errorf("%s: %+v", how, got)
		}
	}
}

// What is told later may be about an earlier year: then nothing tells by itself
// which of the two holds.
func TestEarlierYearToldLater(t *testing.T) {
	b := newBank(t)
	tunis := b.hear("Ben moved from Oslo to Tunis in February 2020.")
	austin := b.hear("Ben moved from Kyoto to Austin in February 2013.")
	if austin.Action == remember.Superseded {
		t.Errorf("the year 2013 superseded 2020: %+v", austin)
	}
	if later := b.hear("Ben moved from Tunis to Porto in May 2024."); later.Action != remember.Superseded ||
		!slices.Contains(later.Superseded, tunis.ID) {
		t.Errorf("the year 2024 did not supersede: %+v", later)
	}
}

// TestReplaces: what somebody says to be out of date is superseded, with undo, if
// it is live and there; any other id is ignored.
func TestReplaces(t *testing.T) {
	b := newBank(t)
	replace := func(content, id string) remember.SaveResult {
		t.Helper()
		b.later()
		return b.save(remember.SaveRequest{Content: content, Replaces: id, Quiet: true})
	}
	old := b.hear("The staging cluster is eks-stg-1 with six nodes and the old image.")
	got := replace("Staging runs elsewhere since the move.", old.ID)
	if got.Action != remember.Superseded || !slices.Equal(got.Superseded, []string{old.ID}) || got.UndoID == "" {
		t.Errorf("%+v", got)
	}
	b.wantLive("Staging runs elsewhere since the move.")
	for _, id := range []string{old.ID, got.ID + "x", "nothing"} {
		if r := replace("A note about "+id+".", id); r.Action != remember.Created || len(r.Superseded) > 0 {
			t.Errorf("%s: %+v", id, r)
		}
	}
	twice := replace("Staging is gone for good.", got.ID)
	pinned := b.save(remember.SaveRequest{Content: "Never deploy on Fridays.", Pinned: true})
	others, err := b.Save(t.Context(), boris, remember.SaveRequest{Content: "Boris has a boat."})
	if err != nil {
		t.Fatal(err)
	}
	project, err := b.Save(t.Context(), memory.Scope{Agent: anna.Agent, Project: "shop"},
		remember.SaveRequest{Content: "The shop sells soap."})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{pinned.ID, others.ID, project.ID} {
		if r := replace("A word on "+id+".", id); r.Action != remember.Created {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if again := replace("There is no staging any more.", got.ID); again.Action != remember.Created || twice.Action != remember.Superseded {
		t.Errorf("%+v, %+v", twice, again)
	}
}

// TestDatedChange: a date behind a value is when it began. One that is past ends
// what was before, one to come bounds it.
func TestDatedChange(t *testing.T) {
	b := newBank(t)
	old := b.hear("The user lives in Oslo.")
	past := start.AddDate(0, 0, -9).Format("2 January 2006")
	if got := b.hear("The user has moved to Bergen on " + past + "."); got.Action != remember.Superseded ||
		!slices.Equal(got.Superseded, []string{old.ID}) {
		t.Errorf("past: %+v", got)
	}
	coming := start.AddDate(0, 2, 0)
	got := b.hear("The user moves to Tromsø on " + coming.Format("2 January 2006") + ".")
	if got.Action == remember.Superseded || len(b.live()) != 2 {
		t.Errorf("to come: %+v", got)
	}
	for _, r := range b.records() {
		if strings.Contains(r.Content, "Bergen") &&
			!r.ValidUntil.Equal(time.Date(coming.Year(), coming.Month(), coming.Day(), 0, 0, 0, 0, time.UTC)) {
			t.Errorf("holds until %v", r.ValidUntil)
		}
	}
}

// TestSaysMore: what says more than a newer fact replaces stays, and is named.
func TestSaysMore(t *testing.T) {
	for older, newer := range map[string]string{
		"I live in Aarhus with my husband Mikkel.":      "We moved to Odense.",
		"I live in Aarhus with two flatmates.":          "We moved to Odense.",
		"My manager is Lone Friis, she hates meetings.": "My manager is now Torben Rask.",
	} {
		b := newBank(t)
		old := b.hear(older)
		if got := b.hear(newer); got.Action != remember.Created || relation(got, old.ID) != remember.MayReplace {
			t.Errorf("%s: %+v", older, got)
		}
		b.wantLive(older, newer)
	}
}
