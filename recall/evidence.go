package recall

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
	"mcp-memory/text/slots"
	"mcp-memory/text/timex"
)

// evidence is what is measured of a candidate beside the others.
type evidence struct {
	*candidate
	pool *poolMeasures

	gathered                               float64 // strength by which it was found
	forth, back                            float64 // see likenesses
	least, lastWord                        float64
	phrase, joined, words                  float64
	prefix, firstWord                      float64
	numbers                                float64
	numbersMissing                         float64
	inside, outside                        float64
	timeSaid                               float64
	latest, earliest                       extremes
	untilSaid, beforeEnd                   float64
	namesMissing                           float64
	ownerOther                             float64
	selfMissing, thirdPerson, namesInstead float64
	kinOther, kinMissing                   float64
	forbids                                float64
	newer                                  float64
	unmetKind, was, readable               bool
	length                                 int
}

// readBest is how many of the best of many are read for what they say.
const readBest = 12

// change is how clearly a candidate of few tells that something is no longer as it was,
// where it is asked how it is or was, 0 to 1.
func (e *evidence) change() float64 {
	if !e.readable || e.pool.small == 0 || !e.pool.q.asksHowItIs() {
		return 0
	}
	return e.sense.changes.share()
}

// fit is how well what a candidate says fills the slot that is asked for.
func (e *evidence) fit() slots.Fit {
	if !e.readable || e.pool.q.asks.Attribute == "" {
		return slots.NoFit
	}
	return e.sense.fit
}

// extremes is how far a candidate is the last, or first, of those that are as much about
// the question, 0 to 1.
type extremes struct{ strict, loose, extreme float64 }

func (e *evidence) encoded() float64 { return e.pool.q.sentence(e.candidate) * (1 - e.pool.foreign) }

// sentence is how near a candidate is to the question as a whole, 0 to 1: by the sentence
// encoder, or by an embedder that knows sentences itself.
func (q *question) sentence(c *candidate) float64 {
	if q.summed || q.vector == nil {
		return likeSentence(c.Encoded)
	}
	return max(likeSentence(c.Encoded), c.Vector)
}

// poolMeasures is what is measured of a question and all of its candidates.
type poolMeasures struct {
	q                                        *question
	gathered, coverage, soft, encoded, forth float64 // of the best of each
	missing                                  float64 // 1 - coverage
	known, technical, small, then            float64
	until                                    []string  // stems of what is said to have ended it
	ended                                    time.Time // when that was said
	want                                     wanted
	latest, first                            bool
	asked                                    []row // stems without those that only say when
	words                                    []string
	pairs                                    map[string]bool
	joined                                   []string
	prefixes                                 []string
	digits                                   []string
	names, kin                               []string
	self, forbids                            bool
	filled                                   bool    // something fills the slot that is asked for
	foreign                                  float64 // 1 if the question is in a language that the encoder does not know
}

var (
	asksLatest = regexp.MustCompile(`(?i)\b(latest|newest|most recent(?:ly)?|recent|last)\b`)
	asksFirst  = regexp.MustCompile(`(?i)\b(first|earliest|oldest)\b`)
	asksNot    = regexp.MustCompile(`(?i)\b(not|never|avoid|n['’]t)\b`)
	saysNot    = regexp.MustCompile(`(?i)\b(not|never|avoid|no|without|\w+n['’]t)\b`)
	ofSelf     = regexp.MustCompile(`(?i)\b(i|my|me|mine|we|our|us|i['’]m|i['’]ve)\b`)
	saysSelf   = regexp.MustCompile(`(?i)\b(i|my|me|mine|we|our|us|i['’]m|i['’]ve|we['’]re|users?)\b`)
	saysWas    = regexp.MustCompile(`(?i)\b(used to|formerly|previously|no longer|not any ?more|back then|at first|originally)\b`)
	digitRuns  = regexp.MustCompile(`\d+`)
)

