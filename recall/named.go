package recall

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/gloss"
	"mcp-memory/text/slots"
)

// A question may name what only an earlier version of a fact says: "When did I move to
// Lugano?", after "I moved to Trieste in 2023". Then that version is asked for, and the
// newest is no answer, unless yes or no is: "Do I still live in Lugano?"

// namedBy returns the stems of a question's names and numbers, which may name an earlier version;
// text is the question without its times. There are none if the question asks for yes or no, for
// what was before something or took its place, or if the filter is for a moment. The user's own
// names are left out.
func (q *question) namedBy(text string) []string {
	if q.asks.YesNo || q.asks.Until != "" || asksSuccessor.MatchString(text) || !q.Filter.AsOf.IsZero() || !q.Filter.KnownAt.IsZero() {
		return nil
	}
	names := append(analysis.Content(strings.Join(namesIn(text), " ")), numbers(text)...)
	if !strings.ContainsFunc(text, unicode.IsUpper) { // written in small letters: any word may be a name
		names = analysis.Content(text)
	}
	return slices.DeleteFunc(names, func(stem string) bool { return slices.Contains(q.userStems, stem) })
}

// asksSuccessor recognises a question about what took the place of what it names.
var asksSuccessor = regexp.MustCompile(`(?i)\b(replac\w+|instead|after|succe\w+|(took|take|taken|taking) over|(switch|mov|chang)\w* ((to|away) )?from|nach|statt|anstelle|nachfolg\w+|ersetz\w*|ablöst?e?|après|remplac\w+|después|reemplaz\w+)\b`)

// versionNames are the stems of the names and numbers of a record that may tell it from
// other versions.
type versionNames struct {
	values   []string // of what it says: "Lugano" of "Anna lives in Lugano"
	subjects []string // of whom it says it, where a sentence begins with that
}

// withoutUnnamed leaves out superseded records, if they were searched only for the names in the
// question (q.onlyNamed). One that has such a name that its successor has not stays; one whose
// successor is not in the list, and may be forgotten, does not.
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

// named reports whether the question names version c, and not the other: it has a name of c that the
// other lacks and has another name in place of ("Lugano", where the other has "Trieste"). Names
// of subjects count only where both say the same sort of thing of different ones: "Ruben cuts
// the hedge", and "Ida cuts the hedge" now.
func (q *question) named(c, other *candidate) bool {
	if c == other {
		return false
	}
	mine, theirs := q.namesOf(c), q.namesOf(other)
	return q.setsApart(mine.values, c, theirs.values, other) ||
		q.setsApart(mine.subjects, c, theirs.subjects, other) && q.sameOfOthers(c, other)
}

// sameOfOthers reports whether two records fill the same slot for different subjects: both say who
// cuts the hedge.
func (q *question) sameOfOthers(a, b *candidate) bool {
	return slices.ContainsFunc(q.saidBy(a), func(s slots.Statement) bool {
		return s.Slot() && slices.ContainsFunc(q.saidBy(b), func(o slots.Statement) bool {
			return s.Subject != o.Subject && s.Attribute == o.Attribute && s.Topic == o.Topic
		})
	})
}

// setsApart reports whether one of c's names is in the question and not in the other record, which has
// a rival of it instead: a name, or for a number a number, that c has not.
func (q *question) setsApart(names []string, c *candidate, rivals []string, other *candidate) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(q.names, name) && other.counted()[name] == 0 && slices.ContainsFunc(rivals, func(rival string) bool {
			return isNumber(rival) == isNumber(name) && c.counted()[rival] == 0
		})
	})
}

// namesOf returns the names of a record; it reads them once. In another language than English, such
// as German, where any noun has a capital, only words that are read as a value count.
func (q *question) namesOf(c *candidate) *versionNames {
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
	c.names = &versionNames{}
	if gloss.Language(text) == "" {
		inside, first := capitals(text)
		read := values
		values = append(analysis.Content(strings.Join(inside, " ")), numbers(text)...)
		for _, stem := range analysis.Content(strings.Join(first, " ")) {
			switch {
			case slices.Contains(of, stem):
				c.names.subjects = append(c.names.subjects, stem)
			case slices.Contains(read, stem): // "Jana is our team lead"
				values = append(values, stem)
			}
		}
	}
	c.names.values = slices.DeleteFunc(values, func(stem string) bool { return slices.Contains(of, stem) })
	return c.names
}

// numbers returns the stems of a text that are digits alone.
func numbers(text string) []string {
	return slices.DeleteFunc(analysis.Content(text), func(stem string) bool { return !isNumber(stem) })
}

func isNumber(stem string) bool { return strings.Trim(stem, digits) == "" }
