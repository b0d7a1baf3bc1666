package extractive

import (
	"slices"
	"strings"
	"unicode"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// maxSentenceBytes is the length from which a "sentence" is rather a log or a
// table.
const maxSentenceBytes = 700

var (
	fences    = lazyregexp.New("(?s)```.*?(```|$)|~~~.*?(~~~|$)")
	links     = lazyregexp.New(`!?\[([^\]\n]*)\]\(([^)\n]*)\)`)
	listMarks = lazyregexp.New(`^(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+`)
	// codeSpans are what is marked as code: as it is, to the byte.
	codeSpans = lazyregexp.New("``[^\n]+?``|`[^`\n]+`")
	// asides are in brackets, "[laughs]": words alone, which stand for themselves. What
	// has digits or hangs on to something ("int[]", "[PB-123]", "[a-z]{3}") is no aside.
	asides = lazyregexp.New(`(^|[ \t])\[\pL[\pL ,.'’:!-]*\]($|[ \t.,;:!?])`)
	// bold is emphasis around words, not a part of a path, a name or a pattern.
	bold = lazyregexp.New(`(^|[ \t("'])\*\*(\S(?:[^*\n]*\S)?)\*\*($|[ \t)"'.,;:!?])`)
	// strong is emphasis by two underscores, "__very important__". It needs a blank or a capital
	// inside, as "__init__" is a name.
	strong = lazyregexp.New(`(^|[ \t("'])__(\S[^_\n]*[ A-Z][^_\n]*\S)__($|[ \t)"'.,;:!?])`)
	// tags are those of HTML: "<branch>" stands for something, and "List<Parcel>" is a type.
	tags = lazyregexp.New(`(?i)(?:(^|[^\pL\pN_/<])<(?:` + elements + `)(?:\s[^<>\n]{0,200})?/?>|</(?:` + elements + `)>)`)
)

const elements = `a|abbr|b|big|blockquote|br|center|code|dd|details|div|dl|dt|em|font|h[1-6]|hr|i|img|kbd|li|mark|ol|p|pre|s|small|span|` +
	`strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul`

// logged is a line that a program wrote: what it begins with is a moment to the second, a
// level, the place of a failure or the like. "WARNING: never restart db1" may be a person's,
// and "error: x is not defined" what somebody tells how they mended.
var logged = lazyregexp.New(`^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\[?\d\d:\d\d:\d\d[.,\]]` +
	`|\[?(?:ERROR|WARN|FATAL|DEBUG|TRACE|CRITICAL|SEVERE)\]?:?\s|\[?(?:INFO|WARNING)\]?:?\s+[\[\d]|--- (?:FAIL|PASS|SKIP):|(?:[Ff]atal|panic): ` +
	`|Traceback \(most|Exception in thread|(?:npm|yarn|pnpm) (?:ERR!|error|warn)|\w*(?:Error|Exception): |[Ee]rror(?:\[\w+\])?: [A-Z]|at [\w.$<>]+\([\w.]+:\d+\)|File "[^"]+", line \d|\S+\.(?:go|py|js|ts|tsx|java|rb|rs|c|cc|cpp|php|kt):\d+)`)

// sentences returns the sentences of a message that its author wrote as prose:
// no code, quoted lines, headings, tables, notes in brackets or pictures.
func sentences(text string) []string { return sentencesThat(prose, text) }

// sentencesThat returns those that fit.
func sentencesThat(fits func(string) bool, text string) []string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.Contains(text, "```") || strings.Contains(text, "~~~") {
		text = fences().ReplaceAllString(text, "\n")
	}
	var all []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], ">|#") || logged().MatchString(line) {
			continue
		}
		for _, s := range analysis.Sentences(plain(line)) {
			if len(s) <= maxSentenceBytes && fits(s) {
				all = append(all, s)
			}
		}
	}
	if len(all) > maxSentences {
		all = slices.Delete(all, maxSentences/2, len(all)-maxSentences/2)
	}
	return all
}

// plain removes markup from a line, but for what is marked as code.
func plain(line string) string {
	line = listMarks().ReplaceAllString(line, "")
	if !strings.Contains(line, "`") {
		return unmarked(line)
	}
	var b strings.Builder
	done := 0
	for _, code := range codeSpans().FindAllStringIndex(line, -1) {
		b.WriteString(unmarked(line[done:code[0]]) + line[code[0]:code[1]])
		done = code[1]
	}
	return b.String() + unmarked(line[done:])
}

// plainLines is a text of which each line is plain.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return strings.Join(lines, "\n")
}

