package resources

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/secrets"
	"mcp-memory/text/slots"
	"mcp-memory/text/worth"
)

// part is the part of a page for a new session that a record belongs to.
type part int

// The parts, in the order in which they stand on the page.
const (
	partUser part = iota
	partStyle
	partProject
	partDecisions
	partRejected
	partOpen
	partNow
	partPeople
	partLessons
	partElse
	parts
)

// candidate is a record that may get a line on the page for a new session.
type candidate struct {
	memory.Record
	worth.Judgement
	part  part
	score float64           // 0 to 1 and a bit
	slots []slots.Statement // nil unless they were read
}

// pools is how many records compete for a line, by where they come from.
type pools struct{ salient, facts, longTerm, episodes int }

// pagePools and briefPools read so much; a client waits for the briefing while
// it starts.
var (
	pagePools  = pools{salient: 100, facts: 60, longTerm: 20, episodes: 20}
	briefPools = pools{salient: 30, facts: 20}
)

// pool reads the records that compete: those that the database knows to stand
// out, and the newest, which nobody can have recalled yet. All are true at the
// moment; soul, learnings and summaries have parts of their own, and secrets have
// none: what is on the page is said to every session unasked.
func (s *Service) pool(ctx context.Context, scope memory.Scope, p pools) ([]memory.Record, error) {
	now := s.clock()
	pool, err := s.store.Salient(ctx, scope, now, p.salient)
	if err != nil {
		return nil, err
	}
	if len(pool) >= p.salient {
		for _, newest := range []struct {
			kind  memory.Kind
			limit int
		}{{memory.KindFact, p.facts}, {memory.KindLongTerm, p.longTerm}, {memory.KindEpisode, p.episodes}} {
			if newest.limit == 0 {
				continue
			}
			more, _, err := s.store.List(ctx, memory.CatalogFilter{
				Uncounted: true,
				Agent:     scope.Agent, Projects: scope.Readable(), Kind: newest.kind, Now: now, Limit: newest.limit,
			})
			if err != nil {
				return nil, err
			}
			pool = append(pool, more...)
		}
	}
	seen := make(map[string]bool, len(pool))
	return slices.DeleteFunc(withoutSecrets(pool), func(r memory.Record) bool {
		twice := seen[r.ID]
		seen[r.ID] = true
		return twice || r.Kind == memory.KindSoul || r.Kind == memory.KindLearning || r.Kind == memory.KindSummary
	}), nil
}

// withoutSecrets removes what nobody should read by chance from a list, which it
// changes.
func withoutSecrets(records []memory.Record) []memory.Record {
	return slices.DeleteFunc(records, secrets.Is)
}

// choose returns the records of a pool that a new session should know, the
// most worth first: what their sentences are worth, what the bank knows of them
// (pinned, important, recalled), how recent they are, and without what newer
// ones put out of date. Where little is worth a line, plain facts fill up.
//
// Reading slots takes some milliseconds for the first sentence of a process and
// some microseconds for each; without it words alone tell what is out of date.
func (s *Service) choose(pool []memory.Record, scope memory.Scope, readSlots bool) []*candidate {
	return s.judge(pool, scope, readSlots, nil).best()
}

// judge scores the records of a pool; apart are those that are known to replace
// each other not.
func (s *Service) judge(pool []memory.Record, scope memory.Scope, readSlots bool, apart memory.Apart) *chooser {
	now := s.clock()
	all := make([]*candidate, len(pool))
	for i, r := range pool {
		all[i] = &candidate{Record: r, Judgement: worth.Of(r.Content, s.clock.In(r.EventTime()))}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(a.EventTime().Compare(b.EventTime()), cmp.Compare(a.ID, b.ID))
	})
	c := &chooser{all: all, project: scope.Project, now: now, service: s, apart: apart}
	c.names()
	for _, one := range all {
		one.score = c.score(one)
	}
	if readSlots {
		c.read()
	}
	c.outdated(all)
	c.replaced(all)
	return c
}

// best returns what is worth a line, best first.
func (c *chooser) best() []*candidate {
	all := slices.Clone(c.all)
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.EventTime().Compare(a.EventTime()))
	})
	for i, one := range all {
		if one.score < fillFloor || one.score < worth.Shown && i >= fillUp {
			all = all[:max(i, 1)]
			break
		}
	}
	return bestOfEachKindFirst(all)
}

// bestOfEachKindFirst moves the first record of each kind before the others, so
// that one kind does not keep the others out.
func bestOfEachKindFirst(all []*candidate) []*candidate {
	var first, rest []*candidate
	seen := map[memory.Kind]bool{}
	for _, one := range all {
		if seen[one.Kind] {
			rest = append(rest, one)
			continue
		}
		seen[one.Kind] = true
		first = append(first, one)
	}
	return append(first, rest...)
}

const (
	// fillUp is how many records are shown before worth.Shown is asked for.
	fillUp = 6
	// fillFloor is the score below which none is, unless it is the only one.
	fillFloor = 0.2
)

// chooser judges the candidates of one page together.
type chooser struct {
	all     []*candidate // oldest first
	project string
	now     time.Time
	service *Service
	user    []string // words of the user's name, in lower case
	first   *candidate
	apart   memory.Apart
}

// early is how many of the oldest global records may introduce the user
// without a word that says so.
const early = 3

