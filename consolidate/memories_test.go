package consolidate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
	"mcp-memory/text/tokens"
)

func TestTooFewIsNothingToDo(t *testing.T) {
	b := newBank(t)
	b.fill(0, 29)
	before := b.everything()
	r := b.care(consolidate.Request{})
	if r.Status != consolidate.StatusNothing || r.MemoriesConsidered != 29 || r.UndoID != "" || b.everything() != before {
		t.Errorf("%+v", r)
	}
	b.fill(29, 1)
	if r = b.care(consolidate.Request{}); r.Status != consolidate.StatusDone || r.MemoriesArchived != 30 {
		t.Errorf("30 are enough: %+v", r)
	}
}

func TestEveryThemeBecomesASummary(t *testing.T) {
	b := newBank(t)
	originals := b.fill(0, 60)
	important := originals[4] // financial is 1, 4, 7, ...
	b.edit(important.ID, func(r *memory.Record) { r.Importance, r.Tags = 0.9, []string{"harbour"} })
	pinned := b.memory(1, "social", "Never forget the dinner with the neighbours in Porto.")
	pinned.Pinned = true
	soul := b.memory(2, "identity", "I believe in repairing things.")
	soul.Kind, soul.KindDetails = memory.KindSoul, memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulBelief}}
	fact := b.memory(3, "financial", "The supplier in Porto wants to be paid within 14 days.")
	fact.Kind, fact.KindDetails = memory.KindFact, memory.KindDetails{}
	b.save(pinned, soul, fact)

	r := b.care(consolidate.Request{})
	if r.Status != consolidate.StatusDone || r.MemoriesConsidered != 60 || r.MemoriesArchived != 60 || len(r.Summaries) != 3 ||
		r.UndoID == "" ||
		r.ModeUsed != consolidate.ModeExtractive || r.BatchID != "" {
		t.Fatalf("%+v", r)
	}
	counter, after := tokens.NewCounter(""), 0
	for _, s := range r.Summaries {
		record := b.record(s.ID)
		after += counter.Count(s.Content)
		d := record.Summary
		if !record.Live() || record.Kind != memory.KindSummary || d.Of != "memories" || d.Count != 20 || len(d.Covers) != 20 ||
			s.Covers != 20 {
			t.Errorf("summary %+v", record)
		}
		last := b.record(d.Covers[19])
		if last.Category != record.Category || !record.OccurredAt.Equal(last.OccurredAt) {
			t.Errorf("summary of %s at %v, the last it covers is of %s at %v", record.Category, record.OccurredAt, last.Category,
				last.OccurredAt)
		}
		if record.Category == "financial" && (record.Importance != 0.9 || !slices.Contains(record.Tags, "harbour")) {
			t.Errorf("importance %v, tags %v", record.Importance, record.Tags)
		}
	}
	before := 0
	for _, o := range originals {
		before += counter.Count(o.Content)
		if got := b.record(o.ID); got.ArchivedAt.IsZero() || got.ArchiveWhy != "self_care" {
			t.Fatalf("%+v is not archived", got)
		}
	}
	if r.TokensBefore != before || r.TokensAfter != after || after > before*2/3 {
		t.Errorf("tokens %d to %d, counted %d to %d", r.TokensBefore, r.TokensAfter, before, after)
	}
	for _, one := range []memory.Record{pinned, soul, fact} {
		if !b.record(one.ID).Live() {
			t.Errorf("%s was archived", one.Content)
		}
	}
	if !strings.Contains(b.found(memory.Filter{IncludeArchived: true}, "invoice 1004 euros"), important.ID) {
		t.Error("an original is not found on request")
	}
	if !strings.Contains(b.found(memory.Filter{}, "invoice 1004 euros"), `"ID":"`+important.ID) {
		t.Error("an original of a summary that does not answer is not found")
	}
}

func TestBatchesOf500OldestFirst(t *testing.T) {
	b := newBank(t)
	originals := b.fill(0, 1029)
	r := b.care(consolidate.Request{})
	if r.MemoriesConsidered != 1029 || r.MemoriesArchived != 1000 || len(r.Summaries) != 3 {
		t.Fatalf("considered %d, archived %d, %d summaries", r.MemoriesConsidered, r.MemoriesArchived, len(r.Summaries))
	}
	for i, o := range originals {
		if got := b.record(o.ID).Live(); got != (i >= 1000) {
			t.Fatalf("memory %d: live is %v", i, got)
		}
	}
	total, after, counter := 0, 0, tokens.NewCounter("")
	for _, s := range b.live(memory.KindSummary) { // the second batch has folded in the first
		after += counter.Count(s.Content)
		if s.Supersedes == "" {
			t.Errorf("summary of %s folds nothing in", s.Category)
		}
		total += s.Summary.Count
	}
	before := 0
	for _, o := range originals[:1000] {
		before += counter.Count(o.Content)
	}
	if total != 1000 || r.TokensAfter != after || r.TokensBefore != before {
		t.Errorf("summaries stand for %d; tokens %d to %d, counted %d to %d", total, r.TokensBefore, r.TokensAfter, before, after)
	}
	if r = b.care(consolidate.Request{}); r.Status != consolidate.StatusNothing || r.MemoriesConsidered != 29 {
		t.Errorf("the rest: %+v", r)
	}
}

