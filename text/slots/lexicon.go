package slots

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"mcp-memory/text/analysis"
)

var (
	//go:embed attributes.txt
	attributesText string
	//go:embed values.txt
	valuesText string
	//go:embed words.txt
	wordsText string
	//go:embed synonyms.txt
	synonymsText string
	//go:embed antonyms.txt
	antonymsText string
	//go:embed families.txt
	familiesText string
	//go:embed irregular.txt
	irregularText string
)

// flag is a class of words of words.txt, or a form of a verb.
type flag uint64

const (
	isDet         flag = 1 << iota // article or demonstrative: "the", "this"
	isFirst                        // the user: "i", "we", "me"
	isPossessive                   // of the user: "my", "our"
	isThird                        // another pronoun: "you", "she", "their"
	isBe                           // form of be
	isHave                         // form of have
	isDo                           // form of do
	isModal                        // "can", "must", "need to"
	isWill                         // tells of a plan or of what is to come: "going to", "next week"
	isHedge                        // asserts nothing: "maybe", "if", "i think"
	isSay                          // verb of saying or thinking: "claim", "believe"
	isNegation                     // "not", "never", "nobody"
	isNow                          // is so at present: "currently", "these days"
	isOver                         // is not so any more: "no longer", "instead"
	isCorrection                   // puts right what was said: "i meant"
	isAdditive                     // lets both hold: "also", "another"
	isPast                         // was so: "used to", "formerly"
	isOldAdj                       // "old", "former", "previous"
	isNewAdj                       // "new", "current", "latest"
	isFluff                        // adjective that tells no slot from another: "main", "usual"
	isAdverb                       // "just", "usually", "recently"
	isPreposition                  // "in", "at", "for"
	isConjunction                  // "and", "because", "which"
	isTime                         // "monday", "june", "yesterday"
	isUnit                         // what an amount counts: "euro", "km", "week"
	isTitle                        // before a name: "dr", "mrs", "uncle"
	isQuestion                     // question word: "what", "where"
	isOpener                       // auxiliary that may begin a question: "does", "is"
	isRaise                        // verb that changes a value: "raise", "switch", "move"
	isReplace                      // verb that puts one thing in the place of another: "swap"
	isEnd                          // verb that ends something: "quit", "sell"
	isBegin                        // verb that begins something: "start", "get"
	isVerb                         // verb of none of these sorts: "use", "play"
	isKin                          // relation: "sister", "wife"
	isAlone                        // relation that is the user's without "my": "mum"
	isCountry                      // country or large region: "germany", "texas"
	isNoun                         // noun: "log", "server"
	isLasting                      // verb of what lasts: "live", "own"
	isWas                          // past of another language: "war", "hatte"
	isWish                         // tells of a wish: "want to", "hope to"
	isTold                         // quotes others: "replied", "sagte"
	formPast                       // past or participle of a verb: "lived"
	formIng                        // "living"
	formThird                      // third person: "lives"
	formBase                       // base form: "live"
	formPlural                     // plural of a noun: "cats"

	anyVerb = isRaise | isReplace | isEnd | isBegin | isVerb | isSay
	marker  = isWill | isWish | isHedge | isNegation | isNow | isOver | isCorrection | isAdditive | isPast
)

var flagNames = map[string]flag{
	"det": isDet, "first": isFirst, "possessive": isPossessive, "third": isThird, "be": isBe, "have": isHave, "do": isDo,
	"modal": isModal, "will": isWill, "hedge": isHedge, "say": isSay, "negation": isNegation, "now": isNow, "over": isOver,
	"correction": isCorrection, "additive": isAdditive, "past": isPast, "oldadj": isOldAdj, "newadj": isNewAdj, "fluff": isFluff,
	"adverb": isAdverb, "preposition": isPreposition, "conjunction": isConjunction, "time": isTime, "unit": isUnit, "title": isTitle,
	"question": isQuestion, "opener": isOpener, "raise": isRaise, "replace": isReplace, "end": isEnd, "begin": isBegin,
	"verb": isVerb, "kin": isKin, "alone": isAlone, "country": isCountry,
	"noun": isNoun, "lasting": isLasting, "was": isWas, "wish": isWish, "told": isTold,
}

// role is what a phrase is for.
type role uint8

const (
	markerPhrase  role = iota // sets its flags where it stands: "used to"
	nounPhrase                // noun that stands for an attribute: "date of birth"
	framePhrase               // verb of an attribute, whose value follows it: "live in"
	valuePhrase               // well-known value of an attribute: "emacs"
	foreignPhrase             // sentence of another language, of foreign.txt
)

