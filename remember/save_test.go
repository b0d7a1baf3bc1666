package remember_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func TestSaveKeepsEverything(t *testing.T) {
	b := newBank(t)
	at := start.Add(-24 * time.Hour)
	got := b.save(remember.SaveRequest{
		Content: "  Anna moved to Graz.\n", Kind: memory.KindEpisode, Category: "Life Event", Importance: ptr(0.9),
		Tags: []string{" home ", "graz", "home"}, Source: memory.SourceUser, ExternalID: "x1", Metadata: json.RawMessage(`{"page":7}`),
		OccurredAt: at, ValidFrom: at, ValidUntil: at.Add(72 * time.Hour), Pinned: true,
		KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{Participants: []string{"Anna"}, Outcome: "Settled.",
			EmotionalValence: 0.5}},
	})
	if got.Action != remember.Created || got.Category != "life-event" || fmt.Sprint(got.SearchableBy) != "[text vector]" ||
		fmt.Sprint(got.SavedTo) != "[database memory/2026-03-01.md]" {
		t.Errorf("result %+v", got)
	}
	want := memory.Record{
		ID: got.ID, Agent: "anna", Kind: memory.KindEpisode, Category: "life-event", Content: "Anna moved to Graz.", Importance: 0.9,
		Pinned: true, Tags: []string{"home", "graz"}, Source: memory.SourceUser, ExternalID: "x1", Metadata: json.RawMessage(`{"page":7}`),
		CreatedAt: start, OccurredAt: at, ValidFrom: at, ValidUntil: at.Add(72 * time.Hour), Confirmations: 1,
		KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{Participants: []string{"Anna"}, Outcome: "Settled.",
			EmotionalValence: 0.5}},
	}
	if r := b.record(got.ID); !reflect.DeepEqual(r.Record, want) || r.History != nil {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
}

func TestSaveDefaults(t *testing.T) {
	b := newBank(t)
	r := b.record(b.say("The invoice of the dentist was paid.").ID)
	if r.Kind != memory.KindFact || r.Source != memory.SourceAgent || r.Importance != memory.DefaultImportance || r.Category == "" ||
		!r.CategoryGuessed {
		t.Errorf("%+v", r)
	}
}

func TestDuplicates(t *testing.T) {
	b := newBank(t)
	first := b.say("Anna plays the oboe.")
	b.later()
	for i, content := range []string{"Anna plays the oboe.", "  anna plays\n the OBOE"} {
		again := b.say(content)
		if again.Action != remember.Duplicate || again.ID != first.ID || fmt.Sprint(again.SavedTo) != "[database]" ||
			len(again.Similar) > 0 {
			t.Errorf("%q: %+v", content, again)
		}
		if r := b.record(first.ID); r.Confirmations != i+2 || r.Content != "Anna plays the oboe." {
			t.Errorf("%q: %d confirmations", content, r.Confirmations)
		}
	}
	pinned := b.save(remember.SaveRequest{Content: "Anna plays the oboe.", Pinned: true})
	if r := b.record(pinned.ID); !r.Pinned || r.ID != first.ID {
		t.Errorf("pinned later: %+v", r)
	}
	for name, other := range map[string]struct {
		scope memory.Scope
		kind  memory.Kind
	}{
		"kind": {anna, memory.KindSoul}, "agent": {boris, memory.KindFact},
		"project": {memory.Scope{Agent: "anna", Project: "p"}, memory.KindFact},
	} {
		got, err := b.Save(t.Context(), other.scope, remember.SaveRequest{Content: "Anna plays the oboe.", Kind: other.kind})
		if err != nil || got.Action != remember.Created {
			t.Errorf("another %s: %+v, %v", name, got, err)
		}
	}
	if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{first.ID}}); err != nil {
		t.Fatal(err)
	}
	if again := b.say("Anna plays the oboe."); again.Action != remember.Created {
		t.Errorf("what was forgotten and is said again: %+v", again)
	}
}

