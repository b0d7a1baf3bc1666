package when

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/gloss"
)

// translation is a text with its expressions of time put into English; all else is as it was.
type translation struct {
	text  string
	of    string         // the original text
	from  []int          // for each byte of text, and for its end: offset in of where its source begins; nil for a text taken as English
	until []int          // likewise, where its source ends
	past  *regexp.Regexp // finds verbs of the past in the original language; nil for a text taken as English
}

// place returns the offsets in the original text of what stands at text[start:end], without
// blanks around it.
func (t translation) place(start, end int) (int, int) {
	if t.from == nil {
		return start, end
	}
	start, end = t.from[start], t.until[end-1]
	for start < end && t.of[start] == ' ' {
		start++
	}
	for end > start && t.of[end-1] == ' ' {
		end--
	}
	return start, end
}

// tense returns the tense of a clause of t.text, whose verbs are in the original language. For a
// language other than English there are only past and coming.
func (t translation) tense(clause string) tense {
	switch {
	case t.past == nil:
		return tenseOf(clause)
	case t.past.MatchString(" " + strings.ToLower(clause) + " "):
		return past
	}
	return coming
}

//go:embed foreign.txt
var foreignFile string

//go:embed names.txt
var namesFile string

// tongue is a language whose expressions of time are read.
type tongue struct {
	past     *regexp.Regexp // finds verbs that tell that a clause is of the past
	phrases  []phrase       // longer expressions first, as in foreign.txt
	unspaced bool           // written without spaces between words: Japanese and Chinese
}

// phrase is an expression of time in another language and what it is in English.
type phrase struct {
	pattern *regexp.Regexp
	kinds   []string // for each group inside: the placeholder it stands for ("wd" of {wd}), "" for a group of the pattern itself
	english string   // with $1, $2 ... for these groups
}

var placeholders = regexp.MustCompile(`\{(n|u|wd|mo|d|season)\}|\((?:[^?)][^)]*)\)`)

// names returns the table of names.txt: language → kind of placeholder → word → the word in
// English, such as "de" → "wd" → "montag" → "monday".
var names = sync.OnceValue(func() map[string]map[string]map[string]string {
	all := map[string]map[string]map[string]string{}
	for line := range strings.Lines(namesFile) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] == "#" {
			continue
		}
		if all[f[0]] == nil {
			all[f[0]] = map[string]map[string]string{}
		}
		words := map[string]string{}
		for _, one := range f[2:] {
			english, list, _ := strings.Cut(one, "=")
			for word := range strings.SplitSeq(list, ",") {
				words[word] = english
			}
		}
		all[f[0]][f[1]] = words
	}
	return all
})

// tongues has by the code of a language a function that returns its phrases, which are compiled
// at the first call.
var tongues = func() map[string]func() *tongue {
	all := map[string]func() *tongue{}
	for line := range strings.Lines(foreignFile) {
		if name, _, ok := strings.Cut(line, " "); ok && name != "#" && all[name] == nil {
			all[name] = sync.OnceValue(func() *tongue { return readTongue(name) })
		}
	}
	return all
}()

// boundary replaces \b around groups by what also takes letters beyond ASCII for letters: \b of
// package regexp does not.
var boundary = strings.NewReplacer(`\b(`, `(?:^|[^\pL\pN])(`, `\b[`, `(?:^|[^\pL\pN])[`, `)\b`, `)(?:$|[^\pL\pN])`)

func readTongue(name string) *tongue {
	t := &tongue{unspaced: name == "ja" || name == "zh"}
	for line := range strings.Lines(foreignFile) {
		rest, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), name+" ")
		if !ok {
			continue
		}
		if pattern, ok := strings.CutPrefix(rest, "past "); ok {
			t.past = regexp.MustCompile(boundary.Replace(pattern))
			continue
		}
		pattern, english, _ := strings.Cut(rest, " = ")
		p := phrase{english: english}
		pattern = placeholders.ReplaceAllStringFunc(pattern, func(m string) string {
			if m[0] == '(' {
				p.kinds = append(p.kinds, "")
				return m
			}
			kind := strings.Trim(m, "{}")
			p.kinds = append(p.kinds, kind)
			return "(" + alternatives(name, kind) + ")"
		})
		if !t.unspaced {
			pattern = `(?:^|[^\pL\pN])((?:` + pattern + `))(?:$|[^\pL\pN])`
		} else {
			pattern = `((?:` + pattern + `))`
		}
		p.pattern = regexp.MustCompile(`(?i)` + pattern)
		t.phrases = append(t.phrases, p)
	}
	return t
}

