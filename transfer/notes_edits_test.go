package transfer_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
)

// contents are those of the live records of anna, in order of creation.
func (b *bank) contents(t testing.TB) (live []string) {
	for _, r := range b.records(t, "anna") {
		if r.Live() {
			live = append(live, r.Content)
		}
	}
	return live
}

func TestAPersonEditsNotes(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"id":"oboe","content":"Anna plays the oboe.","tags":["music"]}
{"content":"The harbour café opens at nine."}
{"content":"Tom is allergic to peanuts.","category":"health"}`)
	before := b.contents(t)
	dir := t.TempDir()
	b.exportNotes(t, dir)
	edit(t, dir, noteWith(t, dir, "oboe"), "plays the oboe.\n", "plays the bassoon.\n\nShe is *good* at it.\n")
	edit(t, dir, noteWith(t, dir, "café"), "importance: 0.5", "importance: 0.9\ntags: [food, \"two words\"]")
	peanuts := noteWith(t, dir, "peanuts")
	write(t, dir, peanuts, strings.ReplaceAll(files(t, dir)[peanuts], "\n", "\r\n")) // as Git on Windows
	write(t, dir, "fact/added.md", "---\nmcp_memory: record\nkind: fact\ntags: [pets]\n---\nRex is a dog.\n")

	report := b.mustImportNotes(t, dir)
	if report.Created != 1 || report.Updated != 2 || report.Duplicates != 1 || len(report.Superseded) != 1 || report.UndoID == "" {
		t.Errorf("%+v", report)
	}
	want := []string{"The harbour café opens at nine.", "Tom is allergic to peanuts.", "Anna plays the bassoon.\n\nShe is *good* at it.",
		"Rex is a dog."}
	live := b.contents(t)
	slices.Sort(live)
	slices.Sort(want)
	if !slices.Equal(live, want) {
		t.Errorf("%q", live)
	}
	for _, r := range b.records(t, "anna") {
		switch {
		case strings.Contains(r.Content, "bassoon") &&
			(r.Supersedes != report.Superseded[0] || !slices.Equal(r.Tags, []string{"music"}) || r.Source != memory.SourceUser):
			t.Errorf("%+v", r)
		case strings.Contains(r.Content, "café") && (r.Importance != 0.9 || !slices.Equal(r.Tags, []string{"food", "two words"})):
			t.Errorf("%+v", r)
		}
	}
	again := b.mustImportNotes(t, dir)
	if again.Created+again.Updated != 0 || again.UndoID != "" {
		t.Errorf("again: %+v", again)
	}
	// What was imported is in the bank: the old note says again what it said.
	edit(t, dir, peanuts, "kind: fact", "kind: fact\r\nmood: calm")
	exported := b.exportNotes(t, dir)
	if len(exported.Kept) != 1 || !strings.HasPrefix(exported.Kept[0], peanuts) {
		t.Errorf("kept %q", exported.Kept)
	}
	if content := files(t, dir)[noteWith(t, dir, "oboe.\n")]; !strings.Contains(content, "superseded_by_note:") {
		t.Errorf("no history:\n%s", content)
	}
	if _, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{Undo: report.UndoID}); err != nil {
		t.Fatal(err)
	}
	after := b.contents(t)
	slices.Sort(before)
	slices.Sort(after)
	if !slices.Equal(after, before) {
		t.Errorf("undone, there is %q, not %q", after, before)
	}
	for _, r := range b.records(t, "anna") {
		if strings.Contains(r.Content, "café") && (r.Importance != 0.5 || len(r.Tags) > 0) {
			t.Errorf("tags and importance are not back: %+v", r)
		}
	}
}

func TestExportChangesLittle(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, factLines(20)+`{"id":"x","content":"Anna plays the oboe."}`+"\n"+`{"id":"y","content":"Old news."}`)
	b.mustLoad(t, transfer.Turns, turnLines(8))
	dir := t.TempDir()
	b.exportNotes(t, dir)
	first, oboe := files(t, dir), noteWith(t, dir, "oboe")
	b.mustLoad(t, transfer.Facts, `{"id":"x","content":"Anna plays the bassoon."}`)
	report := b.exportNotes(t, dir)
	bassoon := noteWith(t, dir, "bassoon.\n")
	if got, want := differing(first, files(t, dir)), []string{bassoon, oboe}; !slices.Equal(got, want) || report.Written != 2 {
		t.Errorf("%q changed, not %q: %+v", got, want, report)
	}
	link := func(name string) string { return `"[[` + strings.TrimSuffix(filepath.Base(name), ".md") + `]]"` }
	if all := files(t, dir); !strings.Contains(all[oboe], "superseded_by_note: "+link(bassoon)) ||
		!strings.Contains(all[bassoon], "\nsupersedes_note: "+link(oboe)) {
		t.Errorf("no links:\n%s\n%s", all[oboe], all[bassoon])
	}
}

func TestNotesOfWhatIsGone(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"Anna plays the oboe."}
{"content":"Tom is allergic to peanuts."}
{"content":"The café opens at nine."}`)
	dir := t.TempDir()
	b.exportNotes(t, dir)
	oboe, peanuts, cafe := noteWith(t, dir, "oboe"), noteWith(t, dir, "peanuts"), noteWith(t, dir, "café")
	edit(t, dir, peanuts, "peanuts.", "peanuts and hazelnuts.")
	edit(t, dir, cafe, "nine", "ten")
	write(t, dir, "mine.md", "Not of mcp-memory.\n")
	for _, r := range b.records(t, "anna")[:2] {
		if _, err := b.Service.Forget(t.Context(), anna,
			remember.ForgetRequest{IDs: []string{r.ID}, Permanent: true, Confirm: true}); err != nil {
			t.Fatal(err)
		}
	}
	report := b.exportNotes(t, dir)
	all := files(t, dir)
	if all[oboe] != "" || report.Removed != 1 {
		t.Errorf("what was erased is there: %+v", report)
	}
	if !strings.Contains(all[peanuts], "hazelnuts") || !strings.Contains(all[cafe], "ten") || all["mine.md"] == "" ||
		len(report.Kept) != 2 {
		t.Errorf("what a person wrote is gone: %+v", report)
	}
	forced, err := transfer.ExportNotes(t.Context(), b.Deps, "anna", dir, true, nil)
	if err != nil || strings.Contains(files(t, dir)[cafe], "ten") || files(t, dir)["mine.md"] == "" {
		t.Errorf("with force: %+v, %v", forced, err)
	}
}

