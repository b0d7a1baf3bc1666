package recall

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/gloss"
)

// A question may name what only an earlier version of a fact says: "When did I move to
// Lugano?", after "I moved to Trieste in 2023". Then that version is asked for, and the
// newest is no answer, unless yes or no is: "Do I still live in Lugano?"

// versionNames returns the stems of a question that may name an earlier version: of its
// names and its numbers that are no time, where it asks neither yes or no nor for what was
// before something or came after it, nor the filter for a moment. The user's own are no
// others'.
func (q *question) versionNames(text string) []string {
	if q.asks.YesNo || q.asks.Until != "" || asksSuccessor.MatchString(text) || !q.Filter.AsOf.IsZero() || !q.Filter.KnownAt.IsZero() {
		return nil
	}
	names := append(analysis.Content(strings.Join(namesIn(text), " ")), numbers(text)...)
	if !strings.ContainsFunc(text, unicode.IsUpper) { // any word may be one
		names = analysis.Content(text)
	}
	return slices.DeleteFunc(names, func(stem string) bool { return slices.Contains(q.userStems, stem) })
}

// asksSuccessor recognises a question about what took the place of what it names.
var asksSuccessor = regexp.MustCompile(`(?i)\b(replac\w+|instead|after|since|succe\w+|(took|take|taken|taking) over|(switch|mov|chang)\w* ((to|away) )?from|nach|seit|statt|anstelle|nachfolg\w+|ersetz\w*|ablöst?e?|après|depuis|remplac\w+|después|desde|reemplaz\w+)\b`)

// namesAndNumbers returns the stems of the names inside of the sentences of a text, and of
// its numbers.
func namesAndNumbers(text string) []string {
	names, _ := capitals(text)
	return append(analysis.Content(strings.Join(names, " ")), numbers(text)...)
}

func numbers(text string) []string {
	return slices.DeleteFunc(analysis.Content(text), func(stem string) bool { return !isNumber(stem) })
}

// withoutUnnamed leaves out what was gathered for the names of the question alone and is
// superseded, but for what has such a name that its successor has not. Without that one,
// which may be forgotten, it stays out.
func (q *question) withoutUnnamed(list []*candidate) []*candidate {
	if !q.onlyNamed {
		return list
	}
	known := map[string]*candidate{}
	for _, c := range list {
		known[c.ID] = c
	}
	return slices.DeleteFunc(list, func(c *candidate) bool {
		successor := known[c.SupersededBy]
		return c.Corpus == memory.Memories && c.SupersededBy != "" && (successor == nil || !q.named(c, successor))
	})
}

// named reports whether the question names what a version says and another has not, which
// says something of its kind instead: "Lugano", and the other "Trieste".
func (q *question) named(c, other *candidate) bool {
	return c != other && slices.ContainsFunc(q.namesOf(c), func(name string) bool {
		return slices.Contains(q.names, name) && other.counted()[name] == 0 && slices.ContainsFunc(q.namesOf(other), func(rival string) bool {
			return isNumber(rival) == isNumber(name) && c.counted()[rival] == 0
		})
	})
}

// namesOf returns the stems of the names and numbers that a record says, but for those of
// whom or what it says them: "Lugano" of "Anna lives in Lugano". Where any noun has a
// capital, only those of what is read as a value count.
func (q *question) namesOf(c *candidate) []string {
	if c.names != nil {
		return c.names
	}
	text, said := beginning(c.Content, readable), q.saidBy(c)
	var values, of []string
	for _, s := range said {
		if s.Attribute != "" {
			values = append(values, strings.Fields(s.Norm)...)
		}
		of = append(of, analysis.Content(s.Subject)...)
	}
	for _, s := range said { // "My boss is Petra Vos, she came from Philips": a name of whom it is about, and said
		of = append(of, slices.DeleteFunc(analysis.Content(s.Alias), func(stem string) bool { return slices.Contains(values, stem) })...)
	}
	if gloss.Language(text) == "" {
		values = namesAndNumbers(text)
	}
	c.names = slices.DeleteFunc(append([]string{}, values...), func(stem string) bool { return slices.Contains(of, stem) })
	return c.names
}

func isNumber(stem string) bool { return strings.Trim(stem, digits) == "" }
