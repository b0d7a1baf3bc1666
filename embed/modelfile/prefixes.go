package modelfile

import "strings"

// knownPrefixes are the prefixes that models were trained with according to their model cards. A
// model is recognised by a part of its name.
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

// KnownPrefixes returns the prefixes of questions and documents for a model of this name, "" if
// they are not known.
func KnownPrefixes(model string) (query, document string) {
	model = strings.ToLower(model)
	for _, k := range knownPrefixes {
		// Instruction-tuned models expect a task instead of a prefix.
		if strings.Contains(model, k.name) && !strings.Contains(model, "instruct") {
			return k.query, k.document
		}
	}
	return "", ""
}
