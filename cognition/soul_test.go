package cognition_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/cognition"
	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (m *mind) soul(content string, kind memory.SoulType) cognition.Saved {
	m.t.Helper()
	saved, err := m.AddSoul(m.t.Context(), anna, content, kind)
	if err != nil {
		m.t.Fatal(err)
	}
	return saved
}

func (m *mind) file(name string) string {
	m.t.Helper()
	data, err := testfiles.ReadFile(filepath.Join(m.dir, "workspaces", "anna", filepath.FromSlash(name)))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(data)
}

func TestSoulStays(t *testing.T) {
	m := newMind(t)
	first := m.soul("Conflict is the engine of progress.", "")
	second := m.soul("I fear being forgotten.", memory.SoulFear)
	if first.Action != remember.Created || first.Soul.Type != memory.SoulBelief || !first.Pinned || first.Importance != 1 ||
		first.Project != "" {
		t.Errorf("saved %+v", first)
	}
	again := m.soul("conflict is the engine of progress", memory.SoulValue)
	want(t, []any{again.ID, again.Action, again.Soul.Type, again.Confirmations}, []any{first.ID, remember.Duplicate, memory.SoulBelief, 2})
	entries, err := m.Soul(t.Context(), "anna")
	if err != nil || len(entries) != 2 || entries[0].ID != first.ID || entries[1].ID != second.ID {
		t.Errorf("entries %+v, %v", entries, err)
	}
	for _, text := range []string{"## Beliefs", "Conflict is the engine", "## Fears", "I fear being forgotten."} {
		if page := m.file("SOUL.md"); !strings.Contains(page, text) {
			t.Errorf("SOUL.md lacks %q:\n%s", text, page)
		}
	}
	if other, err := m.Soul(t.Context(), "boris"); err != nil || len(other) != 0 {
		t.Errorf("boris has %+v, %v", other, err)
	}
}

func TestSoulIsRemovedOnlyWithAReason(t *testing.T) {
	m := newMind(t)
	e := m.soul("Information is the only real currency.", memory.SoulConviction)
	fact, err := m.remember.Save(t.Context(), anna, remember.SaveRequest{Content: "Information about currency is public."})
	if err != nil {
		t.Fatal(err)
	}
	for reason, code := range map[string]memory.Code{"": memory.CodeInvalidArgument, " \n": memory.CodeInvalidArgument,
		"a\x00": memory.CodeInvalidArgument} {
		_, err := m.RemoveSoul(t.Context(), anna, e.ID, reason)
		wantError(t, err, code, "reason")
	}
	_, err = m.RemoveSoul(t.Context(), anna, fact.ID, "x")
	wantError(t, err, memory.CodeNotFound, "not a soul entry")
	_, err = m.RemoveSoul(t.Context(), boris, e.ID, "x")
	wantError(t, err, memory.CodeNotFound, "no memory")

	_, err = m.remember.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{fact.ID, e.ID}})
	wantError(t, err, memory.CodeForbidden, "soul_remove")
	_, err = m.remember.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{e.ID}, Permanent: true, Confirm: true})
	wantError(t, err, memory.CodeForbidden, "soul_remove")
	_, err = m.remember.Save(t.Context(), anna, remember.SaveRequest{Content: "Gold is.", Supersedes: e.ID})
	wantError(t, err, memory.CodeForbidden, "soul_remove")
	for _, f := range []remember.ForgetRequest{{Query: "information"}, {Query: "information", Project: ptr(memory.AllProjects)}} {
		f.DryRun = true
		result, err := m.remember.Forget(t.Context(), anna, f)
		if err != nil || len(result.IDs) != 1 || result.IDs[0] != fact.ID {
			t.Errorf("forgotten %+v, %v", result, err)
		}
	}
	if entries, _ := m.Soul(t.Context(), "anna"); len(entries) != 1 {
		t.Fatalf("entries %+v", entries)
	}

	m.later()
	removed, err := m.RemoveSoul(t.Context(), anna, e.ID, " I learned better. ")
	if err != nil || removed.ArchiveWhy != "I learned better." || !removed.ArchivedAt.Equal(m.now) {
		t.Errorf("removed %+v, %v", removed, err)
	}
	_, err = m.RemoveSoul(t.Context(), anna, e.ID, "again")
	wantError(t, err, memory.CodeConflict, "before")
	if entries, _ := m.Soul(t.Context(), "anna"); len(entries) != 0 || strings.Contains(m.file("SOUL.md"), "currency") {
		t.Errorf("left: %+v\n%s", entries, m.file("SOUL.md"))
	}
	if kept := m.history(e.ID); len(kept) != 1 || kept[0].ArchiveWhy == "" {
		t.Errorf("history %+v", kept)
	}
}