func (s *Service) poolOf(q *question, list []*candidate, small bool) *poolMeasures {
	table := s.table()
	text := shortened(q.Query)
	p := &poolMeasures{q: q, known: q.knownByVector(), small: one(small), want: wantedBy(text), pairs: map[string]bool{}}
	if q.summed || q.vector == nil {
		p.foreign = one(foreign(text))
	}
	for _, c := range list {
		p.gathered, p.coverage, p.soft, p.encoded = max(p.gathered, c.strength()), max(p.coverage, c.Coverage), max(p.soft, c.Soft), max(p.encoded, q.sentence(c)*(1-p.foreign))
	}
	p.missing = 1 - min(1, p.coverage)
	p.technical = q.technical
	bare := text
	if len(q.times) > 0 {
		bare = withoutTimes(text, timex.Find(text, q.moment()))
	}
	stems := analysis.Content(unframed(q.asks.Bare(bare)))
	if len(stems) == 0 {
		stems = q.stems
	}
	p.asked = rowsOf(table, head(stems, maxStems))
	p.words = head(plainWords(text), maxWords)
	for i := range len(p.words) - 1 {
		p.pairs[p.words[i]+" "+p.words[i+1]] = true
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
	p.names, p.kin = namesIn(text), kinIn(p.words)
	p.self, p.forbids = ofSelf.MatchString(text), asksNot.MatchString(text)
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

// withoutTimes leaves out of a text the words of its times.
func withoutTimes(text string, spans []timex.Span) string {
	for _, span := range slices.Backward(spans) {
		text = text[:span.Start] + " " + text[span.End:]
	}
	return text
}

// kinWords are whom somebody may have, by each of their words the one that stands for all.
var kinWords = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(kinOfFile) {
		words := strings.Fields(line)
		for _, w := range words {
			table[w], table[w+"s"] = words[0], words[0]
		}
	}
	return table
})

//go:embed relatives.txt
var kinOfFile string

// kinIn returns whom of the user's people some words name.
func kinIn(words []string) (found []string) {
	for _, w := range words {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		if k := kinWords()[w]; k != "" && !slices.Contains(found, k) {
			found = append(found, k)
		}
	}
	return found
}

// foreign reports whether a question is in another language than English, as far as its
// letters and its commonest words tell.
func foreign(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	if other > latin {
		return true
	}
	words := plainWords(text)
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(englishWords, w) }) {
		return false
	}
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) ||
		slices.ContainsFunc(words, func(w string) bool { return slices.Contains(otherWords, w) })
}

// englishWords are in nearly every question in English, and otherWords in many of other
// languages with these letters.
var (
	englishWords = strings.Fields("what what's who who's whose whom which where where's when why how is are were did does the my our your i of to for with has have had can could should this that it and from by there")
	otherWords   = strings.Fields("der die das ein eine wer wie wann wo welche welcher welches mein meine unser ist wird haben habe hat le la les un une quel quelle qui quand comment combien pourquoi mon ma mes est el los las una qué quién cuándo dónde mi mis es tengo il lo gli chi quando dove come quanto mio mia o os as um uma quem onde meu minha wie wat waar wanneer welke mijn ons het een vem var vad när hur min mitt jag kto co kiedy gdzie jak ile moja ne kim nerede nasıl benim")
)

// evidenceOf measures candidates beside each other.
func (s *Service) evidenceOf(q *question, list []*candidate, small bool) []*evidence {
	p := s.poolOf(q, list, small)
	table := s.table()
	all := make([]*evidence, len(list))
	order := byTime(list)
	for i, c := range list {
		e := &evidence{candidate: c, pool: p, gathered: c.strength(), readable: small || i < readBest || c.pulled}
		all[i] = e
		if e.readable {
			q.senseOf(c)
		}
		text := beginning(c.Content, readable)
		told := c.rows(table)
		e.length = len(told)
		e.likenesses(table, told)
		p.filled = p.filled || e.fit() == slots.FitBoth
		p.forth = max(p.forth, e.forth)
		e.measureWords(text)
		e.measureOwner(text)
		e.measureTimes(q, text)
		if len(p.until) > 0 {
			e.untilSaid = float64(c.has(p.until)) / float64(len(p.until))
		}
		e.unmetKind = p.want != anything && !p.want.tells(text)
		c.want = p.want
	}
	for _, e := range all {
		if len(p.until) > 0 && e.untilSaid == 1 && (p.ended.IsZero() || e.EventTime().Before(p.ended)) {
			p.ended = e.EventTime()
		}
	}
	for _, e := range all {
		e.beforeEnd = one(!p.ended.IsZero() && e.EventTime().Before(p.ended))
	}
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
	x := extremes{strict: of(0.85), loose: of(0.6)}
	x.extreme = one(share >= 0.7 && of(0.7) >= share*0.999)
	return x
}