func TestCeilings(t *testing.T) {
	b := newBank(t)
	var list []memory.Record
	for i := range 450 { // about 500 tokens each
		list = append(list, b.memory(i, "technical", strings.Repeat(fmt.Sprintf("Server %d answers on port %d. ", i, 4000+i), 50)))
	}
	b.save(list...)
	for i := range 3 {
		r := b.care(consolidate.Request{})
		if r.TokensBefore > consolidate.MaxBefore || r.TokensAfter > consolidate.MaxAfter ||
			i < 2 && r.TokensBefore < consolidate.MaxBefore*9/10 {
			t.Errorf("call %d: tokens %d to %d", i, r.TokensBefore, r.TokensAfter)
		}
	}
}

func TestFocusDirects(t *testing.T) {
	b := newBank(t)
	originals := b.fill(0, 60)
	doctor := b.memory(61, "social", "Called the physician about the fever.")
	doctors := []memory.Record{doctor, b.memory(62, "event", "The doctor has time on Monday."), b.memory(63, "event", "The doctor is ill.")}
	b.save(doctors...)
	r := b.care(consolidate.Request{Focus: "my relationship with Priya"})
	if r.MemoriesConsidered != 63 || len(r.Summaries) != 1 {
		t.Fatalf("%+v", r)
	}
	for _, o := range originals {
		if about := strings.Contains(o.Content, "Priya"); b.record(o.ID).Live() == about {
			t.Errorf("%q: live is %v", o.Content, !about)
		}
	}
	if d := b.record(r.Summaries[0].ID).Summary; d.Focus != "my relationship with Priya" || d.Count != r.MemoriesArchived {
		t.Errorf("%+v", d)
	}
	// Near words count as well.
	r = b.care(consolidate.Request{Focus: "Doctors"})
	if r.MemoriesArchived != 3 || b.record(doctor.ID).Live() || b.record(r.Summaries[0].ID).Category != "event" {
		t.Errorf("%+v", r)
	}
	before := b.everything()
	if r = b.care(consolidate.Request{Focus: "Astrophysics"}); r.Status != consolidate.StatusNothing || b.everything() != before {
		t.Errorf("%+v", r)
	}
	// What comes up later under the same focus is folded in.
	b.save(b.memory(70, "event", "Priya sold the boat for 7300 euros."), b.memory(71, "event", "Priya bought 12 bees."))
	r = b.care(consolidate.Request{Focus: "My relationship with Priya."})
	if len(r.Summaries) != 1 || r.MemoriesArchived != 2 || r.Summaries[0].Covers != 10 ||
		!strings.Contains(r.Summaries[0].Content, "12 bees") {
		t.Errorf("%+v", r)
	}
}

// A summary belongs to the project of what it covers.
func TestProjectsStayApart(t *testing.T) {
	b := newBank(t)
	var list []memory.Record
	for i := range 40 {
		r := b.memory(i, "technical", fmt.Sprintf("Secret number %d of the vault.", i))
		if i%2 == 1 {
			r.Project = "vault"
		}
		list = append(list, r)
	}
	lonely := b.memory(50, "technical", "The attic has a window.")
	lonely.Project = "attic"
	b.save(append(list, lonely)...)
	r := b.care(consolidate.Request{})
	if len(r.Summaries) != 2 || r.MemoriesArchived != 40 || !b.record(lonely.ID).Live() {
		t.Fatalf("%+v", r)
	}
	for _, s := range r.Summaries {
		record := b.record(s.ID)
		for _, id := range record.Summary.Covers {
			if b.record(id).Project != record.Project {
				t.Errorf("a summary of %q covers a memory of %q", record.Project, b.record(id).Project)
			}
		}
	}
}

func TestDryRunTellsTheSameAndWritesNothing(t *testing.T) {
	b := newBank(t)
	b.fill(0, 1100)
	b.say("", 0, 1200)
	before := b.everything()
	dry := b.care(consolidate.Request{DryRun: true})
	if dry.Status != consolidate.StatusDryRun || dry.UndoID != "" || b.everything() != before {
		t.Fatalf("status %s, undo %q", dry.Status, dry.UndoID)
	}
	done := b.care(consolidate.Request{})
	for i := range done.Summaries {
		if i < len(dry.Summaries) && dry.Summaries[i].ID == "" {
			dry.Summaries[i].ID = done.Summaries[i].ID
		}
	}
	dry.Status, dry.UndoID = done.Status, done.UndoID
	if got, want := fmt.Sprintf("%+v", dry), fmt.Sprintf("%+v", done); got != want {
		t.Errorf("dry run\n%.2000s\ndone\n%.2000s", got, want)
	}
}