// phrase is a phrase of a table: for each of its places, the words that may stand there.
type phrase struct {
	words   [][]string
	role    role
	capital bool // of a value: only with a capital
	mode    byte // of a frame: '+' begins a state, '-' ends one
	attr    *attribute
	flags   flag
}

// attribute is a class of attributes.txt.
type attribute struct {
	id      string
	single  bool
	domain  string
	kind    Kind
	anyKind bool // the kind of the value says nothing
}

// entry is a word of the lexicon.
type entry struct {
	noun, verb string // base forms, "" if it is none
	canonical  string // of synonyms.txt
	stem       string
	flags      flag
	phrases    []*phrase // longest first
}

// is reports whether the entry, of the surface word, is the word w of a phrase.
func (e *entry) is(surface, w string) bool { return surface == w || e.noun == w || e.verb == w }

// lexicon is all tables, ready to be searched. It never changes.
type lexicon struct {
	words      map[string]*entry
	attributes []*attribute
	byID       map[string]*attribute
	opposite   map[string][]string
	families   [][]string
}

// table is built when it is first needed.
var table = sync.OnceValue(newLexicon)

func (x *lexicon) find(w string) *entry {
	if e := x.words[w]; e != nil {
		return e
	}
	return nothing
}

// rows yields the lines of a table, cut at "|".
func rows(text string, yield func(cells []string)) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			yield(strings.Split(line, "|"))
		}
	}
}

// list cuts a cell at commas.
func list(cell string) []string {
	var items []string
	for item := range strings.SplitSeq(cell, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// builder collects what a lexicon is made of.
type builder struct {
	lexicon
	irregular map[string][2]string // base: past, participle
	byFirst   map[string][]*phrase
}

func newLexicon() *lexicon {
	b := &builder{irregular: map[string][2]string{}, byFirst: map[string][]*phrase{}}
	b.words, b.byID, b.opposite = map[string]*entry{}, map[string]*attribute{}, map[string][]string{}
	rows(irregularText, func(c []string) { b.irregular[c[0]] = [2]string{c[1], c[2]} })
	rows(wordsText, func(c []string) { b.class(flagNames[c[0]], list(c[1])) })
	rows(attributesText, b.attribute)
	rows(foreignText, b.foreign)
	rows(valuesText, func(c []string) {
		for _, v := range list(c[1]) {
			name, capital := strings.CutPrefix(v, "~")
			b.phrase(name, &phrase{role: valuePhrase, attr: b.byID[c[0]], capital: capital})
		}
	})
	rows(synonymsText, func(c []string) {
		for _, w := range append(list(c[1]), c[0]) {
			b.entry(w).canonical = c[0]
		}
	})
	rows(familiesText, func(c []string) { b.families = append(b.families, list(c[0])) })
	b.link()
	return &b.lexicon
}

func (b *builder) entry(w string) *entry {
	e := b.words[w]
	if e == nil {
		e = &entry{}
		b.words[w] = e
	}
	return e
}

// class enters the words of a class; verbs in all their forms.
func (b *builder) class(f flag, words []string) {
	for _, w := range words {
		if strings.ContainsAny(w, " '-") {
			if f&anyVerb != 0 {
				b.verb(strings.Fields(w)[0], 0)
			}
			b.phrase(w, &phrase{role: markerPhrase, flags: f})
			continue
		}
		switch {
		case f&(anyVerb|isLasting) != 0:
			b.verb(w, f)
		case f&(isUnit|isKin|isNoun) != 0:
			b.noun(w, f)
		default:
			b.entry(w).flags |= f
		}
		if f&isBe != 0 {
			b.entry(w).verb = "be"
		}
		if f&isHave != 0 {
			b.entry(w).verb = "have"
		}
	}
}

func (b *builder) noun(w string, f flag) {
	e := b.entry(w)
	e.flags |= f
	e.noun = w
	p := b.entry(plural(w))
	p.flags |= f | formPlural
	if p.noun == "" {
		p.noun = w
	}
}

func plural(w string) string {
	switch {
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "sh"):
		return w + "es"
	case strings.HasSuffix(w, "y") && len(w) > 2 && !strings.ContainsRune("aeiou", rune(w[len(w)-2])):
		return w[:len(w)-1] + "ies"
	}
	return w + "s"
}

func (b *builder) verb(w string, f flag) {
	add := func(form string, g flag) {
		e := b.entry(form)
		e.flags |= f | g
		if e.verb == "" {
			e.verb = w
		}
	}
	if w == "be" || w == "have" || w == "do" {
		return
	}
	b.entry(w).verb = ""
	add(w, formBase)
	if strings.HasSuffix(w, "o") {
		add(w+"es", formThird)
	} else {
		add(plural(w), formThird)
	}
	stem := w
	if strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "ee") {
		stem = w[:len(w)-1]
	} else if doubles(w) {
		stem = w + w[len(w)-1:]
	}
	add(stem+"ing", formIng)
	if p, ok := b.irregular[w]; ok {
		add(p[0], formPast)
		add(p[1], formPast)
		return
	}
	if strings.HasSuffix(w, "y") && len(w) > 2 && !strings.ContainsRune("aeiou", rune(w[len(w)-2])) {
		stem = w[:len(w)-1] + "i"
	}
	add(stem+"ed", formPast)
}