// alternatives returns a pattern that matches any word of a language and kind of placeholder, such
// as the names of months for "mo"; longer words come first.
func alternatives(language, kind string) string {
	if kind == "d" {
		return `\d{1,2}`
	}
	var words []string
	for word := range names()[language][kind] {
		words = append(words, regexp.QuoteMeta(word))
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	if kind == "n" {
		words = append(words, `\d{1,3}`)
	}
	return strings.Join(words, "|")
}

// replaced is the part text[start:end] of a text and the English that replaces it.
type replaced struct {
	start, end int
	english    string
}

// translated returns a text with its expressions of time in English, if its language is one of
// those in foreign.txt; else the text as it is.
func translated(text string) translation {
	name := gloss.Language(text)
	read, ok := tongues[name]
	if !ok {
		return translation{text: text}
	}
	t := read()
	return compose(text, t.parts(name, text), t.past)
}

// maxTime is the length in bytes above which a text certainly has more in it than a time.
const maxTime = 200

// InEnglish returns a text that is nothing but a time, such as "übermorgen", in English,
// whatever language it is in; any other text as it is.
func InEnglish(text string) string {
	if len(text) > maxTime {
		return text
	}
	for _, name := range slices.Sorted(maps.Keys(tongues)) {
		if parts := tongues[name]().parts(name, text); len(parts) == 1 && parts[0].start == 0 && parts[0].end == len(text) {
			return parts[0].english
		}
	}
	return text
}

// parts returns the expressions of time of a text with their English, in order of their places.
// They do not overlap: of two that would, that of the earlier phrase in foreign.txt counts.
func (t *tongue) parts(name, text string) []replaced {
	var parts []replaced
	for _, p := range t.phrases {
		for from := 0; from < len(text) && len(parts) < maxPieces; {
			at := p.pattern.FindStringSubmatchIndex(text[from:])
			if at == nil {
				break
			}
			start, end := from+at[2], from+at[3]
			if !isName(name, text, start, end) &&
				!slices.ContainsFunc(parts, func(r replaced) bool { return start < r.end && r.start < end }) {
				parts = append(parts, replaced{start, end, p.say(name, text[from:], at)})
			}
			from = max(end, from+1)
			for from < len(text) && text[from]&0xC0 == 0x80 {
				from++
			}
		}
	}
	slices.SortFunc(parts, func(a, b replaced) int { return a.start - b.start })
	return parts
}

// isName reports whether text[start:end], the name of a day or month, is rather a person's name
// because it has a capital letter inside a sentence or before another word with one: languages
// other than German write days and months with a small letter.
func isName(language, text string, start, end int) bool {
	word, of := strings.ToLower(text[start:end]), names()[language]
	if language == "de" || of["wd"][word]+of["mo"][word] == "" || !startsWithCapital(text[start:end]) {
		return false
	}
	before := strings.TrimRight(text[:start], " \t¿¡\"«(")
	return before != "" && !strings.ContainsAny(before[len(before)-1:], ".!?:\n") || startsWithCapital(strings.TrimLeft(text[end:], " "))
}

func startsWithCapital(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r)
}

// say returns the English of an expression that was found at at (see
// [regexp.Regexp.FindStringSubmatchIndex]), with what its groups hold put in, in English too.
func (p phrase) say(language, text string, at []int) string {
	english := p.english
	for i := len(p.kinds); i >= 1; i-- {
		kind, group := p.kinds[i-1], ""
		if j := 2 + 2*i; at[j] >= 0 {
			group = strings.ToLower(text[at[j]:at[j+1]])
		}
		ref := "$" + strconv.Itoa(i)
		for _, named := range []string{"wd", "mo", "season"} {
			english = strings.ReplaceAll(english, "{"+named+":"+ref+"}", inEnglish(language, named, group))
		}
		if kind != "" && kind != "d" {
			group = inEnglish(language, kind, group)
		}
		english = strings.ReplaceAll(english, ref, group)
	}
	return strings.TrimSpace(strings.Join(strings.Fields(english), " "))
}

// inEnglish returns a word of a kind of placeholder in English; an unknown word stays as it is.
func inEnglish(language, kind, word string) string {
	english, ok := names()[language][kind][word]
	if n, err := strconv.Atoi(word); err == nil && kind == "mo" && n >= 1 && n <= 12 {
		english, ok = months[n-1], true
	}
	switch {
	case !ok:
		return word
	case kind == "mo" || kind == "wd": // with a capital: "march" is a verb
		return strings.ToUpper(english[:1]) + english[1:]
	}
	return english
}

// compose returns the text with its parts replaced by their English, and for each byte of the
// result where it comes from.
func compose(text string, parts []replaced, past *regexp.Regexp) translation {
	t := translation{of: text, past: past}
	var b strings.Builder
	keep := func(from, to int) {
		for i := from; i < to; i++ {
			t.from, t.until = append(t.from, i), append(t.until, i+1)
		}
		b.WriteString(text[from:to])
	}
	put := func(s string, r replaced) {
		for range len(s) {
			t.from, t.until = append(t.from, r.start), append(t.until, r.end)
		}
		b.WriteString(s)
	}
	done := 0
	for _, r := range parts {
		keep(done, r.start)
		if r.start > 0 && text[r.start-1] != ' ' {
			put(" ", replaced{r.start, r.start, ""})
		}
		put(r.english, r)
		if r.end < len(text) && text[r.end] >= 0x80 {
			put(" ", replaced{r.end, r.end, ""})
		}
		done = r.end
	}
	keep(done, len(text))
	t.from, t.until = append(t.from, len(text)), append(t.until, len(text))
	t.text = b.String()
	return t
}
