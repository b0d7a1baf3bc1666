package secrets_test

import (
	"strings"
	"testing"

	"mcp-memory/text/secrets"
)

func TestRedact(t *testing.T) {
	const key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	for text, want := range map[string]string{
		"go test ./...": "go test ./...",
		"git clone https://x:" + key + "@host/r.git a": "git clone [secret] a",
		"TOKEN=" + key + " make deploy":                "TOKEN=[secret] make deploy",
		"one\nexport T=" + key + "\nthree":             "one\nexport T=[secret]\nthree",
	} {
		got := secrets.Redact(text)
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if strings.Contains(got, key) || secrets.Find(got) != "" {
			t.Errorf("%q still holds a secret", got)
		}
	}
	many := strings.Repeat("word ", 100) + key
	if got := secrets.Redact(many); strings.Contains(got, key) {
		t.Errorf("%q", got)
	}
}
