package recall

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

const (
	// broadPool is how many records a broad question looks at: the newest ones,
	// and those that its words find.
	broadPool = 200
	// Shares: how much a record belongs to a broad answer. It is about the subject by its words,
	// by a name that another record gives together with the subject, by a pronoun that goes on
	// about the record before, or by nothing but being in the user's bank.
	namedShare, byNameShare, goingOnShare, userShare = 1.0, 0.8, 0.5, 0.45
	// broadFloor is the share below which a record is left out.
	broadFloor = 0.2
	// Weights of salience, recency and score, which order records of like share.
	broadSalience, broadRecency, broadLikeness = 0.15, 0.05, 0.4
	// broadStrength is the strength of a record with a share of 1: its score, 0.8, is that of a
	// sure answer.
	broadStrength = 4.0
)

// broad reports whether the question asks about somebody, something or a time as a whole ("what do
// you know about my family?"), and only of memories: turns of conversations are better found by
// words. A question for a list, or for what was at a time, is broad if it has no word besides:
// "what did we decide", and not "what did we decide about the monorepo", which has one answer.
func (q question) broad() bool {
	if !slices.Equal(q.Corpora, []memory.Corpus{memory.Memories}) {
		return false
	}
	whole := q.asks.Broad && q.asks.Attribute == "" && !q.asks.Happened
	return whole || (q.asks.Broad || q.asks.TimeOnly) && !q.pointed
}

// points reports whether a question has a word for what its answer is about, besides times
// and the words by which it asks for a list.
func (q question) points(text string) bool {
	asking := stemsOf(slices.Concat(kin()["asking"], kin()[q.asks.Attribute], kin()[q.asks.Attribute+" asked"])...)
	return slices.ContainsFunc(analysis.Content(unframed(text)), func(stem string) bool { return !asking[stem] })
}

