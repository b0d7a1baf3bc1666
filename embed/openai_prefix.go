package embed

import "mcp-memory/embed/modelfile"

// prefixes returns the prefixes to use for queries and documents of a model: those given, for an
// empty one the known one, and for [NoPrefix] none.
func prefixes(model, query, document string) (string, string) {
	knownQuery, knownDocument := modelfile.KnownPrefixes(model)
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
