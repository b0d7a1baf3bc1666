package modelfile

import "testing"

func TestKnownPrefixes(t *testing.T) {
	for name, want := range map[string][2]string{
		"intfloat/Multilingual-E5-small": {"query: ", "passage: "},
		"bge-small-en-v1.5":              {bgeQuery, ""}, "bge-m3": {}, "multilingual-e5-large-instruct": {}, "": {},
	} {
		if query, document := KnownPrefixes(name); [2]string{query, document} != want {
			t.Errorf("%s: %q, %q, want %q", name, query, document, want)
		}
	}
}