// gatherBroad returns the records that a broad question may be about: all of a small bank, of a
// large one the newest broadPool and what the question's words find. A time that is the only
// condition is a filter (see happens), but for a list of what is due.
func (s *Service) gatherBroad(ctx context.Context, q *question) ([]*candidate, error) {
	timed := q.byTimeAlone() && q.asks.Attribute != "due"
	everything := q.Filter
	if timed && len(q.times) == 1 && !q.times[0].To.After(q.moment()) {
		q.Filter.Since, q.Filter.Until = q.times[0].Widest()
	}
	known := map[int64]bool{}
	var found []*candidate
	var err error
	if len(q.stems) > 0 {
		if found, err = s.gather(ctx, *q, memory.Memories); err != nil {
			return nil, err
		}
		for _, c := range found {
			known[c.Document.Seq] = true
		}
	}
	seqs, err := s.store.Newest(ctx, memory.Memories, q.Filter, 0, broadPool+len(found))
	if err != nil {
		return nil, err
	}
	seqs = slices.DeleteFunc(seqs, func(seq int64) bool { return known[seq] })
	more, err := s.unmatched(ctx, *q, memory.Memories, seqs[max(0, len(seqs)-broadPool):])
	found = append(found, more...)
	if timed {
		for _, c := range more {
			known[c.Document.Seq] = true
		}
		of := *q
		of.Filter = everything
		more, err := s.speaking(ctx, of, known)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if timed { // the filter knows no dates without an hour, and not what a text says is to come
		found = slices.DeleteFunc(found, func(c *candidate) bool { return !q.happens(c) })
	}
	return found, err
}

// speaking returns records that speak of a time that is asked about, whenever they were said, but
// for those in known, to which it adds them.
func (s *Service) speaking(ctx context.Context, q question, known map[int64]bool) ([]*candidate, error) {
	ix, err := s.indexOf(ctx, q, memory.Memories)
	if err != nil || ix == nil {
		return nil, err
	}
	var seqs []int64
	for _, asked := range q.times {
		for _, seq := range ix.Speaking(asked, broadPool) {
			if !known[seq] {
				known[seq] = true
				seqs = append(seqs, seq)
			}
		}
	}
	return s.unmatched(ctx, q, memory.Memories, seqs)
}

// byTimeAlone reports whether a time is the question's only condition ("what happened yesterday?"),
// also for a list ("what did we decide in May?"), and the filter has no time of its own.
func (q question) byTimeAlone() bool {
	list := q.asks.Broad && q.asks.Attribute != "" && q.asks.Attribute != "preference" && !q.pointed
	return (q.asks.TimeOnly || list) && len(q.times) > 0 && q.Filter.Since.IsZero() && q.Filter.Until.IsZero()
}

// happens reports whether a record belongs to a time that is asked about: it took place then,
// speaks of that time, recurs in it, or is due then.
func (q question) happens(c *candidate) bool {
	spoken := q.spokenBy(c)
	return slices.ContainsFunc(q.times, func(span index.Span) bool {
		return speaksOf(spoken, span) > 0 || q.recursIn(c, span) || span.Contains(c.EventTime()) ||
			span.To.After(q.moment()) && q.within(q.dueDay(c, q.worthOf(c)))
	})
}

// unmatched reads documents by their numbers and returns those that pass the filter as candidates
// with no measures, since no search found them.
func (s *Service) unmatched(ctx context.Context, q question, c memory.Corpus, seqs []int64) ([]*candidate, error) {
	docs, err := s.store.Documents(ctx, c, q.Filter, seqs)
	if err != nil {
		return nil, err
	}
	docs = q.begun(docs)
	list := make([]*candidate, len(docs))
	for i, d := range docs {
		list[i] = &candidate{Document: d, rankedHit: rankedHit{Hit: index.Hit{Seq: d.Seq}}, tier: TierFlat}
	}
	return list, nil
}

// byBreadth returns the candidates that belong to the subject of a broad question (a share of
// broadFloor or more), best first: by their share and, unless that is a list with an order of
// its own, a little by salience, recency and score.
func (q question) byBreadth(list []*candidate) []*candidate {
	shares, ordered := q.shares(list)
	var kept []*candidate
	for i, c := range list {
		if shares[i] < broadFloor {
			continue
		}
		q.saidBy(c)
		weight := shares[i]
		if !ordered {
			weight += broadSalience*c.features.salience + broadRecency*c.recency + broadLikeness*c.score
		}
		c.add(broadPart, broadStrength*weight-c.strength())
		c.pulled = true
		kept = append(kept, c)
	}
	rank(kept)
	if len(kept) > 0 {
		q.relate(head(kept, smallPool), smallPool)
	}
	return q.foldOutdated(kept)
}

// broadPart names the part of a score for how much a record belongs to a broad question's subject.
const broadPart = "broad"

// ahead is the factor by which stepBefore makes a candidate stronger than the other.
const ahead = 1.01

// stepBefore makes a candidate stronger than another, if it is not. It becomes exempt from MinScore
// only if the other is part of the answer: what comes before noise is noise.
func (c *candidate) stepBefore(other *candidate) {
	if missing := ahead*other.strength() - c.strength(); missing > 0 {
		c.add(versionPart, missing)
	}
	c.pulled = c.pulled || other.pulled || other.score >= Floor
}

// foldOutdated moves candidates behind everything else that another one in the list certainly
// replaces and that the question does not name. A candidate that another one only likely or partly
// replaces stays, with the newer one before it. It returns ranked, ordered anew.
func (q question) foldOutdated(ranked []*candidate) []*candidate {
	last := 0.0
	if len(ranked) > 0 {
		last = ranked[len(ranked)-1].strength()
	}
	for _, c := range ranked {
		if c.certain != nil && slices.Contains(ranked, c.certain) && !q.named(c, c.certain) {
			c.add(versionPart, last*0.9-c.strength())
		}
	}
	rank(ranked)
	for _, c := range oldestFirst(ranked) { // replaced in part: the newer goes first, but not before the user's name
		if newer := c.outdated; newer != nil && c.certain == nil && slices.Contains(ranked, newer) && !saysName(c) {
			newer.stepBefore(c)
		}
	}
	rank(ranked)
	return ranked
}

// saysName reports whether a record says what the user is called.
func saysName(c *candidate) bool {
	return slices.ContainsFunc(c.said, func(s slots.Statement) bool { return s.Subject == slots.User && s.Attribute == "name" })
}

// shares returns how much each candidate belongs to what a broad question asks for, 0 to about 2.3,
// and whether that alone is their order, as in lists of decisions, tasks, tastes, work and news.
func (q *question) shares(list []*candidate) (shares []float64, ordered bool) {
	switch q.asks.Attribute {
	case "decision":
		return q.decided(list), true
	case "due":
		return q.dueList(list), true
	case "preference":
		return q.preferred(list), true
	case workInHand:
		return q.workedOn(list), true
	case news:
		return latest(list), true
	}
	return q.subjectShares(list), false
}

// subjectShares returns how much each candidate belongs to the subject of a broad question, or to
// its time, 0 to 1; of a question about the user see ofUser.
func (q *question) subjectShares(list []*candidate) []float64 {
	shares := make([]float64, len(list))
	subject := q.subjectStems()
	order := byTime(list)
	user := q.asks.Subject == slots.User && q.asks.Attribute == "" && !q.ofAspect()
	if q.asks.TimeOnly && q.asks.Attribute == "" || len(subject) == 0 && !user {
		for i, c := range list {
			shares[i] = namedShare * timely(c) * q.ofTime(c)
		}
		return shares
	}
	names := map[string]bool{}
	if user {
		for place, i := range order {
			shares[i] = q.ofUser(list[i], 1-float64(place)/float64(max(1, len(order)-1)))
		}
		return shares
	}
	project := q.ofProject()
	if project != nil {
		subject = project
	}
	for i, c := range list {
		if project != nil && c.Project == q.Scope.Project {
			shares[i] = namedShare
		} else if hasAny(c.counted(), subject) {
			shares[i] = namedShare
			for _, name := range namesIn(c.Content) {
				names[name] = true
			}
		}
	}
	before := -1
	for _, i := range order {
		c := list[i]
		for _, name := range namesIn(c.Content) {
			if names[name] && q.asks.Attribute == "" {
				shares[i] = max(shares[i], byNameShare)
			}
		}
		if before >= 0 && shares[before] >= goingOnShare && goesOn(c.Content) {
			shares[i] = max(shares[i], goingOnShare)
		}
		before = i
	}
	return shares
}

// ofAspect reports whether the question asks for one side of the user that kin.txt knows, such as
// health: then records about other sides are left out.
func (q question) ofAspect() bool {
	return slices.ContainsFunc(strings.Fields(q.asks.Topic), func(word string) bool { return kin()[word] != nil })
}

// ofTime is how much a record belongs to the times that are asked about, 0.5 to 1: 1 if it took
// place then or speaks of a time inside them, or if the question names no time.
func (q *question) ofTime(c *candidate) float64 {
	if len(q.times) == 0 {
		return 1
	}
	spoken, of := q.spokenBy(c), 0.0
	for _, asked := range q.times {
		of = max(of, speaksOf(spoken, asked))
		if asked.Contains(c.EventTime()) {
			of = 1
		}
	}
	return 0.5 + of/2
}

// timely is 1 for a record that tells of an event and 0.7 for others, such as a habit: a question
// for a time asks for what happened.
func timely(c *candidate) float64 {
	for i := range c.said {
		if c.said[i].Type == slots.Event {
			return 1
		}
	}
	return 0.7
}

// subjectStems returns the stems by which a record is about the subject: those of the subject, and
// of a wide one such as "family" those of kin.txt ("sister"). Without a subject, or for the user as
// a whole, the stems of the question count, too.
func (q question) subjectStems() map[string]bool {
	stems := map[string]bool{}
	for w := range strings.FieldsSeq(strings.TrimPrefix(q.asks.Subject, slots.User+"'s ") + " " + q.asks.Alias + " " + q.asks.Topic) {
		for _, wider := range append(kin()[w], w) {
			for _, stem := range analysis.Content(wider) {
				stems[stem] = true
			}
		}
	}
	if len(stems) == 0 || q.asks.Subject == slots.User && !q.ofAspect() {
		for _, stem := range q.stems {
			stems[stem] = true
		}
	}
	return stems
}

// hasAny reports whether a text with those terms has any of the wanted ones.
func hasAny(terms map[string]int, wanted map[string]bool) bool {
	for w := range wanted {
		if terms[w] > 0 {
			return true
		}
	}
	return false
}

//go:embed kin.txt
var kinFile string

// kin has the words of kin.txt by their subject ("family": sister, brother and so on), and by the
// stems of the subject.
var kin = sync.OnceValue(func() map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(kinFile) {
		if subject, words, found := strings.Cut(line, ":"); found && !strings.HasPrefix(line, "#") {
			table[subject] = strings.Fields(words)
			for _, stem := range analysis.Content(subject) {
				table[stem] = table[subject]
			}
		}
	}
	return table
})

