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

// evidence has the measures of a candidate that the features of relevance are made of. Unless
// told otherwise they are 0 to 1.
type evidence struct {
	*candidate
	pool *poolMeasures

	gathered             float64 // strength before weigh, without an upper bound; see [Why]
	forth, least         float64 // similarity to the question's words: mean, and of the least similar; see likenesses
	joined, words        float64 // share of the question's words that it has: pairs written as one, and single ones
	prefix               float64 // share of the question's words of which it has the first letters
	numbersMissing       float64 // share of the question's numbers that it lacks
	inside, outside      float64 // it is of a time that is asked about; a time is asked about and it is of none
	timeSaid             float64 // how well a time that it speaks of fits such a time; see measureTimes
	latest, earliest     extremes
	untilSaid, beforeEnd float64 // share it has of the words for what ended the version asked for; it is older than that
	newer                float64 // share of the other candidates that are older by more than an hour
	ofAsked, ofAnother   float64 // it speaks of whom is asked about; of others only
	former               string  // stem of what it says was before ("acm"); see tellsFormer
	saidOfAsked          bool    // it says of others what another candidate says of whom is asked about
	unmetKind            bool    // it lacks the kind of thing that is asked for, such as a number
}

// change is how clearly a candidate tells that something is no longer as it was, 0 to 1. It is
// 0 unless few records pass the filter and the question asks for a state.
func (e *evidence) change() float64 {
	if e.pool.small == 0 || !e.pool.q.asksHowItIs() {
		return 0
	}
	return e.changes().share()
}

// olderThen is how old a candidate is among the others, 0 to 1, where the question asks for what
// was. It is 0 if the question names a time, the candidate lacks the kind of thing asked for,
// or some candidate itself tells what was.
func (e *evidence) olderThen() float64 {
	return (1 - e.newer) * e.pool.then * one(len(e.pool.q.times) == 0 && !e.unmetKind && !e.pool.told)
}

// extremes is how far a candidate is the last, or the first, of those that are as much about
// the question (see among): loose 0 to 1, extreme 1 for the very last or first, else 0.
type extremes struct{ loose, extreme float64 }

// encoded is how near the candidate is to the question as a whole, 0 to 1; see sentence.
func (e *evidence) encoded() float64 { return e.pool.sentence(e.candidate) }

// sentence is how near a candidate is to the question as a whole, 0 to 1: by the cosine of the
// sentence encoder, or of an embedder that encodes sentences itself. A candidate without such a
// vector goes by its sum of word vectors, at wordShare if others have one.
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

// reads reports whether a candidate has a vector of its whole sentence, not just a sum of words.
func (q *question) reads(c *candidate) bool { return c.Encoded != 0 || !q.summed && q.vector != nil }

// wordShare is what the cosine of a sum of word vectors counts, beside that of a sentence vector.
const wordShare = 0.4

// poolMeasures has what is measured of a question and of all its candidates together.
type poolMeasures struct {
	q                                        *question
	gathered, coverage, soft, encoded, forth float64   // the maximum of each over the candidates
	missing                                  float64   // 1 - coverage
	known, small, then                       float64   // knownByVector; 1 if few records pass the filter; 1 if it asks for what was
	unread                                   bool      // no candidate has a sentence vector: words are all there is
	until                                    []string  // stems of what ended the version asked for: "ghent" of "before Ghent"
	ended                                    time.Time // time of the earliest candidate that has all of them
	want                                     wanted    // the kind of thing asked for
	told                                     bool      // some candidate says what was before that; see tellsFormer
	latest, first                            bool      // the latest or the first of several is asked for
	asked                                    []row     // the question's stems without those that only say when
	words                                    []string  // all of its words, stop words too
	joined                                   []string  // each two of its words written as one: "database" of "data base"
	prefixes                                 []string  // a blank and the first two thirds of each content word, at least 4 letters
	digits                                   []string  // its numbers
	ofSomebody                               bool      // it asks of somebody or something
}

var (
	asksLatest = regexp.MustCompile(`(?i)\b(latest|newest|most recent(?:ly)?|recent|last)\b`)
	asksFirst  = regexp.MustCompile(`(?i)\b(first|earliest|oldest)\b`)
	digitRuns  = regexp.MustCompile(`\d+`)
)

