package contextwindow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

// shareName reports whether a record names a person or thing that a query names too, such as
// "Jana". A word is a name if the record writes it with a capital letter, and at least one of the
// two texts does so inside of a sentence, where other words have none. Days and months are no
// names.
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

// eachWord calls tell with every word of a text that may be a name, in lower case: not with stop
// words, words of the calendar and single characters. capital says that the word begins with a
// capital letter, inside that it does so and is not the first of its sentence.
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