func TestExternalID(t *testing.T) {
	b := newBank(t)
	named := func(content, id string) remember.SaveResult {
		b.later()
		return b.save(remember.SaveRequest{Content: content, ExternalID: id})
	}
	first := named("The ferry leaves at noon.", "ferry")
	if again := named("The ferry leaves at noon", "ferry"); again.Action != remember.Duplicate || b.record(first.ID).Confirmations != 1 {
		t.Errorf("the same again: %+v", again)
	}
	if other := named("The ferry leaves at noon.", "boat"); other.ID != first.ID || b.record(first.ID).Confirmations != 2 {
		t.Errorf("another name: %+v", other)
	}
	second := named("The ferry leaves at one.", "ferry")
	if second.Action != remember.Superseded || len(second.Similar) > 0 || b.record(first.ID).SupersededBy != second.ID {
		t.Errorf("another content: %+v", second)
	}
	// What another record says already takes the place of the old one.
	known := b.say("The ferry does not run.")
	if got := named("The ferry does not run.", "ferry"); got.Action != remember.Duplicate || got.ID != known.ID {
		t.Errorf("a known content: %+v", got)
	}
	if r := b.record(second.ID); r.SupersededBy != known.ID {
		t.Errorf("still live: %+v", r)
	}
	if chain := b.record(known.ID).History; len(chain) != 3 {
		t.Errorf("chain of %d", len(chain))
	}
}

func TestSupersede(t *testing.T) {
	b := newBank(t)
	first := b.save(remember.SaveRequest{Content: "Anna lives in Graz.", Category: "home", ValidFrom: start.Add(-time.Hour)})
	b.later()
	second := b.save(remember.SaveRequest{Content: "Anna lives in Linz.", Supersedes: first.ID})
	b.later()
	third := b.save(remember.SaveRequest{Content: "Anna lives in Wien.", Supersedes: second.ID, OccurredAt: b.now.Add(-30 * time.Second)})
	if second.Action != remember.Superseded || third.Category != "home" || len(third.Similar) > 0 {
		t.Errorf("%+v, %+v", second, third)
	}
	chain := b.record(second.ID).History
	if len(chain) != 3 || chain[0].ID != first.ID || chain[2].ID != third.ID {
		t.Fatalf("chain %+v", chain)
	}
	moved, again := start.Add(time.Minute), start.Add(90*time.Second)
	for i, want := range []struct{ from, until, superseded time.Time }{
		{start.Add(-time.Hour), moved, moved}, {moved, again, start.Add(2 * time.Minute)}, {again, time.Time{}, time.Time{}},
	} {
		if r := chain[i]; !r.ValidFrom.Equal(want.from) || !r.ValidUntil.Equal(want.until) || !r.SupersededAt.Equal(want.superseded) {
			t.Errorf("%q is valid from %v until %v, superseded at %v", r.Content, r.ValidFrom, r.ValidUntil, r.SupersededAt)
		}
	}
	for at, want := range map[time.Time]string{start: "[Anna lives in Graz.]", moved: "[Anna lives in Linz.]",
		again: "[Anna lives in Wien.]"} {
		if got := fmt.Sprint(b.search("lives", memory.Filter{AsOf: at})); got != want {
			t.Errorf("as of %v: %s", at, got)
		}
	}
	if got := b.search("lives", memory.Filter{}); len(got) != 1 {
		t.Errorf("now: %q", got)
	}
	_, err := b.Save(t.Context(), anna, remember.SaveRequest{Content: "Anna lives in Rom.", Supersedes: first.ID})
	wantCode(t, err, memory.CodeConflict)
	_, err = b.Save(t.Context(), anna, remember.SaveRequest{Content: "Anna lives in Rom.", Supersedes: "nobody"})
	wantCode(t, err, memory.CodeNotFound)
	_, err = b.Save(t.Context(), boris, remember.SaveRequest{Content: "Anna lives in Rom.", Supersedes: third.ID})
	wantCode(t, err, memory.CodeNotFound)
	_, err = b.Save(t.Context(), anna, remember.SaveRequest{Content: "Anna lived in Rom.", Supersedes: third.ID, ValidUntil: start})
	wantCode(t, err, memory.CodeInvalidArgument)
	if n := len(b.records()); n != 3 {
		t.Errorf("%d records after failures", n)
	}
}

func TestSupersedeByWhatIsKnown(t *testing.T) {
	b := newBank(t)
	old, known := b.say("Rhubarb grows behind the church."), b.say("Quince grows behind the church.")
	b.later()
	got := b.save(remember.SaveRequest{Content: "Quince grows behind the church.", Supersedes: old.ID})
	if got.Action != remember.Duplicate || got.ID != known.ID {
		t.Errorf("%+v", got)
	}
	r := b.record(old.ID)
	if r.SupersededBy != known.ID || !r.ValidUntil.Equal(b.now) || len(r.History) != 2 {
		t.Errorf("%+v", r)
	}
	if k := b.record(known.ID); k.Confirmations != 2 || !k.ValidFrom.IsZero() || len(k.History) != 2 {
		t.Errorf("%+v", k)
	}
}

