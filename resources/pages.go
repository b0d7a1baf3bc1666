package resources

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mcp-memory/actions"
	"mcp-memory/memory"
)

// soulEntries returns an agent's soul entries, oldest first, without secrets. Nil projects means
// all.
func (s *Service) soulEntries(ctx context.Context, agent string, projects []string) ([]memory.Record, error) {
	entries, _, err := s.store.List(ctx, memory.CatalogFilter{Agent: agent, Projects: projects, Kind: memory.KindSoul, Now: s.clock()})
	slices.Reverse(entries)
	return withoutSecrets(entries), err
}

func soulLine(r memory.Record) string {
	return fmt.Sprintf("- %s: %s\n", r.SoulType(), oneLine(r.Content, memory.MaxContentBytes))
}

func (s *Service) soul(ctx context.Context, scope memory.Scope) (string, error) {
	entries, err := s.soulEntries(ctx, scope.Agent, nil)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# Soul\n\n" + notice + "\n")
	for _, r := range entries {
		b.WriteString(soulLine(r))
	}
	if len(entries) == 0 {
		b.WriteString("There are no entries yet; soul_add makes one.\n")
	}
	return b.String(), nil
}

// maxSalient is how many memories the page of salient ones shows.
const maxSalient = 50

func (s *Service) salient(ctx context.Context, scope memory.Scope) (string, error) {
	records, err := s.standingOut(ctx, scope, salientPool)
	if err != nil {
		return "", err
	}
	records = withoutSecrets(records)
	var b strings.Builder
	b.WriteString("# Most salient memories\n\n" + notice + "\n")
	for _, r := range records[:min(maxSalient, len(records))] {
		fmt.Fprintf(&b, "- %s (%s, %s, %s, id %s)\n", oneLine(shown(r), 2*startLine), r.Kind, oneLine(r.Category, 80),
			s.clock.Day(r.EventTime()), r.ID)
	}
	if len(records) == 0 {
		b.WriteString("Nothing stands out yet.\n")
	}
	return b.String(), nil
}

func (s *Service) stats(ctx context.Context, scope memory.Scope) (string, error) {
	st, err := s.store.Stats(ctx, scope.Agent)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# What the bank holds\n\n")
	fmt.Fprintf(&b, "- agent: %s\n- memories: %d, and %d archived, %d superseded\n", oneLine(st.Agent, 80), st.Records, st.Archived,
		st.Superseded)
	fmt.Fprintf(&b, "- conversations: %d messages in %d sessions\n", st.Turns, st.Sessions)
	fmt.Fprintf(&b, "- vectors: %d by %s, %d waiting\n", st.Vectors, st.Embedder, st.VectorsQueued)
	for _, group := range []struct {
		title  string
		counts map[string]int
	}{{"kinds", st.ByKind}, {"categories", st.ByCategory}, {"projects", st.ByProject}} {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(group.counts)) {
			shown := oneLine(name, 80)
			if name == "" {
				shown = "(none)"
			}
			parts = append(parts, fmt.Sprintf("%s %d", shown, group.counts[name]))
		}
		if len(parts) > 0 {
			fmt.Fprintf(&b, "- %s: %s\n", group.title, strings.Join(parts, ", "))
		}
	}
	return b.String(), nil
}

// record shows a record's content and fields, and its history if it has other versions.
func (s *Service) record(ctx context.Context, scope memory.Scope, id string) (string, error) {
	found, err := s.store.Records(ctx, scope.Agent, []string{id})
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", memory.Errorf(memory.CodeNotFound, "there is no memory %q", oneLine(id, startLine)).WithAdvice(memory.FindRecords)
	}
	r := found[0]
	var b strings.Builder
	fmt.Fprintf(&b, "# Record %s\n\n%s\n%s\n", r.ID, notice, quote(r.Content))
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "- %s: %s\n", name, oneLine(value, startLine))
		}
	}
	field("kind", string(r.Kind))
	field("category", r.Category)
	field("importance", fmt.Sprintf("%.2g", r.Importance))
	field("tags", strings.Join(r.Tags, ", "))
	field("project", r.Project)
	field("source", string(r.Source))
	field("recorded", moment(r.CreatedAt))
	field("occurred", moment(r.OccurredAt))
	field("valid from", moment(r.ValidFrom))
	field("valid until", moment(r.ValidUntil))
	field("archived", strings.TrimSuffix(moment(r.ArchivedAt)+": "+r.ArchiveWhy, ": "))
	field("replaced by", r.SupersededBy)
	if r.Supersedes == "" && r.SupersededBy == "" {
		return b.String(), nil
	}
	history, err := s.store.History(ctx, scope.Agent, r.ID)
	b.WriteString("\n## History\n\n")
	for _, v := range history {
		fmt.Fprintf(&b, "- %s, recorded %s: %s\n", v.ID, moment(v.CreatedAt), oneLine(v.Content, startLine))
	}
	return b.String(), err
}

