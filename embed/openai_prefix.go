package embed

import "strings"

// knownPrefixes are what models were trained with, by a part of their names,
// as their model cards say.
var knownPrefixes = []struct{ name, query, document string }{
	{"nomic-embed", "search_query: ", "search_document: "},
	{"embeddinggemma", "task: search result | query: ", "title: none | text: "},
	{"multilingual-e5", "query: ", "passage: "},
	{"e5-small", "query: ", "passage: "},
	{"e5-base", "query: ", "passage: "},
	{"e5-large", "query: ", "passage: "},
}

// prefixes returns the two prefixes to use with a model: the given ones, or
// for an empty one what is known, or for [NoPrefix] none.
func prefixes(model, query, document string) (string, string) {
	model = strings.ToLower(model)
	var knownQuery, knownDocument string
	for _, k := range knownPrefixes {
		// Models tuned to instructions take a task in place of a prefix.
		if strings.Contains(model, k.name) && !strings.Contains(model, "instruct") {
			knownQuery, knownDocument = k.query, k.document
			break
		}
	}
	return choose(query, knownQuery), choose(document, knownDocument)
}

func choose(given, known string) string {
	switch given {
	case "":
		return known
	case NoPrefix:
		return ""
	}
	return given
}
