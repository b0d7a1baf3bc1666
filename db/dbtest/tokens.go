package dbtest

import (
	"bytes"
	"crypto/sha256"
	"reflect"
	"testing"

	"mcp-memory/memory"
)

var tokenTests = map[string]func(*testing.T, *env){
	"round trip": tokenRoundTrip,
	"revoked":    revokedToken,
	"by agent":   tokensByAgent,
}

// token makes a token of the usual agent, changed by edits.
func (e *env) token(secret string, edits ...func(*memory.Token)) memory.Token {
	hash := sha256.Sum256([]byte(secret))
	t := memory.Token{ID: e.ids.New(), Agent: agent, Hash: hash[:], CreatedAt: e.clock()}
	for _, edit := range edits {
		edit(&t)
	}
	return t
}

func (e *env) admit(t *testing.T, tokens ...memory.Token) {
	t.Helper()
	for _, token := range tokens {
		if err := e.InsertToken(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
}

func tokenRoundTrip(t *testing.T, e *env) {
	if has, err := e.HasTokens(t.Context()); has || err != nil {
		t.Errorf("an empty store has tokens: %v, %v", has, err)
	}
	plain := e.token("one")
	full := e.token("two", func(t *memory.Token) {
		t.Projects, t.ReadOnly, t.ExpiresAt, t.RevokedAt = []string{"a", "größe"}, true, day(3), day(2)
	})
	operator := e.token("three", func(t *memory.Token) { t.Operator = true })
	e.admit(t, plain, full, operator)
	e.reopen(t, Fingerprint)
	for _, want := range []memory.Token{plain, full, operator} {
		got, err := e.TokenByHash(t.Context(), want.Hash)
		if !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
		}
	}
	_, err := e.TokenByHash(t.Context(), bytes.Repeat([]byte{7}, sha256.Size))
	wantCode(t, err, memory.CodeNotFound)
	if has, err := e.HasTokens(t.Context()); !has || err != nil {
		t.Errorf("a store with tokens has none: %v, %v", has, err)
	}
	if err := e.InsertToken(t.Context(), e.token("one")); err == nil {
		t.Error("two tokens have the same hash")
	}
}

func revokedToken(t *testing.T, e *env) {
	token, other := e.token("one"), e.token("two")
	e.admit(t, token, other)
	wantCode(t, e.RevokeToken(t.Context(), "bob", token.ID, day(1)), memory.CodeNotFound)
	wantCode(t, e.RevokeToken(t.Context(), agent, e.ids.New(), day(1)), memory.CodeNotFound)
	for _, at := range []int{1, 2} {
		if err := e.RevokeToken(t.Context(), agent, token.ID, day(at)); err != nil {
			t.Fatal(err)
		}
	}
	token.RevokedAt = day(1)
	for _, want := range []memory.Token{token, other} {
		if got, err := e.TokenByHash(t.Context(), want.Hash); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
		}
	}
	if has, err := e.HasTokens(t.Context()); !has || err != nil {
		t.Errorf("a revoked token does not count: %v, %v", has, err)
	}
}

func tokensByAgent(t *testing.T, e *env) {
	first, bobs, second := e.token("one"), e.token("two", func(t *memory.Token) { t.Agent = "bob" }), e.token("three")
	e.admit(t, second, bobs, first)
	for who, want := range map[string][]memory.Token{agent: {first, second}, "bob": {bobs}, "": {first, bobs, second}, "carol": nil} {
		if got, err := e.Tokens(t.Context(), who); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("tokens of %q: got %+v, %v\nwant %+v", who, got, err, want)
		}
	}
}
