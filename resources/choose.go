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

// part is the part of the start page to which a record belongs.
type part int

// The parts, in the order of the page. parts is their number.
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

// candidate is a record that competes for a line on the start page.
type candidate struct {
	memory.Record
	worth.Judgement
	part  part
	score float64           // usually 0 to 1; importance and use can raise it a little above 1
	slots []slots.Statement // what [slots.Read] finds in the text; nil before it was called
	rule  worth.Rule
}

// pools is how many records of each source compete for a line.
type pools struct{ salient, facts, longTerm, episodes int }

// pagePools is for the start page, briefPools for the briefing. The briefing is smaller because a
// client waits for it while it starts.
var (
	pagePools  = pools{salient: 100, facts: 60, longTerm: 20, episodes: 20}
	briefPools = pools{salient: 30, facts: 20}
)

// pool reads the records that compete for a line: the most salient ones, and, if there are more
// records than that, the newest, which cannot have been recalled yet. All are true now. Soul,
// learnings and summaries are left out because they have parts of their own. Secrets are left out
// because the page is given to every session unasked.
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

// withoutSecrets removes records that hold secrets. It changes the slice.
func withoutSecrets(records []memory.Record) []memory.Record {
	return slices.DeleteFunc(records, secrets.Is)
}

// choose returns the records of a pool that a new session should know, best first. A record's score
// is made of the worth of its sentence, what the bank knows of it (pinned, importance, recalls) and
// its age. Records that newer ones put out of date are left out. If few records reach worth.Shown,
// plain facts fill the page up (see fillUp).
//
// With readSlots, [slots.Read] helps to find what is out of date. It takes some milliseconds for
// the first sentence of a process and some microseconds for each other. Without it only words are
// compared.
func (s *Service) choose(pool []memory.Record, scope memory.Scope, readSlots bool) []*candidate {
	return s.judge(pool, scope, readSlots, nil).best()
}

// judge scores the records of a pool. apart are pairs of which neither replaces the other.
func (s *Service) judge(pool []memory.Record, scope memory.Scope, readSlots bool, apart memory.Apart) *chooser {
	now := s.clock()
	all := make([]*candidate, len(pool))
	for i, r := range pool {
		all[i] = &candidate{Record: r, Judgement: worth.Of(r.Content, s.clock.In(r.EventTime())), rule: worth.ReadRule(r.Content)}
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

// best returns the candidates that are worth a line, best first.
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

// bestOfEachKindFirst moves the first candidate of each kind to the front, so that no kind keeps
// the others off the page.
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
	// fillUp is how many candidates are shown even if their score is below worth.Shown.
	fillUp = 6
	// fillFloor is the score below which no candidate is shown, unless it is the best.
	fillFloor = 0.2
)

// chooser scores the candidates of one page. Scores depend on the other candidates.
type chooser struct {
	all     []*candidate // oldest first
	project string
	now     time.Time
	service *Service
	user    []string // words of the user's name, in lower case
	first   *candidate
	apart   memory.Apart
}

// early is how many of the oldest global records may introduce the user by a full name alone.
const early = 3

// names finds the user's name: that of a sentence that introduces somebody, or a full name at the
// beginning of one of the first global records. It also finds the first record of the project.
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

// score returns what a record is worth on this page, and sets its part.
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

// rejectedWorth is the least worth of a record that is marked as rejected, so that it is on the
// page and is not proposed again.
const rejectedWorth = 0.6

// overdue is how long after its day a task keeps most of its score.
const overdue = 7 * 24 * time.Hour

// task returns the score of a task. It is full until the task's day is over, and little once the
// day is over for longer than overdue. Without a day it falls with age.
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

// fresh is up to which age a plain fact of the current project gets a higher score.
const fresh = 30 * 24 * time.Hour

// plain returns what is added to the score of a plain fact: for a recent one of the current
// project, for one that names a day to come, and for some categories. It may also change the part.
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

// weighed adjusts the score of a sentence by what the bank knows of the record: pinned, importance,
// recalls, kind.
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
		score = min(score, fillFloor/2) // a guess is not knowledge, however important
	}
	return score
}

// What a sentence says of the user, by its first words.
const (
	elsewhere = iota
	aboutUser // the first word is the user's name or a pronoun
	addressed // the name and a colon come first: "Ana: short answers"
)

func (c *chooser) aboutUser(content string) int {
	first, rest, _ := strings.Cut(content, " ")
	first = strings.ToLower(first)
	if first == "the" {
		if strings.HasPrefix(strings.ToLower(rest), "user and others") {
			return elsewhere // as "we" is
		}
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