// namesIn returns the words of a text that are written like names, where an ordinary word would not
// be; see capitals.
func namesIn(text string) []string {
	inside, first := capitals(text)
	return append(first, inside...)
}

// capitals returns the capitalised words of a text: those inside of sentences, and those that are
// first in one, where any word has a capital, or right behind a determiner that is first ("Our
// CI"). Left out are months, days of the week, stop words that are first, and "User", whom most
// records are about.
func capitals(text string) (inside, first []string) {
	begins := true
	for w := range strings.FieldsSeq(beginning(text, readable)) {
		bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }), "'s"), "’s")
		initial, _ := utf8.DecodeRuneInString(bare)
		switch {
		case !unicode.IsUpper(initial) || len(bare) < 2 || bare == "User" || calendar(bare):
		case !begins:
			inside = append(inside, bare)
		case len(analysis.Content(bare)) > 0:
			first = append(first, bare)
		}
		begins = strings.HasSuffix(w, ".") || strings.HasSuffix(w, ":") || begins && determiners[w]
	}
	return inside, first
}

var determiners = map[string]bool{"The": true, "Our": true, "My": true, "Your": true, "His": true, "Her": true, "Their": true, "This": true}

// calendar reports whether a word is a month or a day of the week.
func calendar(word string) bool {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := d.String(); word == name || word == name+"s" {
			return true
		}
	}
	for m := time.January; m <= time.December; m++ {
		if word == m.String() {
			return true
		}
	}
	return false
}

// goesOn reports whether a text begins with a pronoun, and so goes on about
// what was said before it.
func goesOn(text string) bool {
	words := plainWords(beginning(text, 40))
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "she", "he", "they", "it", "his", "her", "their", "its":
		return true
	}
	return false
}

// byTime returns the places of candidates in order of event time, the oldest first.
func byTime(list []*candidate) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(list[a].EventTime().Compare(list[b].EventTime()), cmp.Compare(list[a].Document.Seq, list[b].Document.Seq))
	})
	return order
}