// A soul entry is given up with a reason or superseded by another one, never
// edited in passing.
func TestSoulContentChangesWithHistory(t *testing.T) {
	m := newMind(t)
	e := m.soul("Every conversation is data.", memory.SoulValue)
	m.later()
	_, err := m.remember.Update(t.Context(), anna, remember.UpdateRequest{ID: e.ID, Content: ptr("Every conversation is a gift.")})
	wantError(t, err, memory.CodeForbidden, "soul_add")
	next, err := m.remember.Save(t.Context(), anna, remember.SaveRequest{
		Content: "Every conversation is a gift.", Kind: memory.KindSoul, Pinned: true, Supersedes: e.ID,
		KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulValue}},
	})
	if err != nil || next.Action != remember.Superseded {
		t.Fatalf("%+v, %v", next, err)
	}
	entries, err := m.Soul(t.Context(), "anna")
	if err != nil || len(entries) != 1 || entries[0].ID != next.ID || entries[0].Soul.Type != memory.SoulValue {
		t.Errorf("entries %+v, %v", entries, err)
	}
	_, err = m.RemoveSoul(t.Context(), anna, e.ID, "x")
	wantError(t, err, memory.CodeConflict, next.ID)
}

func TestLearnings(t *testing.T) {
	m := newMind(t)
	record := func(r cognition.LearningRequest) cognition.Saved {
		t.Helper()
		saved, err := m.RecordLearning(t.Context(), anna, r)
		if err != nil {
			t.Fatal(err)
		}
		return saved
	}
	first := record(cognition.LearningRequest{Type: memory.LearningError, Content: "git push needs the token.", Context: "releasing",
		Tool: "git"})
	m.later()
	second := record(cognition.LearningRequest{Type: memory.LearningCorrection, Content: "Ann spells her name without e."})
	again := record(cognition.LearningRequest{Type: memory.LearningError, Content: "git push needs the token"})
	want(t, []any{again.ID, again.Action, again.Confirmations}, []any{first.ID, remember.Duplicate, 2})
	all, total, err := m.Learnings(t.Context(), anna, cognition.LearningQuery{Limit: 1})
	if err != nil || total != 2 || len(all) != 1 || all[0].ID != second.ID {
		t.Errorf("%+v, %d, %v", all, total, err)
	}
	errs, total, err := m.Learnings(t.Context(), anna, cognition.LearningQuery{Type: memory.LearningError})
	if err != nil || total != 1 || errs[0].Learning.Tool != "git" || errs[0].Importance <= 0.6 {
		t.Errorf("%+v, %d, %v", errs, total, err)
	}
	if page := m.file("learnings/errors.md"); strings.Count(page, "needs the token") != 1 || !strings.Contains(page, "Context: releasing") {
		t.Errorf("errors.md:\n%s", page)
	}
	if page := m.file("learnings/corrections.md"); !strings.Contains(page, "without e") {
		t.Errorf("corrections.md:\n%s", page)
	}
	_, err = m.RecordLearning(t.Context(), anna, cognition.LearningRequest{Type: "guess", Content: "x"})
	wantError(t, err, memory.CodeInvalidArgument, "kind")
	_, err = m.RecordLearning(t.Context(), anna, cognition.LearningRequest{Type: memory.LearningError, Content: " "})
	wantError(t, err, memory.CodeInvalidArgument, "content")
	if _, total, _ := m.Learnings(t.Context(), boris, cognition.LearningQuery{}); total != 0 {
		t.Errorf("boris has %d", total)
	}
}

