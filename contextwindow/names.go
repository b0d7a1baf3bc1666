package contextwindow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

// shareName reports whether a record names somebody, or something with a name,
// whom a query names. A name is a word that the record writes with a capital
// letter and that one of the two writes so inside of a sentence, where no other
// word has one. Days and months are no names.
func shareName(query, record string) bool {
	asked := map[string]bool{} // word in lower case → capital inside of a sentence
	eachWord(query, func(word string, _, inside bool) { asked[word] = asked[word] || inside })
	shared := false
	eachWord(record, func(word string, capital, inside bool) {
		insideThere, there := asked[word]
		shared = shared || there && capital && (inside || insideThere)
	})
	return shared
}

// eachWord tells of every word of a text, in lower case, that may be a name:
// whether it begins with a capital letter, and whether it does so behind the
// first word of a sentence.
func eachWord(text string, tell func(word string, capital, inside bool)) {
	for _, sentence := range analysis.Sentences(text) {
		first := true
		words := strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, word := range words {
			low := strings.ToLower(word)
			r, _ := utf8.DecodeRuneInString(word)
			if utf8.RuneCountInString(word) > 1 && !analysis.IsStop(low) && !ofCalendar(low) {
				capital := unicode.IsUpper(r)
				tell(low, capital, capital && !first)
			}
			first = false
		}
	}
}

// ofCalendar reports whether a word has a capital letter in English and yet names
// nobody.
func ofCalendar(word string) bool {
	switch word {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"christmas", "easter":
		return true
	}
	return false
}