// names finds out who the user is: whom a sentence introduces, or who is named
// in full at the beginning of a bank.
func (c *chooser) names() {
	seen := 0
	for _, one := range c.all {
		if one.Project != "" {
			if one.Project == c.project && c.first == nil && one.Worth >= 0.3 {
				c.first = one
			}
			continue
		}
		if seen++; len(c.user) > 0 || one.Sort >= worth.Event {
			continue
		}
		named := one.Name != "" && (one.Sort == worth.Identity || seen <= early && strings.Contains(one.Name, " "))
		if named || seen == 1 && c.aboutUser(one.Content) == aboutUser && one.Sort == worth.Plain {
			one.Sort, one.Worth = worth.Identity, 0.9
			c.user = strings.Fields(strings.ToLower(one.Name))
		}
	}
}

// score says what a record is worth on this page and which part it belongs to.
func (c *chooser) score(one *candidate) float64 {
	about := c.aboutUser(one.Content)
	if about == addressed && (one.Sort == worth.Plain || one.Sort == worth.Event || one.Sort == worth.Tentative ||
		one.Sort == worth.Change || one.Sort == worth.Lesson) {
		one.Sort, one.Worth = worth.Preference, 0.8
	}
	if one.Record.Rejected() {
		one.Sort, one.Judgement.Rejected, one.Worth = worth.Decision, true, max(one.Worth, rejectedWorth)
	}
	score := one.Worth
	recent := c.service.salience.Recency(one.EventTime(), c.now)
	switch one.Sort {
	case worth.Identity:
		one.part = partUser
	case worth.Preference:
		one.part = partStyle
	case worth.Decision:
		one.part = partDecisions
		if one.Judgement.Rejected {
			one.part = partRejected
		}
		score -= 0.15 * (1 - recent)
	case worth.Task:
		one.part = partOpen
		score = c.task(one, recent)
	case worth.Change:
		one.part = partNow
		score -= 0.2 * (1 - recent)
	case worth.Lesson:
		one.part = partLessons
		score -= 0.15 * (1 - recent)
	default:
		one.part = partElse
		score += c.plain(one)
	}
	if one == c.first && one.Worth >= 0.3 {
		one.part, score = partProject, max(score, 0.65)
	}
	if one.Kind == memory.KindRelationship {
		one.part = partPeople
	}
	return c.weighed(one, score)
}

// rejectedWorth is that of what was marked as rejected, whatever its words: who
// knows it does not propose it again.
const rejectedWorth = 0.6

// overdue is how long a task whose day has passed is still worth a line.
const overdue = 7 * 24 * time.Hour

// task is the score of something to do: full as long as its day is to come,
// little when that is long over, and less with time where it has no day.
func (c *chooser) task(one *candidate, recent float64) float64 {
	switch {
	case one.Due.IsZero():
		return one.Worth - 0.35*(1-recent)
	case one.Open(c.now):
		return one.Worth + 0.05
	case c.now.Sub(one.Due) < overdue:
		return one.Worth - 0.1
	}
	return 0.15
}

// fresh is how long a plain fact of the project at hand tells of its state.
const fresh = 30 * 24 * time.Hour

// plain is what is added for a fact without a sign: a little if it is recent
// in the project at hand or has a day to come, and for what its category says.
func (c *chooser) plain(one *candidate) float64 {
	more := 0.0
	if one.Sort == worth.Plain {
		if one.Project != "" && one.Project == c.project && !one.Done && c.now.Sub(one.EventTime()) < fresh {
			more += 0.1
		}
		if one.Open(c.now) {
			more += 0.12
			one.part = partOpen
		}
		switch one.Category {
		case "identity":
			if c.aboutUser(one.Content) == aboutUser {
				more += 0.2
				one.part = partUser
			}
		case "preference", "goal", "decision":
			more += 0.05
		}
	}
	return more
}

// weighed adds what the bank knows of a record to what its sentence is worth.
func (c *chooser) weighed(one *candidate, score float64) float64 {
	switch {
	case one.Pinned:
		score = max(score, 0.95)
	case one.Importance > memory.DefaultImportance:
		score = max(score, 0.2) + 0.6*(one.Importance-memory.DefaultImportance)
	case one.Importance < memory.DefaultImportance:
		score -= 0.4 * (memory.DefaultImportance - one.Importance)
	}
	if one.AccessCount > 0 {
		score += 0.15 * c.service.salience.Of(one.Record, c.now)
	}
	if one.Kind == memory.KindDiary && !one.Pinned {
		score *= 0.3
	}
	if one.Sort == worth.Tentative && !one.Pinned {
		score = min(score, fillFloor/2) // what may be is no knowledge, however important
	}
	return score
}

// how a sentence stands to the user.
const (
	elsewhere = iota
	aboutUser // begins with the name or a pronoun
	addressed // begins with the name and a colon: "Ana: short answers"
)

func (c *chooser) aboutUser(content string) int {
	first, rest, _ := strings.Cut(content, " ")
	first = strings.ToLower(first)
	if first == "the" {
		first, _, _ = strings.Cut(strings.ToLower(rest), " ")
	}
	if name, colon := strings.CutSuffix(first, ":"); colon && rest != "" && slices.Contains(c.user, name) {
		return addressed
	}
	if slices.Contains(c.user, first) || slices.Contains(pronouns, first) {
		return aboutUser
	}
	return elsewhere
}

var pronouns = []string{"i", "i'm", "i've", "my", "he", "she", "they", "user", "user's"}
