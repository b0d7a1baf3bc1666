package slots

import (
	"slices"
	"testing"
)

func TestTopics(t *testing.T) {
	for text, want := range map[string][]string{
		"New SIM, my phone number is 0151 9940.": {"phone", "phone_number"},
		"Moved to Porto":                         {"home"},
		"podman everywhere":                      {"container_engine"},
		"The moon is full.":                      nil,
		"":                                       nil,
	} {
		got := Topics(text)
		for _, id := range want {
			if !slices.Contains(got, id) {
				t.Errorf("%q: %q", text, got)
			}
		}
		if (len(want) == 0) != (len(got) == 0) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func BenchmarkTopics(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		Topics(benchTexts[i%len(benchTexts)])
	}
}