// doubles reports whether a verb doubles its last letter before an ending.
func doubles(w string) bool {
	switch w {
	case "stop", "drop", "ship", "swap", "plan", "cut", "set", "run", "get", "put", "swim",
		"cancel", "travel", "quit", "begin", "hit", "sit", "ban", "win", "slip", "admit", "commit":
		return true
	}
	return false
}

func (b *builder) attribute(c []string) {
	for len(c) < 6 {
		c = append(c, "")
	}
	a := &attribute{id: c[0], single: c[1] == "single", domain: c[2]}
	switch c[3] {
	case "name":
		a.kind = Name
	case "number":
		a.kind = Number
	case "time":
		a.kind = Time
	default:
		a.anyKind = true
	}
	b.attributes = append(b.attributes, a)
	b.byID[a.id] = a
	for _, n := range list(c[4]) {
		words := strings.Fields(strings.ReplaceAll(n, "-", " "))
		b.noun(words[len(words)-1], 0)
		b.phrase(n, &phrase{role: nounPhrase, attr: a})
	}
	for _, v := range list(c[5]) {
		p := &phrase{role: framePhrase, attr: a}
		if v[0] == '+' || v[0] == '-' {
			p.mode = v[0]
			v = v[1:]
		}
		if first := strings.Fields(v)[0]; !strings.Contains(first, "/") && first[0] < 0x80 {
			b.verb(first, 0)
		}
		b.phrase(v, p)
	}
}

// phrase registers words under the first of them.
func (b *builder) phrase(text string, p *phrase) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "'", " "), "-", " ")
	for w := range strings.FieldsSeq(text) {
		p.words = append(p.words, strings.Split(w, "/"))
	}
	for _, first := range p.words[0] {
		b.byFirst[first] = append(b.byFirst[first], p)
		b.entry(first)
	}
}

// link gives every entry the phrases that may begin with it.
func (b *builder) link() {
	for w, e := range b.words {
		e.phrases = append(e.phrases, b.byFirst[w]...)
		for i, base := range []string{e.noun, e.verb} {
			if base != "" && base != w && (i == 0 || base != e.noun) {
				e.phrases = append(e.phrases, b.byFirst[base]...)
			}
		}
		slices.SortStableFunc(e.phrases, func(p, q *phrase) int { return len(q.words) - len(p.words) })
		switch {
		case e.noun != "":
			e.stem = analysis.Stem(e.noun)
		case e.verb != "":
			e.stem = analysis.Stem(e.verb)
		default:
			e.stem = analysis.Stem(w)
		}
		if e.canonical == "" {
			if n := b.words[e.noun]; n != nil {
				e.canonical = n.canonical
			}
		}
	}
	b.opposites()
}

// opposites makes every pair of antonyms known both ways, once, and by the stems that
// texts are compared by.
func (b *builder) opposites() {
	rows(antonymsText, func(c []string) {
		for _, w := range list(c[1]) {
			for _, x := range b.forms(c[0]) {
				for _, y := range b.forms(w) {
					b.opposite[x] = append(b.opposite[x], y)
					b.opposite[y] = append(b.opposite[y], x)
				}
			}
		}
	})
	for w, others := range b.opposite {
		slices.Sort(others)
		b.opposite[w] = slices.Compact(others)
	}
}

// forms returns a word, its stem and the stem of its base.
func (b *builder) forms(w string) []string {
	all := []string{w, analysis.Stem(w)}
	if e := b.words[w]; e != nil {
		all = append(all, e.stem)
	}
	return all
}
