package recall

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
	"mcp-memory/text/slots"
	"mcp-memory/text/when"
)

// evidence is what is measured of a candidate beside the others.
type evidence struct {
	*candidate
	pool *poolMeasures

	gathered             float64 // strength by which it was found
	forth, least         float64 // see likenesses
	joined, words        float64
	prefix               float64
	numbersMissing       float64
	inside, outside      float64
	timeSaid             float64
	latest, earliest     extremes
	untilSaid, beforeEnd float64
	newer                float64
	ofAsked, ofAnother   float64
	former               string // what it tells itself to have been; see tellsFormer
	saidOfAsked          bool   // it says of others what another candidate says of whom it is asked
	unmetKind            bool
}

// change is how clearly a candidate of few tells that something is no longer as it was,
// where it is asked how it is or was, 0 to 1.
func (e *evidence) change() float64 {
	if e.pool.small == 0 || !e.pool.q.asksHowItIs() {
		return 0
	}
	return e.changes().share()
}

// olderThen is how old a candidate is among the others, where it is asked how it was, no time is named and none of
// them tells what was, 0 to 1.
func (e *evidence) olderThen() float64 {
	return (1 - e.newer) * e.pool.then * one(len(e.pool.q.times) == 0 && !e.unmetKind && !e.pool.told)
}

// extremes is how far a candidate is the last, or first, of those that are as much about
// the question, 0 to 1.
type extremes struct{ loose, extreme float64 }

// encoded is how near it is to the question as a whole, 0 to 1.
func (e *evidence) encoded() float64 { return e.pool.sentence(e.candidate) }

// sentence is how near a candidate is to the question as a whole, 0 to 1: by the sentence
// encoder, or by an embedder that knows sentences itself; by the sum of its words where its
// sentence has not been encoded, which counts less beside those that have.
func (p *poolMeasures) sentence(c *candidate) float64 {
	switch q := p.q; {
	case p.unread:
		return max(0, c.Vector)
	case !q.reads(c):
		return wordShare * max(0, c.Vector)
	case q.summed || q.vector == nil:
		return likeSentence(c.Encoded)
	}
	return max(likeSentence(c.Encoded), c.Vector)
}

// reads reports whether the vector of a candidate's whole sentence is there.
func (q *question) reads(c *candidate) bool { return c.Encoded != 0 || !q.summed && q.vector != nil }

// wordShare is what the sum of a memory's words counts beside its sentence.
const wordShare = 0.4

// poolMeasures is what is measured of a question and all of its candidates.
type poolMeasures struct {
	q                                        *question
	gathered, coverage, soft, encoded, forth float64 // of the best of each
	missing                                  float64 // 1 - coverage
	known, small, then                       float64
	unread                                   bool      // no candidate has the vector of its sentence: words are all there is
	until                                    []string  // stems of what is said to have ended it
	ended                                    time.Time // when that was said
	want                                     wanted
	told                                     bool // a candidate tells what was before that
	latest, first                            bool
	asked                                    []row // stems without those that only say when
	words                                    []string
	joined                                   []string
	prefixes                                 []string
	digits                                   []string
	ofSomebody                               bool // it asks of somebody or something
}

var (
	asksLatest = regexp.MustCompile(`(?i)\b(latest|newest|most recent(?:ly)?|recent|last)\b`)
	asksFirst  = regexp.MustCompile(`(?i)\b(first|earliest|oldest)\b`)
	digitRuns  = regexp.MustCompile(`\d+`)
)

func (s *Service) poolOf(q *question, list []*candidate, small bool) *poolMeasures {
	table := s.table()
	text := shortened(q.Query)
	p := &poolMeasures{q: q, known: q.knownByVector(), small: one(small), want: wantedBy(text)}
	p.unread = !slices.ContainsFunc(list, q.reads)
	for _, c := range list {
		p.gathered, p.coverage, p.soft = max(p.gathered, c.strength()), max(p.coverage, c.Coverage), max(p.soft, c.Soft)
		if p.unread || q.reads(c) { // words beside a sentence are never the nearest of all
			p.encoded = max(p.encoded, p.sentence(c))
		}
	}
	p.missing = 1 - min(1, p.coverage)
	bare := text
	if len(q.times) > 0 {
		bare = withoutTimes(text, when.Asked(text, q.moment()))
	}
	stems := analysis.Content(unframed(q.asks.Bare(bare)))
	if len(stems) == 0 {
		stems = q.stems
	}
	p.asked = rowsOf(table, head(stems, maxStems))
	p.words = head(plainWords(text), maxWords)
	for i := range len(p.words) - 1 {
		if one := squeezed(p.words[i] + p.words[i+1]); len(one) >= 6 {
			p.joined = append(p.joined, one)
		}
	}
	for _, w := range q.stemmed {
		letters := []rune(strings.ToLower(w))
		if n := max(4, len(letters)*2/3); len(letters) >= n {
			p.prefixes = append(p.prefixes, " "+string(letters[:n]))
		}
	}
	if q.asksWhatWas() {
		p.then, p.until = 1, analysis.Content(q.asks.Until)
	}
	p.digits = digitsOf(bare)
	p.latest, p.first = asksLatest.MatchString(bare), asksFirst.MatchString(bare)
	p.ofSomebody = q.asks.Subject != ""
	return p
}

