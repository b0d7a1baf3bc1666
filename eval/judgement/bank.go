package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// asked is the time at which questions are asked, unless facts are later.
var asked = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// bank is a case that was saved, in a bank of its own.
type bank struct {
	*system
	agent string
	names map[string][]string // id of a record → ids of the facts that were saved into it
	saved map[string]string   // id of a fact → category of its record
	took  []took              // facts whose saves superseded others without being told
}

// fill saves facts into a bank of their own, ordered by time, each at its time, and makes their
// sentence vectors. A fact without a time is saved a minute after the one before.
func (s *system) fill(ctx context.Context, name string, facts []fact) (*bank, error) {
	b, err := s.save(ctx, name, facts)
	if err != nil {
		return nil, err
	}
	return b, s.Encode(ctx)
}

// save is fill without the sentence vectors, which the program makes a little after a save.
func (s *system) save(ctx context.Context, name string, facts []fact) (*bank, error) {
	b := &bank{system: s, agent: name, names: map[string][]string{}, saved: map[string]string{}}
	facts = slices.Clone(facts)
	slices.SortStableFunc(facts, func(a, b fact) int { return a.At.Compare(b.At.Time) })
	for _, f := range facts {
		s.now = s.now.Add(time.Minute)
		if !f.At.IsZero() {
			s.now = f.At.Time
		}
		r := remember.SaveRequest{
			Content: f.Content, Kind: memory.Kind(f.Kind), Importance: f.Importance, OccurredAt: f.At.Time,
		}
		if r.Kind == memory.KindDiary {
			r.Diary = &memory.DiaryDetails{Date: f.At.Format(time.DateOnly)}
		}
		result, err := s.Remember.Save(ctx, memory.Scope{Agent: name, Project: f.Project}, r)
		if err != nil {
			return nil, fmt.Errorf("save %s: %w", f.ID, withCause(err))
		}
		b.names[result.ID] = append(b.names[result.ID], f.ID)
		b.saved[f.ID] = result.Category
		if len(result.Superseded) > 0 {
			took := took{id: f.ID}
			for _, id := range result.Superseded {
				took.places = append(took.places, b.names[id]...)
			}
			b.took = append(b.took, took)
		}
	}
	if s.now = s.now.AddDate(0, 0, 1); s.now.Before(asked) {
		s.now = asked
	}
	return b, nil
}

// place is one result of an answer, with the ids of its facts.
type place struct {
	own     []string // facts whose content it shows
	folded  []string // facts that it names as near-duplicates
	earlier []string // facts that it shows as earlier versions of itself
	content string
	score   float64
}

// reply is an answer.
type reply struct {
	places []place
	unsure bool
	level  recall.Confidence
}

// lowConfidence reports whether an answer says that it may be wrong.
func lowConfidence(a recall.Answer) bool { return !a.Confidence.Sure() }

// ask asks a question as the tool memory_recall does, of the day asOf if that is not "", for at least
// atLeast results.
func (b *bank) ask(ctx context.Context, question, asOf string, atLeast int) (reply, error) {
	var filter memory.Filter
	if asOf != "" {
		at, err := time.Parse(time.RFC3339, asOf)
		if err != nil {
			return reply{}, fmt.Errorf("as_of of %q: %w", question, err)
		}
		filter.AsOf = at
	}
	answer, err := b.Recall.Recall(ctx, recall.Request{
		Query: question, Scope: memory.Scope{Agent: b.agent}, Filter: filter,
		Limit: max(recall.DefaultLimit, atLeast), MinScore: recall.Floor, Lenient: true, Explain: true,
	})
	if err != nil {
		return reply{}, fmt.Errorf("ask %q: %w", question, withCause(err))
	}
	r := reply{unsure: lowConfidence(answer), level: answer.Confidence}
	for _, hit := range answer.Results {
		p := place{own: b.names[hit.ID], content: hit.Content, score: hit.Score}
		for _, id := range hit.Duplicates {
			p.folded = append(p.folded, b.names[id]...)
		}
		for _, version := range hit.Earlier {
			p.earlier = append(p.earlier, b.names[version.ID]...)
		}
		r.places = append(r.places, p)
	}
	return r, nil
}

// never is the rank of a fact that is not in the answer.
const never = 1 << 30

// rank returns the place, from 1, of the first result that shows one of the facts, or never.
func (r reply) rank(ids []string) int { return r.find(ids, false) }

// rankFolded is rank, and also counts near-duplicates that a result names.
func (r reply) rankFolded(ids []string) int { return r.find(ids, true) }

func (r reply) find(ids []string, folded bool) int {
	for i, p := range r.places {
		has := func(id string) bool {
			return slices.Contains(p.own, id) || folded && slices.Contains(p.folded, id)
		}
		if slices.ContainsFunc(ids, has) {
			return i + 1
		}
	}
	return never
}

// rightFirst reports whether a gold fact is shown, before all stale ones.
func (r reply) rightFirst(q query) bool {
	rank := r.rank(q.Gold)
	return rank != never && rank < r.rank(q.Stale)
}

// inOrder reports whether two facts that contradict each other are shown, the newer before the
// older or with it as an earlier version.
func (r reply) inOrder(newer, older string) bool {
	first, second := r.rank([]string{newer}), r.rank([]string{older})
	return second != never && first < second || first != never && slices.Contains(r.places[first-1].earlier, older)
}

// share returns the share of the gold facts that are among the first max(5, len(gold)) results.
func (r reply) share(gold []string) float64 {
	shown := 0
	for _, id := range gold {
		if r.rankFolded([]string{id}) <= max(5, len(gold)) {
			shown++
		}
	}
	return float64(shown) / float64(len(gold))
}

// best returns the score of the first result, 0 if there is none.
func (r reply) best() float64 {
	if len(r.places) == 0 {
		return 0
	}
	return r.places[0].score
}

// String lists the first five results for a person.
func (r reply) String() string {
	var b strings.Builder
	for i, p := range r.places[:min(5, len(r.places))] {
		fmt.Fprintf(&b, "      %d. %.2f %s %s", i+1, p.score, strings.Join(p.own, "+"), p.content)
		if p.folded != nil {
			fmt.Fprintf(&b, " (folded: %s)", strings.Join(p.folded, ", "))
		}
		b.WriteString("\n")
	}
	if len(r.places) == 0 {
		b.WriteString("      nothing\n")
	}
	return b.String()
}

// withCause adds the cause that an error hides from users: the user of this command is a developer.
func withCause(err error) error {
	var e *memory.Error
	if errors.As(err, &e) && e.Err != nil {
		return errors.Join(err, e.Err)
	}
	return err
}

// stored returns the contents of a bank's live records, without summaries and episodes.
func (s *system) stored(ctx context.Context, agent string) ([]string, error) {
	var contents []string
	err := s.Store.EachRecord(ctx, agent, func(r memory.Record) error {
		if r.Live() && r.Kind != memory.KindSummary && r.Kind != memory.KindEpisode {
			contents = append(contents, r.Content)
		}
		return nil
	})
	return contents, err
}