func TestIdempotencyKey(t *testing.T) {
	b := newBank(t)
	first := b.save(remember.SaveRequest{Content: "Anna plays the oboe.", IdempotencyKey: "k"})
	again := b.save(remember.SaveRequest{Content: "Anna plays the oboe.", IdempotencyKey: "k"})
	if !reflect.DeepEqual(first, again) {
		t.Errorf("first %+v\nagain %+v", first, again)
	}
	if len(b.records()) != 1 || b.record(first.ID).Confirmations != 1 || len(b.dayLog()) != 1 {
		t.Error("the repetition wrote something")
	}
	other, err := b.AddLongTerm(t.Context(), anna, remember.SaveRequest{Content: "Anna gave a concert.", IdempotencyKey: "k"})
	if err != nil || other.Action != remember.Created {
		t.Errorf("the key of another tool: %+v, %v", other, err)
	}
	theirs, err := b.Save(t.Context(), boris, remember.SaveRequest{Content: "Boris sings.", IdempotencyKey: "k"})
	if err != nil || theirs.Action != remember.Created {
		t.Errorf("the key of another agent: %+v, %v", theirs, err)
	}
	_, err = b.Save(t.Context(), anna, remember.SaveRequest{Content: "x", Supersedes: "nobody", IdempotencyKey: "failed"})
	wantCode(t, err, memory.CodeNotFound)
	if got := b.save(remember.SaveRequest{Content: "Better now.", IdempotencyKey: "failed"}); got.Action != remember.Created {
		t.Errorf("the key of a failure: %+v", got)
	}
}

// What is saved under a key that stands for another request would be lost.
func TestAKeyIsOfOneRequest(t *testing.T) {
	b := newBank(t)
	first := b.save(remember.SaveRequest{Content: "Anna plays the oboe.", IdempotencyKey: "k"})
	shop := memory.Scope{Agent: "anna", Project: "shop"}
	for name, c := range map[string]struct {
		scope   memory.Scope
		request remember.SaveRequest
	}{
		"content":    {anna, remember.SaveRequest{Content: "Something else entirely.", IdempotencyKey: "k"}},
		"importance": {anna, remember.SaveRequest{Content: "Anna plays the oboe.", Importance: ptr(0.9), IdempotencyKey: "k"}},
		"project":    {shop, remember.SaveRequest{Content: "Anna plays the oboe.", IdempotencyKey: "k"}},
	} {
		if _, err := b.Save(t.Context(), c.scope, c.request); memory.CodeOf(err) != memory.CodeConflict {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if len(b.records()) != 1 {
		t.Errorf("%d records", len(b.records()))
	}
	// What a job may have saved before is what it was then.
	if got := b.save(remember.SaveRequest{Content: "Worded anew.", IdempotencyKey: "k", Again: true}); got.ID != first.ID {
		t.Errorf("a job's repetition: %+v", got)
	}
	// Results that an earlier version kept do not say what was asked for.
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		return tx.KeepResult("save fact", "old", []byte(`{"ID":"earlier","Action":"created"}`))
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.save(remember.SaveRequest{Content: "Whatever.", IdempotencyKey: "old"}); got.ID != "earlier" ||
		got.Action != remember.Created {
		t.Errorf("a key of an earlier version: %+v", got)
	}
}

// TestKeysInABatch: a key means in a batch what it means alone, also if what was
// saved under it was forgotten meanwhile.
func TestKeysInABatch(t *testing.T) {
	b := newBank(t)
	requests := []remember.SaveRequest{{Content: "Anna plays the oboe.", IdempotencyKey: "1"},
		{Content: "Anna sings.", IdempotencyKey: "2"}}
	alone := b.save(requests[0])
	first, err := b.SaveBatch(t.Context(), anna, requests)
	if err != nil || first[0].ID != alone.ID || first[0].Action != remember.Created || first[1].Action != remember.Created {
		t.Fatalf("%+v after %+v, %v", first, alone, err)
	}
	if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{first[1].ID}}); err != nil {
		t.Fatal(err)
	}
	again, err := b.SaveBatch(t.Context(), anna, requests)
	if err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("first %+v\nagain %+v, %v", first, again, err)
	}
	if b.record(alone.ID).Confirmations != 1 || len(b.records()) != 2 || b.record(first[1].ID).Live() {
		t.Errorf("the repetition wrote something: %+v", b.records())
	}
}