func TestNotesLinkWhatBelongsTogether(t *testing.T) {
	b := newBank(t)
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		base := memory.Record{Agent: "anna", Source: memory.SourceAgent, CreatedAt: start, Confirmations: 1}
		tom, knows, summary := base, base, base
		tom.ID, tom.Kind, tom.Content = "tom", memory.KindRelationship, "Tom is a colleague."
		tom.Relationship = &memory.RelationshipDetails{Party: "tom@example.org", Name: "Tom Weber"}
		knows.ID, knows.Kind, knows.Content = "knows", memory.KindTriple, "Tom Weber leads billing."
		knows.Triple = &memory.TripleDetails{Subject: "Tom Weber", Predicate: "leads", Object: "billing"}
		summary.ID, summary.Kind, summary.Content = "sum", memory.KindSummary, "About Tom."
		summary.Summary = &memory.SummaryDetails{Of: "memories", Covers: []string{"knows", "gone"}, Count: 2}
		for _, r := range []memory.Record{tom, knows, summary} {
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	b.exportNotes(t, dir)
	for folder, want := range map[string][]string{
		"relationship": {"named_in_notes:\n  - \"[[tom-weber-leads-billing-"},
		"triple":       {"about_notes:\n  - \"[[tom-weber-", "source_of_notes:\n  - \"[[about-tom-"},
		"summary":      {"derived_from_notes:\n  - \"[[tom-weber-leads-billing-"},
	} {
		names, _ := filepath.Glob(filepath.Join(dir, folder, "*.md"))
		if len(names) != 1 {
			t.Fatalf("%s: %q", folder, names)
		}
		content, _ := os.ReadFile(names[0])
		for _, text := range want {
			if !strings.Contains(string(content), text) {
				t.Errorf("%s has no %q:\n%s", names[0], text, content)
			}
		}
	}
}

func TestAFolderOfSomethingElse(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, factLines(2))
	dir := t.TempDir()
	write(t, dir, "notes.md", "Mine.\n")
	if _, err := transfer.ExportNotes(t.Context(), b.Deps, "anna", dir, false, nil); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("%v", err)
	}
	other := t.TempDir()
	b.exportNotes(t, other)
	if _, err := transfer.ExportNotes(t.Context(), b.Deps, "boris", other, true, nil); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("another agent: %v", err)
	}
	boris := memory.Scope{Agent: "boris"}
	report, err := b.importNotes(t, other, transfer.Options{Scope: boris})
	if err != nil || report.Created != 2 || len(b.records(t, "anna")) != 2 {
		t.Errorf("into another bank: %+v, %v", report, err)
	}
	link := filepath.Join(t.TempDir(), "secret.txt")
	write(t, filepath.Dir(link), "secret.txt", "mine")
	names, _ := filepath.Glob(filepath.Join(other, "fact", "*.md"))
	if err := os.Remove(names[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(link, names[0]); err != nil {
		t.Skip(err)
	}
	if _, err := transfer.ExportNotes(t.Context(), b.Deps, "anna", other, true, nil); err == nil {
		t.Error("a symbolic link was written through or replaced")
	}
	if content, _ := os.ReadFile(link); string(content) != "mine" {
		t.Errorf("%q", content)
	}
}

func TestNotesOfEveryKindAreEdited(t *testing.T) {
	b := newBank(t)
	kinds := map[memory.Kind]memory.KindDetails{
		memory.KindFact: {}, memory.KindLongTerm: {Episode: &memory.EpisodeDetails{Outcome: "good"}},
		memory.KindEpisode:  {Episode: &memory.EpisodeDetails{Participants: []string{"Tom"}}},
		memory.KindSummary:  {Summary: &memory.SummaryDetails{Of: "memories", Count: 2}},
		memory.KindLearning: {Learning: &memory.LearningDetails{Type: memory.LearningError, Tool: "make"}},
	}
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		for kind, details := range kinds {
			err := tx.InsertRecord(memory.Record{ID: "the-" + string(kind), Agent: "anna", Project: "harbour", Kind: kind,
				Category: "event", Content: "Before of " + string(kind),
				Source: memory.SourceAgent, Importance: 0.25, Tags: []string{"t"},
				ExternalID: "x/" + string(kind), CreatedAt: start, Confirmations: 1, KindDetails: details}, nil)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	b.exportNotes(t, dir)
	for kind := range kinds {
		edit(t, dir, noteWith(t, dir, "Before of "+string(kind)), "Before of", "After of")
	}
	report := b.mustImportNotes(t, dir)
	if report.Updated != len(kinds) || len(report.Superseded) != len(kinds) || report.Created != 0 {
		t.Errorf("%+v", report)
	}
	for _, r := range b.records(t, "anna") {
		if r.Supersedes == "" {
			continue
		}
		old := memory.Record{ID: r.ID, Agent: "anna", Project: "harbour", Kind: r.Kind, Category: "event",
			Content: "After of " + string(r.Kind), Source: memory.SourceUser,
			Importance: 0.25, Tags: []string{"t"}, ExternalID: "x/" + string(r.Kind),
			CreatedAt: r.CreatedAt, ValidFrom: r.ValidFrom, Supersedes: "the-" + string(r.Kind),
			Confirmations: 1, KindDetails: kinds[r.Kind], OccurredAt: r.OccurredAt}
		if !reflect.DeepEqual(r, old) {
			t.Errorf("got  %+v\nwant %+v", r, old)
		}
	}
	if again := b.mustImportNotes(t, dir); again.Updated+again.Created != 0 {
		t.Errorf("again: %+v", again)
	}
}

func TestNotesOfWhatWasForgotten(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"Anna plays the oboe."}
{"content":"Tom is allergic to peanuts."}`)
	dir := t.TempDir()
	b.exportNotes(t, dir)
	edit(t, dir, noteWith(t, dir, "oboe"), "oboe.", "bassoon.")
	for _, r := range b.records(t, "anna") {
		if _, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{r.ID}}); err != nil {
			t.Fatal(err)
		}
	}
	if report := b.mustImportNotes(t, dir); report.Forgotten != 2 || len(b.contents(t)) != 0 {
		t.Errorf("%+v: %q", report, b.contents(t))
	}
	report, err := b.importNotes(t, dir, transfer.Options{Revive: true})
	if err != nil || report.Revived != 2 ||
		!slices.Equal(b.contents(t), []string{"Tom is allergic to peanuts.", "Anna plays the bassoon."}) {
		t.Errorf("%+v, %v: %q", report, err, b.contents(t))
	}
}

func TestACancelledImportOfNotesGoesOn(t *testing.T) {
	from := newBank(t)
	from.mustLoad(t, transfer.Facts, factLines(1200))
	dir := t.TempDir()
	from.exportNotes(t, dir)
	write(t, dir, "mine.md", "A note of my own.")
	to := newBank(t)
	ctx, cancel := context.WithCancel(t.Context())
	var size int64
	for _, content := range files(t, dir) {
		size += int64(len(content))
	}
	_, err := transfer.ImportNotes(ctx, to.Deps, dir, transfer.Options{Scope: anna, Progress: func(_, bytes int64) {
		if bytes > size/2 { // a batch is stored
			cancel()
		}
	}})
	if n := len(to.records(t, "anna")); memory.CodeOf(err) != memory.CodeUnavailable || n == 0 || n > 1200 {
		t.Fatalf("%d records, %v", n, err)
	}
	to.mustImportNotes(t, dir)
	if n := len(to.records(t, "anna")); n != 1201 {
		t.Errorf("%d records", n)
	}
}
