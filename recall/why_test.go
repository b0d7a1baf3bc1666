package recall_test

import (
	"math"
	"slices"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
)

// What is said about a score makes it, and nothing in it is unnamed.
func TestWhyAddsUp(t *testing.T) {
	b, all := varied(t, 95)
	asked := append(slices.Clone(questions), all[0].Content, "Where is `"+all[1].Content+"` from?") // also word for word
	for path, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
		parts := map[string]bool{}
		for _, question := range asked {
			for _, r := range ask(t, s, question, func(r *recall.Request) {
				r.Filter, r.Explain = memory.Filter{IncludeArchived: true, IncludeSuperseded: true}, true
			}) {
				strength := 0.0 // of a memory a power of e
				for _, p := range r.Why.Parts {
					strength += p.Value * r.Why.Factor
					parts[p.Name] = true
				}
				strength = math.Exp(strength)
				if math.Abs(strength-r.Why.Strength) > 1e-6*strength || math.Abs(strength/(1+strength)-r.Score) > 1e-9 {
					t.Errorf("%s, %q: %v from %+v", path, question, r.Score, *r.Why)
				}
			}
		}
		for name := range parts {
			if !slices.Contains(recall.PartNames(), name) {
				t.Errorf("%s: the part %s has no place", path, name)
			}
		}
		if len(parts) < 5 || !parts["verbatim"] {
			t.Errorf("%s: only the parts %v", path, parts)
		}
	}
}

// TestEveryPartIsSaidInWords wants whoever asks why to be told of each part of a score.
func TestEveryPartIsSaidInWords(t *testing.T) {
	for _, name := range recall.PartNames() {
		if reasons := render.Reasons(recall.Why{Parts: []recall.Part{{Name: name, Value: 1}}}); len(reasons) != 1 {
			t.Errorf("package render has %d words for the part %s", len(reasons), name)
		}
	}
}
