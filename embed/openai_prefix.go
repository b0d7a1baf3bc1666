package embed

import "mcp-memory/embed/modelfile"

// prefixes returns the two prefixes to use with a model: the given ones, or
// for an empty one what is known, or for [NoPrefix] none.
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