func (e *evidence) measureWords(text string) {
	p := e.pool
	words := plainWords(text)
	seen := map[string]bool{}
	for _, w := range words {
		seen[w] = true
	}
	both := 0
	for _, w := range p.words {
		both += int(one(seen[w]))
	}
	e.words = ratio(float64(both), float64(len(p.words)))
	pairs := map[string]bool{}
	for i := range len(words) - 1 {
		if pair := words[i] + " " + words[i+1]; p.pairs[pair] {
			pairs[pair] = true
		}
	}
	e.phrase = ratio(float64(len(pairs)), float64(len(p.pairs)))
	e.joined = shareIn(squeezed(text), p.joined)
	e.prefix = shareIn(" "+strings.Join(words, " "), p.prefixes)
	if told := e.told; len(told) > 0 {
		e.firstWord = one(slices.ContainsFunc(p.asked, func(r row) bool { return r.stem == told[0].stem }))
	}
	if len(p.digits) > 0 {
		digits, found := digitsOf(text), 0
		for _, d := range p.digits {
			found += int(one(slices.Contains(digits, d)))
		}
		e.numbers = float64(found) / float64(len(p.digits))
		e.numbersMissing = 1 - e.numbers
	}
	e.was = saysWasAtAll(text) && saysWas.MatchString(text)
	e.forbids = one(p.forbids && saysNot.MatchString(text))
}

// saysWasAtAll reports whether a text has the beginning of what saysWas looks for, which is
// quicker to see.
func saysWasAtAll(text string) bool {
	folded := strings.ToLower(text)
	return slices.ContainsFunc([]string{"used to", "former", "previous", "no longer", "not any", "back then", "at first", "original"}, func(w string) bool { return strings.Contains(folded, w) })
}

// shareIn is the share of parts that a text contains.
func shareIn(text string, parts []string) float64 {
	n := 0
	for _, part := range parts {
		n += int(one(strings.Contains(text, part)))
	}
	return ratio(float64(n), float64(len(parts)))
}

// measureOwner measures of whom a candidate is, beside whom the question is about.
func (e *evidence) measureOwner(text string) {
	p := e.pool
	folded, words := strings.ToLower(text), plainWords(text)
	missing := 0
	for _, name := range p.names {
		missing += int(one(!strings.Contains(folded, strings.ToLower(name))))
	}
	e.namesMissing = ratio(float64(missing), float64(len(p.names)))
	e.selfMissing = one(p.self && !saysSelf.MatchString(text))
	if names := namesIn(text); len(names) > 0 {
		if len(p.names) > 0 && e.namesMissing == 1 {
			e.namesInstead = 1
		}
		first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		e.thirdPerson = one(p.self && len(p.names) == 0 && e.selfMissing > 0 && strings.HasPrefix(first, names[0]))
	}
	for i, w := range words {
		if owner, ok := strings.CutSuffix(strings.ReplaceAll(w, "’", "'"), "'s"); ok && i+1 < len(words) && !slices.Contains(notOwners, owner) && !slices.Contains(p.words, owner) && !slices.Contains(p.words, w) {
			e.ownerOther = 1
		}
	}
	kin := kinIn(words)
	e.kinOther = one(slices.ContainsFunc(kin, func(k string) bool { return !slices.Contains(p.kin, k) }))
	e.kinMissing = one(slices.ContainsFunc(p.kin, func(k string) bool { return !slices.Contains(kin, k) }))
}

var notOwners = strings.Fields("it that what who he she there here let where how when this everyone everybody user")

// measureTimes measures whether a candidate is of the time that is asked about.
func (e *evidence) measureTimes(q *question, text string) {
	if len(q.times) == 0 {
		return
	}
	for _, asked := range q.times {
		if asked.Contains(e.EventTime()) {
			e.inside = 1
		}
		for _, span := range timex.Find(text, e.EventTime()) {
			if !span.Open() && span.From.Before(asked.To) && asked.From.Before(span.To) {
				e.timeSaid = 1
			}
		}
	}
	e.outside = one(e.inside == 0 && e.timeSaid == 0)
}

// likenesses measures how much of a question's meaning a text has, and how much of its
// meaning the question has; each 0 to 1.
func (e *evidence) likenesses(table *semantics.Table, told []row) {
	asked := e.pool.asked
	there, behind := make([]float64, len(asked)), make([]float64, len(told))
	for i, x := range asked {
		for k, y := range told {
			near := similarity(table, x, y)
			there[i], behind[k] = max(there[i], near), max(behind[k], near)
		}
	}
	e.forth, e.back = weighted(asked, there), weighted(told, behind)
	if len(there) > 0 {
		e.least, e.lastWord = slices.Min(there), there[len(there)-1]
	}
}