// Names, numbers and dates of every round are in the last summary.
func TestFiveRoundsKeepWhatMatters(t *testing.T) {
	b := newBank(t)
	var keys [][3]string
	for round := range 5 {
		var list []memory.Record
		for i := range 36 {
			n := 36*round + i
			text := "It was a long day again, and nothing much happened in the office."
			if i%6 == 0 {
				key := [3]string{people[(n/6)%len(people)], fmt.Sprint(7000 + 13*n), fmt.Sprintf("%d March 2025", 1+(n/6)%28)}
				keys = append(keys, key)
				text = fmt.Sprintf("On %s %s ordered %s pumps for the plant.", key[2], key[0], key[1])
			} else {
				text = fmt.Sprintf("%s Then it rained%s.", text, strings.Repeat(" a bit", i%4))
			}
			list = append(list, b.memory(n, "project", text))
		}
		b.save(list...)
		if r := b.care(consolidate.Request{}); r.MemoriesArchived != 36 || len(r.Summaries) != 1 {
			t.Fatalf("round %d: %+v", round, r)
		}
	}
	last := b.live(memory.KindSummary)
	if len(last) != 1 || last[0].Summary.Count != 180 {
		t.Fatalf("%d summaries", len(last))
	}
	kept := 0
	for _, k := range keys {
		if strings.Contains(last[0].Content, k[0]) && strings.Contains(last[0].Content, k[1]) && strings.Contains(last[0].Content, k[2]) {
			kept++
		}
	}
	t.Logf("%d of %d kept", kept, len(keys))
	if kept < len(keys)-1 {
		t.Errorf("%d of %d are in\n%s", kept, len(keys), last[0].Content)
	}
}

// What was forgotten while its summary was being made is in no summary.
func TestForgottenMeanwhile(t *testing.T) {
	m := &model{}
	b := newBank(t, func(o *consolidate.Options) { o.Summarizers = append([]memory.Summarizer{m}, o.Summarizers...) })
	originals := b.fill(0, 30)
	secret := originals[0]
	m.hook = func() {
		if m.asked.Load() == 2 {
			b.edit(secret.ID, func(r *memory.Record) { r.ArchivedAt, r.ArchiveWhy = b.clock(), "private" })
		}
	}
	r := b.care(consolidate.Request{})
	if r.Status != consolidate.StatusNothing && r.Status != consolidate.StatusDone {
		t.Fatalf("%+v", r)
	}
	for _, s := range b.live(memory.KindSummary) {
		if strings.Contains(s.Content, secret.Content) || slices.Contains(s.Summary.Covers, secret.ID) {
			t.Errorf("%+v tells of what was forgotten", s)
		}
	}
	if b.record(secret.ID).ArchiveWhy != "private" {
		t.Error("it was touched")
	}
}

// Small themes join the rest, and a small rest the largest theme.
func TestSmallThemesJoin(t *testing.T) {
	for _, c := range []struct {
		market, goal int
		want         map[string]int
	}{
		{3, 2, map[string]int{"technical": 40, "other": 5}},
		{2, 2, map[string]int{"technical": 44}},
		{5, 1, map[string]int{"technical": 41, "market": 5}},
	} {
		b := newBank(t)
		var list []memory.Record
		for category, n := range map[string]int{"technical": 40, "market": c.market, "goal": c.goal} {
			for i := range n {
				list = append(list, b.memory(i, category, fmt.Sprintf("Item %d of the %s list was ticked off.", i, category)))
			}
		}
		b.save(list...)
		b.care(consolidate.Request{})
		got := map[string]int{}
		for _, s := range b.live(memory.KindSummary) {
			got[s.Category] = s.Summary.Count
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// TestOneMoreOfATheme: what is alone in its theme is left as it is, unless the theme has a summary that it joins. What is told late
// comes where it belongs by its time.
func TestOneMoreOfATheme(t *testing.T) {
	b := newBank(t)
	b.fill(0, 60)
	b.care(consolidate.Request{})
	one := b.memory(90, "social", "Priya asked Tomasz for the ladder.")
	var list []memory.Record
	for i := range 29 {
		list = append(list, b.memory(100+i, "financial", fmt.Sprintf("Ingrid paid the rent of %d euros.", 2000+i)))
	}
	late := b.memory(80, "financial", "Beatriz lent 77 euros.")
	lonely := b.memory(91, "health", "The tooth hurts.")
	lonely.Project = "attic"
	b.save(append(list, one, late, lonely)...)
	r := b.care(consolidate.Request{})
	if r.MemoriesArchived != 31 || b.record(one.ID).Live() || !b.record(lonely.ID).Live() {
		t.Fatalf("%+v", r)
	}
	for _, s := range b.live(memory.KindSummary) {
		if covers := s.Summary.Covers; s.Category == "financial" && (len(covers) == 0 || covers[0] != late.ID) {
			t.Errorf("the first of %d is not what was first", len(covers))
		}
	}
}