func TestValidation(t *testing.T) {
	b := newBank(t)
	for name, c := range map[string]struct {
		request remember.SaveRequest
		code    memory.Code
		why     string
	}{
		"empty":              {remember.SaveRequest{}, memory.CodeInvalidArgument, "content is empty"},
		"blank":              {remember.SaveRequest{Content: " \n\t"}, memory.CodeInvalidArgument, "content is empty"},
		"nothing that shows": {remember.SaveRequest{Content: " \u200b\u00ad\ufeff"}, memory.CodeInvalidArgument, "content is empty"},
		"33 KiB":             {remember.SaveRequest{Content: strings.Repeat("x", 33<<10)}, memory.CodeTooLarge, "content"},
		"not UTF-8":          {remember.SaveRequest{Content: "a\xffb"}, memory.CodeInvalidArgument, "content"},
		"NUL":                {remember.SaveRequest{Content: "a\x00b"}, memory.CodeInvalidArgument, "content"},
		"importance 1.5":     {remember.SaveRequest{Content: "x", Importance: ptr(1.5)}, memory.CodeInvalidArgument, "importance"},
		"importance NaN":     {remember.SaveRequest{Content: "x", Importance: ptr(math.NaN())}, memory.CodeInvalidArgument, "importance"},
		"65 tags":            {remember.SaveRequest{Content: "x", Tags: manyTags(65)}, memory.CodeTooLarge, "tags"},
		"an empty tag":       {remember.SaveRequest{Content: "x", Tags: []string{" "}}, memory.CodeInvalidArgument, "tags"},
		"metadata 5 KiB": {remember.SaveRequest{Content: "x", Metadata: json.RawMessage(`{"a":"` + strings.Repeat("x", 5<<10) + `"}`)},
			memory.CodeTooLarge, "metadata"},
		"metadata a list": {remember.SaveRequest{Content: "x", Metadata: json.RawMessage(`[1]`)}, memory.CodeInvalidArgument,
			"metadata"},
		"metadata not JSON": {remember.SaveRequest{Content: "x", Metadata: json.RawMessage(`{`)}, memory.CodeInvalidArgument, "metadata"},
		"valid backwards": {remember.SaveRequest{Content: "x", ValidFrom: start, ValidUntil: start.Add(-time.Second)},
			memory.CodeInvalidArgument, "valid_until"},
		"valid never": {remember.SaveRequest{Content: "x", ValidFrom: start, ValidUntil: start}, memory.CodeInvalidArgument,
			"valid_until"},
		"kind":     {remember.SaveRequest{Content: "x", Kind: "opinion"}, memory.CodeInvalidArgument, "kind"},
		"source":   {remember.SaveRequest{Content: "x", Source: "rumour"}, memory.CodeInvalidArgument, "source"},
		"category": {remember.SaveRequest{Content: "x", Category: "a/b"}, memory.CodeInvalidArgument, "category"},
		"valence": {remember.SaveRequest{Content: "x",
			KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{EmotionalValence: 2}}},
			memory.CodeInvalidArgument, "emotional_valence"},
	} {
		_, err := b.Save(t.Context(), anna, c.request)
		if memory.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := b.Save(t.Context(), memory.Scope{Agent: "anna", Project: memory.AllProjects}, remember.SaveRequest{Content: "x"})
	wantCode(t, err, memory.CodeInvalidArgument)
	if n := len(b.records()); n > 0 || len(b.dayLog()) > 0 {
		t.Errorf("%d records", n)
	}
	fits := remember.SaveRequest{Content: strings.Repeat("x", memory.MaxContentBytes), Tags: manyTags(64), Importance: ptr(1.0)}
	if got := b.save(fits); got.Action != remember.Created {
		t.Errorf("the largest: %+v", got)
	}
}

func manyTags(n int) []string {
	tags := make([]string, n)
	for i := range tags {
		tags[i] = fmt.Sprint("tag", i)
	}
	return tags
}