// TestLearningsAboutATool: what is about the very tool before what is about its shell,
// of these what counts most.
func TestLearningsAboutATool(t *testing.T) {
	m := newMind(t)
	for _, r := range []cognition.LearningRequest{
		{Type: memory.LearningError, Content: "A quoted path keeps its blanks.", Tool: "Bash"},
		{Type: memory.LearningError, Content: "The first push needs -u.", Tool: "Bash: git push"},
		{Type: memory.LearningError, Content: "Fetch before a rebase.", Tool: "Git"},
		{Type: memory.LearningError, Content: "Fetch before a rebase", Tool: "Git"},
		{Type: memory.LearningCorrection, Content: "Commits are in the imperative.", Tool: "git"},
		{Type: memory.LearningError, Content: "npm ci wants a lock file.", Tool: "Bash: npm"},
		{Type: memory.LearningError, Content: "The oven is hotter than it says."},
	} {
		if _, err := m.RecordLearning(t.Context(), anna, r); err != nil {
			t.Fatal(err)
		}
		m.later()
	}
	for _, c := range []struct {
		query cognition.LearningQuery
		total int
		want  []string
	}{
		{cognition.LearningQuery{Tool: "bash: git pull --rebase"}, 4,
			[]string{"Commits are in the imperative.", "Fetch before a rebase.", "The first push needs -u.",
				"A quoted path keeps its blanks."}},
		{cognition.LearningQuery{Tool: "GIT", Limit: 2}, 3, []string{"Commits are in the imperative.", "Fetch before a rebase."}},
		{cognition.LearningQuery{Tool: "git", Type: memory.LearningCorrection}, 1, []string{"Commits are in the imperative."}},
		{cognition.LearningQuery{Tool: "Bash"}, 3,
			[]string{"npm ci wants a lock file.", "The first push needs -u.", "A quoted path keeps its blanks."}},
		{cognition.LearningQuery{Tool: "make"}, 0, nil},
	} {
		found, total, err := m.Learnings(t.Context(), anna, c.query)
		var got []string
		for _, r := range found {
			got = append(got, r.Content)
		}
		if err != nil || total != c.total || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %d %q, %v, want %d %q", c.query, total, got, err, c.total, c.want)
		}
	}
}

func TestEpisodes(t *testing.T) {
	m := newMind(t)
	r := cognition.EpisodeRequest{
		Event: "The launch was moved", Context: "The database migration failed on staging.",
		Participants: []string{"Carla", "staging team"},
		Outcome:      "New date is 12 May", Valence: -0.4, Importance: ptr(0.9), Tags: []string{"launch"}, OccurredAt: day("2026-02-20"),
	}
	save := func() cognition.Saved {
		t.Helper()
		saved, err := m.SaveEpisode(t.Context(), anna, r)
		if err != nil {
			t.Fatal(err)
		}
		return saved
	}
	first := save()
	want(t, first.Content,
		"The launch was moved. The database migration failed on staging. Participants: Carla, staging team. Outcome: New date is 12 May.")
	stored := m.history(first.ID)[0]
	if e := stored.Episode; e == nil || e.EmotionalValence != -0.4 || e.Outcome != "New date is 12 May" || len(e.Participants) != 2 ||
		!stored.OccurredAt.Equal(r.OccurredAt) {
		t.Errorf("stored %+v", stored)
	}
	for _, query := range []string{"Why did the migration fail?", "What did Carla take part in?", "launch moved"} {
		if found := m.found(query, memory.KindEpisode); len(found) != 1 {
			t.Errorf("%q found %q", query, found)
		}
	}
	if again := save(); again.ID != first.ID || again.Action != remember.Duplicate {
		t.Errorf("again %+v", again)
	}
	r.OccurredAt = day("2026-02-27")
	second := save()
	if second.ID == first.ID || second.Action != remember.Created {
		t.Errorf("at another time %+v", second)
	}
	if again := save(); again.ID != second.ID || again.Action != remember.Duplicate {
		t.Errorf("the second again %+v", again)
	}
	r.Event = " "
	_, err := m.SaveEpisode(t.Context(), anna, r)
	wantError(t, err, memory.CodeInvalidArgument, "event")
	r = cognition.EpisodeRequest{Event: "x", Valence: 1.5}
	_, err = m.SaveEpisode(t.Context(), anna, r)
	wantError(t, err, memory.CodeInvalidArgument, "emotional_valence")
	r = cognition.EpisodeRequest{Event: strings.Repeat("x", 20<<10), Context: strings.Repeat("y", 20<<10)}
	_, err = m.SaveEpisode(t.Context(), anna, r)
	wantError(t, err, memory.CodeTooLarge, "event")
	if n := m.counted(); n != 2 {
		t.Errorf("%d records", n)
	}
}
