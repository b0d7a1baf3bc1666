package modelfile

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
	{"bge-small-en", bgeQuery, ""},
	{"bge-base-en", bgeQuery, ""},
	{"bge-large-en", bgeQuery, ""},
}

const bgeQuery = "Represent this sentence for searching relevant passages: "

// KnownPrefixes returns what is put before questions and documents for a model of
// this name, as far as that is known.
func KnownPrefixes(model string) (query, document string) {
	model = strings.ToLower(model)
	for _, k := range knownPrefixes {
		// Models tuned to instructions take a task in place of a prefix.
		if strings.Contains(model, k.name) && !strings.Contains(model, "instruct") {
			return k.query, k.document
		}
	}
	return "", ""
}
