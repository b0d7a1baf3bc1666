package tools

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"mcp-memory/memory"
)

// called are the tools of the services that [newRig] has.
func called(f Fleet) []Spec {
	without := []string{selfCareSpec.Name, neuralLinkSpec.Name, recordLearningSpec.Name}
	return slices.DeleteFunc(f.Specs(), func(s Spec) bool {
		return s.Group != Core || slices.Contains(without, s.Name)
	})
}

// FuzzCall calls the concrete tools over a real database with whatever comes:
// they answer with what fits their schema, or with an error that is the
// caller's.
func FuzzCall(f *testing.F) {
	r := newRig(f)
	specs := called(r.fleet)
	byName := map[string]uint8{}
	for i, s := range specs {
		byName[s.Name] = uint8(i)
	}
	for _, test := range refusals {
		f.Add(byName[test.tool], []byte(test.args))
	}
	for _, seed := range [][2]string{
		{"memory_save",
			`{"content":"Ann lives in Oslo.","category":"identity","importance":"0.9","tags":"home","project":"","occurred_at":"2026-03-01","valid_from":"2026-03-01T09:00","valid_until":"2027-01-01","source":"user","pinned":true,"external_id":"e","metadata":{"a":[1]},"idempotency_key":"k"}`},
		{"memory_recall",
			`{"query":"\"a\" AND b*","categories":["identity"],"kinds":["fact","turn"],"tags":["home"],"project":"*","since":"2020-01-01","until":"2030-01-01","as_of":"2026-05-01","known_at":"2026-05-01","now":"2026-05-01","limit":100,"max_tokens":1,"min_score":0.1,"explain":true,"include_archived":true}`},
		{"memory_search",
			`{"query":"東京 🦜 \u202e","in":["memories","conversations"],"kinds":"fact","speaker":"Ann","session":"s","limit":"1"}`},
		{"add_to_longterm_memory", `{"content":"It went well.","participants":["Ann",""],"outcome":"done","emotional_valence":-1}`},
		{"memory_get", `{"ids":["a",""]}`},
		{"memory_update",
			`{"id":"a","content":"b","category":"c","importance":0,"tags":[],"valid_until":"2026-01-01","pinned":"false","metadata":{}}`},
		{"memory_forget", `{"query":"Oslo","project":"*","reason":"r","dry_run":true}`},
	} {
		f.Add(byName[seed[0]], []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, tool uint8, args []byte) {
		spec := specs[int(tool)%len(specs)]
		data, text, err := r.fleet.Call(context.Background(), spec.Name, json.RawMessage(args))
		if err != nil {
			if code := memory.CodeOf(err); code == memory.CodeInternal || code == memory.CodeUnavailable || !utf8.ValidString(err.Error()) {
				t.Fatalf("%s %q: %v", spec.Name, args, err)
			}
			return
		}
		if text == "" || !utf8.ValidString(text) {
			t.Fatalf("%s %q: the text is %q", spec.Name, args, text)
		}
		fits(t, r.fleet.outputSchema(spec.Name), data)
	})
}