// digitsOf returns the numbers in a text without leading zeros.
func digitsOf(text string) (runs []string) {
	for _, run := range digitRuns.FindAllString(text, maxWords) {
		if run = strings.TrimLeft(run, "0"); run != "" {
			runs = append(runs, run)
		}
	}
	return runs
}

// squeezed leaves nothing of a text but letters and digits, in lower case.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// unmarked takes out what plainWords leaves in words beside letters and digits.
var unmarked = strings.NewReplacer("'", "", "’", "")

// withoutTimes leaves out of a text the words of its times.
func withoutTimes(text string, spans []when.Mention) string {
	left := len(text)
	for _, span := range slices.Backward(spans) {
		if span.End <= left { // not the other of two that it may mean
			text, left = text[:span.Start]+" "+text[span.End:], span.Start
		}
	}
	return text
}

// evidenceOf measures candidates beside each other.
func (s *Service) evidenceOf(q *question, list []*candidate, small bool) []*evidence {
	p := s.poolOf(q, list, small)
	table := s.table()
	all := make([]*evidence, len(list))
	order := byTime(list)
	for i, c := range list {
		e := &evidence{candidate: c, pool: p, gathered: c.strength()}
		e.measure(q, table, small || i < readBest)
		p.forth, p.told = max(p.forth, e.forth), p.told || e.former != ""
		all[i] = e
	}
	for _, e := range all {
		if len(p.until) > 0 && e.untilSaid == 1 && (p.ended.IsZero() || e.EventTime().Before(p.ended)) {
			p.ended = e.EventTime()
		}
	}
	for _, e := range all {
		e.beforeEnd = one(!p.ended.IsZero() && e.EventTime().Before(p.ended))
	}
	noteSaidOfAsked(all)
	older := 0
	for _, i := range order {
		for list[order[older]].EventTime().Add(together).Before(list[i].EventTime()) {
			older++
		}
		all[i].newer = float64(older) / float64(max(1, len(list)-1))
	}
	if p.latest || p.first {
		for _, e := range all {
			if p.latest {
				e.latest = e.among(all, func(o *evidence) bool { return o.EventTime().After(e.EventTime()) })
			}
			if p.first {
				e.earliest = e.among(all, func(o *evidence) bool { return o.EventTime().Before(e.EventTime()) })
			}
		}
	}
	return all
}

// measure measures a candidate by itself; its subject, which is slow, where that is wanted.
func (e *evidence) measure(q *question, table *semantics.Table, subject bool) {
	p, text := e.pool, beginning(e.Content, readable)
	e.likenesses(table, e.rows(table))
	e.measureWords(text)
	e.measureTimes(q)
	if p.ofSomebody && subject {
		e.measureSubject(q)
	}
	if len(p.until) > 0 {
		e.untilSaid = float64(e.has(p.until)) / float64(len(p.until))
		if e.untilSaid > 0 {
			e.former = e.tellsFormer(p.until)
		}
	}
	e.unmetKind = p.want != anything && !p.want.tells(text)
	e.want = p.want
}

// together is within what time things are said at once: none of them is newer.
const together = time.Hour

// about is how much a candidate is about the question, as a share of the best.
func (e *evidence) about() float64 {
	share := ratio(e.forth, e.pool.forth)
	if e.pool.encoded > 0 {
		share = (share + ratio(e.encoded(), e.pool.encoded)) / 2
	}
	if e.outside > 0 {
		return 0
	}
	return share
}

// among measures which share of those that are as much about the question as a candidate
// it stands before; behind tells one that stands before it.
func (e *evidence) among(all []*evidence, behind func(*evidence) bool) extremes {
	share := e.about()
	of := func(least float64) float64 {
		if share < least {
			return 0
		}
		others, after := 0, 0
		for _, o := range all {
			if o == e || o.about() < least {
				continue
			}
			others++
			after += int(one(!behind(o)))
		}
		if others == 0 {
			return share
		}
		return share * float64(after) / float64(others)
	}
	x := extremes{loose: of(0.6)}
	x.extreme = one(share >= 0.7 && of(0.7) >= share*0.999)
	return x
}

