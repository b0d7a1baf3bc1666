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

func TestRedactOutput(t *testing.T) {
	token := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	for text, want := range map[string]string{
		"pwd && ls":                                     "pwd && ls",
		"Setting up nodejs (18.19.0) ...":               "Setting up nodejs (18.19.0) ...",
		"ok\n" + token + "\nend":                        "ok\n[secret]\nend",
		"curl -H 'Authorization: Bearer " + token + "'": "curl -H 'Authorization: Bearer [secret]",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----\nrest": "[secret]\nrest",
		"-----BEGIN PRIVATE KEY-----\nMIIEow":                                               "[secret]",
		"commit 3f2a9c1d0b7e4a5f6c8d9e0f1a2b3c4d5e6f7a8b":                                   "commit 3f2a9c1d0b7e4a5f6c8d9e0f1a2b3c4d5e6f7a8b",
		"aws sso login --profile staging":                                                   "aws sso login --profile staging",
		"":                                                                                  "",
	} {
		if got := secrets.RedactOutput(text); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
	for _, leaks := range []string{"PGPASSWORD=hunter2zz9 psql -h db", "export API_KEY=sk-abcdefgh12345678ijklmnop90",
		"postgres://bob:hunter2zz@db/x", "docker login -u ci -p hunter2zz registry.example.test", "mysql -uroot -phunter2zz shop",
		"curl -u bob:hunter2zz https://x.test", "sshpass -p 'hunter2zz' ssh x",
		"aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY1"} {
		if got := secrets.RedactOutput(leaks); strings.Contains(got, "hunter2") || strings.Contains(got, "sk-abc") ||
			strings.Contains(got, "wJalr") {
			t.Errorf("%q became %q", leaks, got)
		}
	}
}

// A long line is not tried word by word.
func TestRedactLeavesNothingOfALongLine(t *testing.T) {
	line := "password=hunter2xy9 " + strings.Repeat(strings.Repeat("a", 1000)+" ", 20)
	if got := secrets.RedactOutput("before\n" + line + "\nbehind"); got != "before\n[secret]\nbehind" {
		t.Errorf("%.100q", got)
	}
}
