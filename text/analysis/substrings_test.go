package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/text/analysis"
)

func TestSubstrings(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                       nil,
		"Where is vat_rate_bp set?":              {"vat_rate_bp"},
		"see a.b/c, then v1.2.3 (or #1234).":     {"a.b/c", "v1.2.3", "#1234"},
		"ERR-42 and err-42!":                     {"ERR-42"},
		"open /etc/hosts or ~/x.txt":             {"open", "/etc/hosts", "~/x.txt"},
		`"C:\temp" and ../top`:                   {`C:\temp`, "/top"},
		"mail ann@example.com; ok?":              {"mail", "ann@example.com"},
		"[link](https://a.io/b?c=d&e=1).":        {"link", "https://a.io/b?c=d&e=1"},
		"c++ and C# at 404":                      {"c++", "404"},
		"claude-code is well-known":              {"claude-code", "claude", "code", "well-known", "well", "known"},
		"and/or him/her":                         nil,
		"My sister's **bold** cat":               {"sister", "bold"},
		"Café…naïve—rest":                        {"café", "naïve", "rest"},
		"東京タワーに行った。Go1.26を使う":                    {"東京タワーに行った", "Go1.26", "を使う"},
		"猫が 好き":                                  nil,
		"Sister sister SISTER":                   {"sister"},
		"-----":                                  nil,
		"isFeatureEnabled()":                     {"isfeatureenabled"},
		strings.Repeat("x1", 200) + " remembers": {"remembers"},
	} {
		if got := analysis.Substrings(text); !slices.Equal(got, want) {
			t.Errorf("Substrings(%q) = %q, want %q", text, got, want)
		}
	}
}
