package analysis

import (
	"slices"
	"testing"
)

func TestTelling(t *testing.T) {
	for text, want := range map[string][]string{
		"Ich bin nach Bremen gezogen":                    {"bremen", "gezogen"},
		"Meine Tochter hat jetzt mit dem Cello begonnen": {"tochter", "cello", "begonnen"},
		"J'ai déménagé à Nantes avec mes enfants":        {"demenag", "nant", "enfant"},
		"Ahora vivo en Bilbao con mi hermana":            {"vivo", "bilbao", "hermana"},
		"The war museum has a hat of my son":             {"war", "museum", "hat", "son"},
		"The bin men die":                                {"bin", "men", "die"},
		"Ich nicht":                                      {"ich", "nicht"},
		"":                                               nil,
	} {
		if got := Telling(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