// unmarked is a text without markup.
func unmarked(text string) string {
	if strings.Contains(text, "[") {
		text = links().ReplaceAllStringFunc(text, func(link string) string { // is left as its text, and the address if there is a server
			m := links().FindStringSubmatch(link)
			if strings.HasPrefix(link, "!") || !strings.Contains(m[2], "://") || strings.Contains(m[1], "://") {
				return m[1]
			}
			return m[1] + " (" + m[2] + ")"
		})
		text = asides().ReplaceAllString(text, "$1$2")
	}
	if strings.Contains(text, "<") {
		text = tags().ReplaceAllString(text, "$1")
	}
	if strings.Contains(text, "**") {
		text = bold().ReplaceAllString(text, "$1$2$3")
	}
	if strings.Contains(text, "__") {
		text = strong().ReplaceAllString(text, "$1$2$3")
	}
	return strings.Map(dropSymbols, text)
}

// dropSymbols removes emoji, and the invisible characters that shape them.
func dropSymbols(r rune) rune {
	if unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > unicode.MaxASCII || unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Cc, r) && r != '\t' || r == '\uFE0F' {
		return -1
	}
	return r
}

// prose reports whether a sentence is mostly letters, or short and has some
// ("5 years").
func prose(s string) bool {
	letters, others := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		case !unicode.IsSpace(r) && r != '\'':
			others++
		}
	}
	return letters > 1 && letters >= 2*others || letters > 2 && len(s) < 80
}

// brief reports whether a sentence is prose, or an answer like "45".
func brief(s string) bool {
	return prose(s) || len(s) < 40 && strings.ContainsFunc(s, alphanumeric)
}

// statement returns the part of a sentence that states something, without the question or the
// request at its end: of "I moved to Graz, do you know it?" it is "I moved to Graz." It is nil if
// the sentence only asks. The contractions in words are written out already, see expand.
func statement(words []word) []word {
	asks := len(words) > 0 && strings.Contains(words[len(words)-1].post, "?")
	for i := 2; i < len(words); i++ {
		if !words[i-1].ends() {
			continue
		}
		tail := words[i:min(len(words), i+6)]
		if asks && in("questionTails", tail) || in("doubtTails", tail) {
			words = slices.Clone(words[:i])
			words[i-1].post = "."
			asks = false
			break
		}
	}
	// A sentence that starts like a question may go on like a clause: "When I was young, …", "What I love is …".
	clause := len(words) > 3 && words[0].low != "am" &&
		(firstPerson[words[1].low] && !politeModals[words[0].low] || words[0].low == "when" || words[0].low == "can't")
	if asks || len(words) == 0 || questionWords[words[0].low] && !clause || in("asksWithoutMark", words) {
		return nil
	}
	return words
}

// politeModals begin a question with "I" or "we" behind them: "can I have wine with it".
var politeModals = set("can may shall should could")

// strip removes what opens a sentence without being part of it: interjections,
// connectors, the name of the listener; and that name at the end.
func strip(words []word, names []string) []word {
	for len(words) > 1 {
		first := words[0]
		switch {
		case interjections[first.low] && (first.ends() || interjections[words[1].low]):
		case vocative(first, names) && first.ends():
		case connectors[first.low] && !gerund(words[1].low):
		case len(words) > 3 && in("byTheWay", words):
			words = words[2:]
		case len(words) > 4 && first.low == "no" && !first.ends() && firstPerson[words[1].low]: // "no I moved to Hamburg"
		case len(words) > 3 && (first.low == "nah" || first.low == "actually" && firstPerson[words[1].low]):
		case len(words) > 3 && interjections[first.low] && (words[1].low == "though" || words[1].low == "then"):
			words = words[1:]
		case interjections[first.low] && vocative(words[1], names) && words[1].ends():
			words = words[1:]
		default:
			return stripEnd(words, names)
		}
		words = words[1:]
	}
	return words
}

func stripEnd(words []word, names []string) []word {
	for last := len(words) - 1; last > 0 && jest[words[last].low] && !words[last-1].ends(); last-- {
		words = slices.Clone(words[:last])
		words[last-1].post = "."
	}
	if last := len(words) - 1; last > 1 && strings.Contains(words[last-1].post, ",") &&
		(vocative(words[last], names) || interjections[words[last].low]) {
		words = words[:last]
		words[last-1].post = "."
	}
	return words
}

// vocative reports whether a word is the name of somebody in the conversation
// or a short form of it.
func vocative(w word, names []string) bool {
	if len(w.low) < 2 || !named(w) {
		return false
	}
	for _, n := range names {
		if n = strings.ToLower(n); n == w.low || len(w.low) >= 2 && strings.HasPrefix(n, w.low) {
			return true
		}
	}
	return false
}