func (e *evidence) measureWords(text string) {
	p := e.pool
	words, both := plainWords(text), 0
	for _, w := range p.words {
		both += int(one(slices.Contains(words, w)))
	}
	e.words = ratio(float64(both), float64(len(p.words)))
	e.joined = shareIn(unmarked.Replace(strings.Join(words, "")), p.joined)
	e.prefix = shareIn(" "+strings.Join(words, " "), p.prefixes)
	if len(p.digits) > 0 {
		digits, found := digitsOf(text), 0
		for _, d := range p.digits {
			found += int(one(slices.Contains(digits, d)))
		}
		e.numbersMissing = 1 - float64(found)/float64(len(p.digits))
	}
}

// shareIn is the share of parts that a text contains.
func shareIn(text string, parts []string) float64 {
	n := 0
	for _, part := range parts {
		n += int(one(strings.Contains(text, part)))
	}
	return ratio(float64(n), float64(len(parts)))
}

// readBest is how many of the best of many are read for whom they are of.
const readBest = 6

// measureSubject measures whether a candidate says something of whom it is asked, by
// whatever name, or only of others.
func (e *evidence) measureSubject(q *question) {
	asked := []string{q.asks.Subject, q.asks.Alias}
	said := q.saidBy(e.candidate)
	theirs := slices.ContainsFunc(said, func(s slots.Statement) bool {
		return s.Subject != "" && slices.Contains(asked, s.Subject) || s.Alias != "" && slices.Contains(asked, s.Alias)
	})
	e.ofAsked, e.ofAnother = one(theirs), one(!theirs && slices.ContainsFunc(said, func(s slots.Statement) bool { return s.Subject != "" }))
}

// noteSaidOfAsked marks what says only of others what something says of whom it is asked.
func noteSaidOfAsked(all []*evidence) {
	told := map[string]bool{} // attributes of whom it is asked
	for _, e := range all {
		if e.ofAsked > 0 {
			for _, s := range e.said {
				if s.Attribute != "" && !s.Hedged && !s.Negated &&
					(s.Subject == e.pool.q.asks.Subject || s.Alias != "" && s.Alias == e.pool.q.asks.Alias) {
					told[s.Attribute] = true
				}
			}
		}
	}
	for _, e := range all {
		e.saidOfAsked = e.ofAnother > 0 && slices.ContainsFunc(e.said, func(s slots.Statement) bool { return told[s.Attribute] })
	}
}

// spokenBy returns the times that a candidate speaks of, reading them if nobody has.
func (q *question) spokenBy(c *candidate) []memory.Mention {
	if c.Mentions == nil {
		c.Mentions = when.OfRecord(c.Record, q.zone)
	}
	return c.Mentions
}

// recursShare is what it counts that something comes again in a time, beside something that
// is said to be then.
const recursShare = 0.5

// recursIn reports whether what a candidate tells comes again in a time that is asked about,
// where that is a part of the answer.
func (q *question) recursIn(c *candidate, asked index.Span) bool {
	if c.Corpus != memory.Memories || !q.recurring {
		return false
	}
	_, comes := when.Next(when.Habits(c.Content), asked.From, asked.To)
	return comes
}

// speaksOf is how much of what a memory speaks of is of a time that is asked about, 0 to 1: all
// of it where it names that time or a part of it, half where it names a longer one.
func speaksOf(spoken []memory.Mention, asked index.Span) (best float64) {
	for _, m := range spoken {
		if !m.Overlaps(asked.From, asked.To) {
			continue
		}
		from, to := m.From, m.To
		if from.Before(asked.From) {
			from = asked.From
		}
		if to.After(asked.To) {
			to = asked.To
		}
		best = max(best, (1+to.Sub(from).Seconds()/max(1, m.To.Sub(m.From).Seconds()))/2)
	}
	return best
}

// measureTimes measures whether a candidate is of the time that is asked about.
func (e *evidence) measureTimes(q *question) {
	if len(q.times) == 0 {
		return
	}
	spoken := q.spokenBy(e.candidate)
	for _, asked := range q.times {
		e.timeSaid = max(e.timeSaid, speaksOf(spoken, asked))
		if q.recursIn(e.candidate, asked) {
			e.timeSaid = max(e.timeSaid, recursShare)
		}
		if asked.Contains(e.EventTime()) {
			e.inside = 1
		}
	}
	e.inside = max(e.inside, e.timeSaid)
	e.outside = one(e.inside == 0 && e.timeSaid == 0)
}

// likenesses measures how much of a question's meaning a text has: of all its words by
// weight, and of the one that it has least of; each 0 to 1.
func (e *evidence) likenesses(table *semantics.Table, told []row) {
	asked := e.pool.asked
	there := make([]float64, len(asked))
	for i, x := range asked {
		for _, y := range told {
			there[i] = max(there[i], similarity(table, x, y))
		}
	}
	e.forth = weighted(asked, there)
	if len(there) > 0 {
		e.least = slices.Min(there)
	}
}