func TestSaveBatch(t *testing.T) {
	b := newBank(t)
	results, err := b.SaveBatch(t.Context(), anna,
		[]remember.SaveRequest{{Content: "One.", Quiet: true}, {Content: "Two.", ExternalID: "x"}, {Content: "one"},
			{Content: "Three.", ExternalID: "x"}})
	var actions []remember.Action
	for _, r := range results {
		actions = append(actions, r.Action)
	}
	if err != nil || !slices.Equal(actions,
		[]remember.Action{remember.Created, remember.Created, remember.Duplicate, remember.Superseded}) {
		t.Errorf("%v, %v", actions, err)
	}
	for _, bad := range []remember.SaveRequest{{Content: " "}, {Content: "Four.", Supersedes: "nobody"}} {
		_, err := b.SaveBatch(t.Context(), anna, []remember.SaveRequest{{Content: "Five."}, bad})
		if failed, ok := err.(*remember.BatchError); !ok || failed.Index != 1 || memory.CodeOf(err) == memory.CodeInternal {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if n := len(b.records()); n != 3 {
		t.Errorf("%d records", n)
	}
}

func TestSaveAgain(t *testing.T) {
	b := newBank(t)
	file := []remember.SaveRequest{{Content: "Nameless.", Again: true}, {Content: "Named.", ExternalID: "x", Again: true}}
	for range 2 {
		if _, err := b.SaveBatch(t.Context(), anna, file); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range b.records() {
		if r.Confirmations != 1 {
			t.Errorf("%q has %d confirmations", r.Content, r.Confirmations)
		}
	}
	if n := len(b.records()); n != 2 {
		t.Errorf("%d records", n)
	}
}

func TestWithoutALocalEmbedder(t *testing.T) {
	b := newBankWith(t, remote{embed.NewBuiltin()})
	got := b.say("Anna plays the oboe.")
	if fmt.Sprint(got.SearchableBy) != "[text]" || b.queued.Load() != 1 {
		t.Errorf("%+v, told %d times", got, b.queued.Load())
	}
	if n, err := b.store.VectorBacklog(t.Context()); err != nil || n != 1 {
		t.Errorf("%d in the queue, %v", n, err)
	}
	if found := b.search("oboe", memory.Filter{}); len(found) != 1 {
		t.Errorf("found %q", found)
	}
	if b.say("Anna plays the oboe."); b.queued.Load() != 1 {
		t.Error("told of a duplicate")
	}
}

func TestAWriteThatFails(t *testing.T) {
	testfiles.OnDisk(t) // its log can be read though the store is closed
	b := newBank(t)
	b.store.Close()
	_, err := b.Save(t.Context(), anna, remember.SaveRequest{Content: "Anna plays the oboe."})
	wantCode(t, err, memory.CodeUnavailable)
	if lines := b.dayLog(); len(lines) > 0 {
		t.Errorf("logged %q", lines)
	}
}

// What looks like a secret is saved all the same, with a warning.
func TestSavingASecret(t *testing.T) {
	b := newBank(t)
	got := b.save(remember.SaveRequest{Content: "My PIN is 4711.", IdempotencyKey: "k"})
	if r := b.record(got.ID); got.Category != memory.CategorySecret || r.Category != memory.CategorySecret || !r.CategoryGuessed ||
		!strings.Contains(got.Warning, "(PIN or card code)") {
		t.Errorf("%+v, %+v", got, r)
	}
	if again := b.save(remember.SaveRequest{Content: "My PIN is 4711.", IdempotencyKey: "k"}); again.Warning != got.Warning {
		t.Errorf("again: %+v", again)
	}
	if got := b.save(remember.SaveRequest{Content: "The wifi password is swordfish.",
		Category: "home"}); got.Category != memory.CategorySecret || got.Warning == "" {
		t.Errorf("whatever somebody took it for: %+v", got)
	}
	if got := b.say("My pin board is blue."); got.Category == memory.CategorySecret || got.Warning != "" {
		t.Errorf("no secret: %+v", got)
	}
	text := "My bank card has the PIN 4712 now."
	changed, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: b.say("My bank card is blue.").ID, Content: &text})
	if err != nil || b.record(changed.ID).Category != memory.CategorySecret {
		t.Errorf("by a change: %+v, %v", changed, err)
	}
}
