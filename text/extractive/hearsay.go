package extractive

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// quotation is text between quotation marks.
var quotation = lazyregexp.New(`"[^"\n]*"`)

const (
	// quoted stands for a quotation that was taken out.
	quoted = `"…"`
	// minQuoted is how many words a quotation has at least to say something; a
	// shorter one is a title or a word.
	minQuoted = 4
	// nearQuote is how many bytes before or behind a quotation say whose it is.
	nearQuote = 60
)

// passage is a quotation of several lines: it fills them from the first to the last.
var passage = lazyregexp.New(`(?m)^[ \t]*"[^"]{40,}"[ \t.]*$`)

// singleQuoted is a text of some words between single quotation marks, which within a word
// are apostrophes.
var singleQuoted = lazyregexp.New(`(^|[\s(:])['‘]([^'’"\s]+(?:[ ,;:.!?-]+(?:[^'’"\s]|\b['’]\b)+){3,})['’]($|[\s.,;:!?)])`)

// withoutQuotes puts a mark in the place of quotations in which others speak, as they may be
// joking, advertising or wrong: `Ann said "I moved to Rome last year"` becomes `Ann said "…"`. The
// same goes for a quotation in the first person, such as a letter, a line of a play or an example.
// Quotations of the speaker's own words and those of less than minQuoted words stay.
func withoutQuotes(text string) string {
	if !strings.ContainsAny(text, `"“„«”'‘`) {
		return text
	}
	text = singleQuoted().ReplaceAllString(text, `$1"$2"$3`)
	text = passage().ReplaceAllString(quoteMarks.Replace(text), quoted+".")
	var b strings.Builder
	done := 0
	for _, span := range quotation().FindAllStringIndex(text, -1) {
		before := text[max(0, span[0]-nearQuote):span[0]]
		if i := strings.LastIndexAny(before, ".!?\n"); i >= 0 {
			before = before[i+1:]
		}
		behind := text[span[1]:min(len(text), span[1]+nearQuote)]
		if i := strings.IndexAny(behind, ".!?\n"); i >= 0 {
			behind = behind[:i]
		}
		whose := cut(strings.ToValidUTF8(before+" "+behind, ""))
		within := cut(text[span[0]:span[1]])
		titled := slices.ContainsFunc(within[min(1, len(within)):], named) && // "You, Me and Dupree"
			!slices.ContainsFunc(within, func(w word) bool { return w.text == w.low && !analysis.IsStop(w.low) })
		if len(within) < minQuoted || !in("reports", whose) && (titled || !mentions(expand(within), firstPerson)) ||
			in("ownWords", expand(whose)) {
			continue
		}
		b.WriteString(text[done:span[0]] + quoted)
		if done = span[1]; strings.ContainsAny(text[done-2:done-1], ".!?") {
			b.WriteByte('.')
		}
	}
	return b.String() + text[done:]
}

// halfQuoted reports whether a sentence begins or ends within a quotation, which others may have said.
func halfQuoted(text string) bool {
	text = quoteMarks.Replace(text)
	marks := 0
	for i, r := range text {
		if r == '"' && (i == 0 || !strings.ContainsAny(text[i-1:i], "0123456789")) {
			marks++
		}
	}
	return marks%2 == 1
}

var quoteMarks = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// opined reports whether a sentence tells only what somebody says about the world ("my barber says
// cash is dying"): nothing about the user, a person with a name, a day or a number.
func opined(words []word) bool {
	if len(words) > 3 && words[0].low == "some" { // "some people", "some designers"
		if who := words[1].low; who == "people" || who == "folks" || len(who) > 6 && strings.HasSuffix(who, "ers") {
			return true
		}
	}
	if !in("toldBy", words) {
		return false
	}
	return !slices.ContainsFunc(words[2:], func(w word) bool {
		return firstPerson[w.low] || number(w.low) || named(w) || shape(w.text) != "" ||
			lostSubjects[head(w.low)] && w.low != "that" && w.low != "it" && w.low != "there"
	})
}

// jest are the marks of a sentence that is not meant.
var jest = set("lol haha hahaha lmao rofl xd hihi hehe")

// intents are the words of what would be done: with a laugh, it will not be.
var intents = set("could should would might will shall let's lets must need gonna maybe going just imagine thinking considering planning tempted")

// jesting reports whether a sentence laughs at what it proposes. What is told
// with a laugh may well be true.
func jesting(words []word) bool {
	laughs := false
	for _, w := range words[max(0, len(words)-2):] {
		laughs = laughs || jest[w.low] || strings.Contains(w.post, ";)") || strings.Contains(w.post, ";-)") ||
			strings.Contains(w.post, ":P") || strings.Contains(w.post, ":p")
	}
	return laughs && (imperatives[words[0].low] || mentions(words, intents) || in("exaggerated", words))
}

// headed are the lines that a mail begins with.
var headed = lazyregexp.New(`(?mi)^(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|objet|asunto): .+\n(?:(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|objet|asunto): )`)

// withoutHanded returns a message without the text that it hands over to be
// translated, shortened and so on: what stands between quotation marks, or behind
// the colon of the sentence that says so. Nothing in it is about the user.
func withoutHanded(text string) string {
	if span := headed().FindStringIndex(text); span != nil {
		text = text[:span[0]]
	}
	marked := quoteMarks.Replace(text)
	for start := 0; start < len(marked); {
		end := strings.IndexAny(marked[start:], ":?!.\"\n")
		if end < 0 {
			return text
		}
		end += start
		if clause := expand(cut(marked[start:end])); end-start > maxSentenceBytes ||
			!in("handling", clause) && (!in("othersWords", clause) || in("ownWords", clause)) {
			start = end + 1
			continue
		}
		rest := strings.TrimLeft(marked[end:], "?.! \t")
		if strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "\n\n") {
			behind := ""
			if rest = strings.TrimLeft(rest, ": \t\n"); strings.HasPrefix(rest, `"`) { // what follows the quotation, as a paragraph
				_, behind, _ = strings.Cut(rest[1:], "\"\n\n")
			}
			return marked[:start] + " " + behind
		}
		start = end + 1
	}
	return text
}