func (s *Service) diary(ctx context.Context, scope memory.Scope, date string) (string, error) {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return "", memory.Errorf(memory.CodeInvalidArgument, "%q is not a date", date).WithHint("a day such as 2026-03-01")
	}
	entries, _, err := s.store.List(ctx,
		memory.CatalogFilter{Agent: scope.Agent, Kind: memory.KindDiary, From: date, To: date, Limit: 1, Now: s.clock()})
	if err != nil {
		return "", err
	}
	if len(entries) == 0 {
		return "", memory.Errorf(memory.CodeNotFound, "the diary has no entry of %s", date).
			WithAdvice(memory.Advice{Tool: "diary_read lists entries", Command: "`mcp-memory diary list` lists entries"})
	}
	r := entries[0]
	var b strings.Builder
	fmt.Fprintf(&b, "# Diary of %s\n\n%s\n%s", date, notice, quote(r.Content))
	if d := r.Diary; d != nil && d.Mood+d.Location != "" {
		fmt.Fprintf(&b, "\n- mood: %s\n- location: %s\n", oneLine(d.Mood, startLine), oneLine(d.Location, startLine))
	}
	return b.String(), nil
}

// The page of a conversation shows its newest maxTurns messages, each cut to maxTurnText
// characters.
const (
	maxTurns    = 500
	maxTurnText = 4000
)

func (s *Service) session(ctx context.Context, scope memory.Scope, session string) (string, error) {
	// All messages are read, and only the last maxTurns shown; most conversations are shorter.
	turns, err := s.store.Turns(ctx, scope.Agent, session, 0, 0)
	if err != nil {
		return "", err
	}
	if len(turns) == 0 {
		return "", memory.Errorf(memory.CodeNotFound, "there is no conversation %q", oneLine(session, startLine)).
			WithAdvice(memory.FindSessions)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Conversation %s\n\n%s", oneLine(session, memory.MaxNameBytes), notice)
	if skipped := len(turns) - maxTurns; skipped > 0 {
		fmt.Fprintf(&b, "\nThe first %d messages are left out; memory_search finds them.\n", skipped)
		turns = turns[skipped:]
	}
	for _, t := range turns {
		speaker := t.Speaker
		if speaker == "" {
			speaker = string(t.Role)
		}
		fmt.Fprintf(&b, "\n**%s**, %s", plain(oneLine(speaker, 80)), moment(t.SaidAt))
		if d := t.Details; d != nil && d.InputSource != "" {
			fmt.Fprintf(&b, ", from %s", plain(oneLine(d.InputSource, 80)))
		}
		b.WriteString(":\n" + turnText(t.Content+"\n"+t.Details.Text()))
		if d := t.Details; d != nil && strings.TrimSpace(d.Thinking) != "" {
			b.WriteString("\nThinking:\n" + turnText(d.Thinking))
		}
	}
	return b.String(), nil
}

// turnText quotes what was said or thought in a message, shortened to maxTurnText.
func turnText(text string) string {
	return quote(memory.Shorten(strings.TrimSpace(text), maxTurnText))
}

func (s *Service) file(ctx context.Context, scope memory.Scope, name string) (string, error) {
	return s.files(scope.Agent).Read(ctx, name)
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// quote puts every line of a text into a Markdown quotation, so that no line can leave it.
func quote(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(lineEnds.Replace(text), "\n") {
		b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
	return b.String()
}

// plain escapes the characters that end bold text in Markdown.
func plain(name string) string { return strings.NewReplacer("*", `\*`, "_", `\_`).Replace(name) }

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// blame shows the sessions, decisions and corrections behind a file.
func (s *Service) blame(ctx context.Context, scope memory.Scope, path string) (string, error) {
	missing := memory.Errorf(memory.CodeNotFound, "nothing is known of %q", oneLine(path, startLine)).
		WithHint("the path is one of the project, or how it ends; hooks and imports keep what agents do")
	if s.work == nil {
		return "", missing
	}
	known, err := s.work.Blame(ctx, scope, actions.BlameRequest{Path: path})
	if err != nil {
		return "", err
	}
	parts := known.Parts(s.clock.Day)
	if len(parts) == 0 {
		return "", missing
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Behind %s\n\n%s", plain(oneLine(path, startLine)), notice)
	for _, part := range parts {
		b.WriteString("\n## " + part.Title + "\n\n")
		for _, line := range part.Lines {
			text := strings.TrimLeft(line, " ")
			b.WriteString(line[:len(line)-len(text)] + "- " + oneLine(text, 2*startLine) + "\n")
		}
	}
	return b.String(), nil
}