// poolOf measures a question and its candidates together; small is whether few records pass.
func (s *Service) poolOf(q *question, list []*candidate, small bool) *poolMeasures {
	table := s.table()
	text := shortened(q.Query)
	p := &poolMeasures{q: q, known: q.knownByVector(), small: one(small), want: wantedBy(text)}
	p.unread = !slices.ContainsFunc(list, q.reads)
	for _, c := range list {
		p.gathered, p.coverage, p.soft = max(p.gathered, c.strength()), max(p.coverage, c.Coverage), max(p.soft, c.Soft)
		if p.unread || q.reads(c) { // a sum of words sets no maximum where others have sentence vectors
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

// digitsOf returns the runs of digits in a text, without leading zeros.
func digitsOf(text string) (runs []string) {
	for _, run := range digitRuns.FindAllString(text, maxWords) {
		if run = strings.TrimLeft(run, "0"); run != "" {
			runs = append(runs, run)
		}
	}
	return runs
}

// squeezed returns the letters and digits of a text, in lower case and without anything between.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// withoutTimes returns a text without the words of its times: without "last May".
func withoutTimes(text string, spans []when.Mention) string {
	left := len(text)
	for _, span := range slices.Backward(spans) {
		if span.End <= left { // not a second reading of the same words
			text, left = text[:span.Start]+" "+text[span.End:], span.Start
		}
	}
	return text
}

// evidenceOf measures candidates, each by itself and beside the others, in their order.
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

// measure measures a candidate by itself. Whom it speaks of, which is slow to read, is measured
// only where subject is set.
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

// together is the time within which records count as said at once: none of them is newer.
const together = time.Hour

// about is how much a candidate is about the question, 0 to 1: by words and as a sentence, each
// as a share of the best candidate's. It is 0 outside the times that are asked about.
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

// among measures how far a candidate is the last (or first) of those about the question: the share
// of them that it is not behind, times its own about. behind reports whether the candidate is
// behind another one: older, where the latest is asked for. Those with an about of 0.6 or more
// are compared for loose, of 0.7 or more for extreme.
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

// measureWords measures which of the question's words, letters and numbers a text has.
func (e *evidence) measureWords(text string) {
	p := e.pool
	words, both := plainWords(text), 0
	for _, w := range p.words {
		both += int(one(slices.Contains(words, w)))
	}
	e.words = ratio(float64(both), float64(len(p.words)))
	e.joined = shareIn(squeezed(text), p.joined)
	e.prefix = shareIn(" "+strings.Join(words, " "), p.prefixes)
	if len(p.digits) > 0 {
		digits, found := digitsOf(text), 0
		for _, d := range p.digits {
			found += int(one(slices.Contains(digits, d)))
		}
		e.numbersMissing = 1 - float64(found)/float64(len(p.digits))
	}
}

// shareIn returns the share of parts that a text contains, 0 to 1; 0 for no parts.
func shareIn(text string, parts []string) float64 {
	n := 0
	for _, part := range parts {
		n += int(one(strings.Contains(text, part)))
	}
	return ratio(float64(n), float64(len(parts)))
}

// readBest is for how many of the best, of many candidates, it is read whom they speak of.
const readBest = 6

// measureSubject measures whether a candidate says something of whom is asked about, by either
// name ("my sister", "Jana"), or of others only.
func (e *evidence) measureSubject(q *question) {
	asked := []string{q.asks.Subject, q.asks.Alias}
	said := q.saidBy(e.candidate)
	theirs := slices.ContainsFunc(said, func(s slots.Statement) bool {
		return s.Subject != "" && slices.Contains(asked, s.Subject) || s.Alias != "" && slices.Contains(asked, s.Alias)
	})
	e.ofAsked, e.ofAnother = one(theirs), one(!theirs && slices.ContainsFunc(said, func(s slots.Statement) bool { return s.Subject != "" }))
}

// noteSaidOfAsked sets saidOfAsked: a candidate speaks of others only, and gives an attribute that
// another candidate gives of whom is asked about. Of "Jana lives in Dresden" and "Ruben lives
// in Ulm" the second is marked where Jana is asked about.
func noteSaidOfAsked(all []*evidence) {
	told := map[string]bool{} // attributes that candidates give of whom is asked about
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

// recursShare is what a habit counts that falls on a time asked about ("every Friday"), beside
// 1 for what is said to be at that time.
const recursShare = 0.5

// recursIn reports whether a memory tells of a habit that falls on a time asked about, if habits
// are part of the question's answer.
func (q *question) recursIn(c *candidate, asked index.Span) bool {
	if c.Corpus != memory.Memories || !q.recurring {
		return false
	}
	_, comes := when.Next(when.Habits(c.Content), asked.From, asked.To)
	return comes
}

// speaksOf is how well the times that a memory speaks of fit a time that is asked about, 0 to 1:
// 1 where one of them is inside it, towards a half for one much longer, 0 where none overlaps.
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

// measureTimes measures whether a candidate is of a time that is asked about: it speaks of one, or
// happened then, or tells of a habit that falls on it.
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

// likenesses sets forth and least, by the similarity of each of the question's stems to the most
// similar stem in the text: forth is their mean by weight, least the smallest; each 0 to 1.
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
