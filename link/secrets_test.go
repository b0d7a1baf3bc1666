package link

import (
	"encoding/json"
	"strings"
	"testing"

	"mcp-memory/memory"
)

func TestSecretsAreFound(t *testing.T) {
	long := strings.Repeat("aB3", 20)
	for _, content := range []string{
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", "AKI" + "A" + strings.Repeat("Q7", 8), "the key gh" + "p_" + long, "use sk" + "-proj-" + long,
		"xox" + "b-1234567890-abcdef", "ey" + "JhbGciOiJI.ey" + "JzdWIiOiIx.c2ln", "postgres://bob:hunter2@db.example/shop", "Authorization: Bearer abc123def456",
		"The API key is 9f8e7d6c5b4a", `{"api_key": "9f8e7d6c5b4a"}`, "client secret = 8c7a6f5e-1234", "The wifi password is swordfish.", "Password: correct horse",
		"password for the staging server bob@db is hunter2", "passwd=x9!k", "Das Passwort lautet Sesam", "Le mot de passe est Sésame", "La contraseña es hola123",
		"Пароль: кошка", "密码是abc123", "パスワードは hunter2 です", "My PIN is 4711", "the door pin code: 90210", "CVV 2 of the card is 123",
		"The password is not hunter2; the password is hunter3",
	} {
		if !isSecret(memory.Record{Content: content}) {
			t.Errorf("not found: %q", content)
		}
	}
	for name, r := range map[string]memory.Record{
		"category": {Category: "secret"},
		"tag":      {Tags: []string{"x", "SECRET"}},
		"metadata": {Metadata: json.RawMessage(`{"password":"hunter2"}`)},
		"triple":   {KindDetails: memory.KindDetails{Triple: &memory.TripleDetails{Subject: "router", Predicate: "password", Object: "hunter2"}}},
		"steps": {KindDetails: memory.KindDetails{Procedure: &memory.ProcedureDetails{
			Steps: []memory.ProcedureStep{{Action: "log in", ExpectedOutcome: "the password is hunter2"}}}}},
	} {
		if !isSecret(r) {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestOrdinaryTextIsNoSecret(t *testing.T) {
	for _, content := range []string{
		"Ann forgot her password again.", "Passwords are rotated every 90 days.", "The password is stored in the vault.", "The token budget is 128000.",
		"The context window is 200,000 tokens.", "Ann pinned the note.", "The secret of good bread is time.", "The key result is a launch in May.",
		"Bob's token is 12 tokens long", "See https://example.com/a:b@c?d for more.", "Her basic idea works.", "Spain is warm in 2026.", "The access token expires after 3600 s.",
		"Ask-me-anything was on 2026-03-01.", "The company's secret: 2019 was a bad year.", "東京は暑い。",
	} {
		if isSecret(memory.Record{Content: content, Category: "secretary", Tags: []string{"secrets of tea"}}) {
			t.Errorf("found one in %q", content)
		}
	}
}

// Every pattern has strings to look for, in the letters that they are compared in.
func TestPatternsCanBeFound(t *testing.T) {
	for _, p := range knownSecrets().Patterns {
		if len(p.Needs) == 0 {
			t.Errorf("%s is never looked for", p.Name)
		}
		for _, need := range p.Needs {
			if need != strings.ToLower(need) {
				t.Errorf("%s needs %q, which is never there", p.Name, need)
			}
		}
	}
}

func BenchmarkIsSecret(b *testing.B) {
	r := memory.Record{Content: "The deploy script of the shop lives in ops/deploy.sh; it asks for a token and keeps the password in the vault.", Tags: []string{"ops"}}
	for b.Loop() {
		isSecret(r)
	}
}
