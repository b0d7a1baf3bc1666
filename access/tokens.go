package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Prefix begins every secret, so that scanners for leaked secrets find it.
const Prefix = "mcpm_"

// secretBytes is the number of random bytes in a secret.
const secretBytes = 32

// Service makes and identifies tokens. Safe for concurrent use.
type Service struct {
	store    memory.TokenStore
	verifier Verifier // nil if there is no other issuer
	clock    memory.Clock
	ids      *memory.IDs
	note     Note // nil if none is kept
}

// Note is a note outside of the database that tokens were made. Without it, a server whose database
// was lost would require no tokens and be open to everybody.
type Note interface {
	// Noted reports whether the note was written.
	Noted() bool
	// Note writes the note. It is never removed.
	Note() error
}

// KeepNote sets the note that the service writes and heeds. Nil, the initial value, is none. It
// must not be called while the service is in use.
func (s *Service) KeepNote(n Note) { s.note = n }

// New makes the service. verifier, which may be nil, verifies tokens that do not begin with
// [Prefix].
func New(store memory.TokenStore, verifier Verifier, clock memory.Clock, ids *memory.IDs) *Service {
	return &Service{store: store, verifier: verifier, clock: clock, ids: ids}
}

// Request describes a new token.
type Request struct {
	Agent     string
	Projects  []string // the only projects it is for; none is all
	ReadOnly  bool
	Operator  bool      // for the state of all banks, without access to any
	ExpiresAt time.Time // zero is never
}

// Create makes a token and returns it with its secret, which is not stored. A request that is not
// valid is [memory.CodeInvalidArgument] or [memory.CodeTooLarge]. Other errors are those of the
// store and of the note.
func (s *Service) Create(ctx context.Context, r Request) (memory.Token, string, error) {
	if err := memory.CheckAgent(r.Agent); err != nil {
		return memory.Token{}, "", err
	}
	projects := make([]string, len(r.Projects))
	for i, name := range r.Projects {
		var err error
		if projects[i], err = memory.NormalProject(name); err != nil {
			return memory.Token{}, "", err
		}
	}
	random := make([]byte, secretBytes)
	rand.Read(random) // never fails, see crypto/rand
	secret := Prefix + base64.RawURLEncoding.EncodeToString(random)
	hash := sha256.Sum256([]byte(secret))
	t := memory.Token{
		ID: s.ids.New(), Agent: r.Agent, Hash: hash[:], Projects: projects, ReadOnly: r.ReadOnly, Operator: r.Operator,
		CreatedAt: s.clock(), ExpiresAt: r.ExpiresAt,
	}
	if err := t.Validate(); err != nil {
		return memory.Token{}, "", err
	}
	if s.note != nil { // before the token: should the next step fail, the server is closed
		if err := s.note.Note(); err != nil {
			return memory.Token{}, "", err
		}
	}
	return t, secret, s.store.InsertToken(ctx, t)
}

// List returns the tokens of an agent, or of all agents for "", oldest first.
func (s *Service) List(ctx context.Context, agent string) ([]memory.Token, error) {
	return s.store.Tokens(ctx, agent)
}

// Revoke ends a token of any agent at once. [memory.CodeNotFound] if there is none with that id.
func (s *Service) Revoke(ctx context.Context, id string) (memory.Token, error) {
	all, err := s.store.Tokens(ctx, "")
	if err != nil {
		return memory.Token{}, err
	}
	for _, t := range all {
		if t.ID == id {
			return t, s.store.RevokeToken(ctx, t.Agent, id, s.clock())
		}
	}
	return memory.Token{}, memory.Errorf(memory.CodeNotFound, "there is no token %q", id).WithHint("`mcp-memory token list` shows ids")
}

// Required reports whether requests need a token: if there are or ever were tokens, by the database
// or the note, or if another issuer is configured. So neither revoking the last token nor losing
// the database opens the server.
func (s *Service) Required(ctx context.Context) (bool, error) {
	if s.verifier != nil {
		return true, nil
	}
	has, err := s.store.HasTokens(ctx)
	if err != nil || s.note == nil {
		return has, err
	}
	noted := s.note.Noted()
	if has && !noted { // tokens of a version that wrote no note, or from a backup
		_ = s.note.Note() // if it cannot be written, the database still has the tokens
	}
	return has || noted, nil
}

// refused does not say what is wrong with a token, because that would only help an attacker.
func refused() error {
	return memory.Errorf(memory.CodeForbidden, "the token is not valid").WithHint("it may be unknown, expired or revoked")
}

// Identify returns the identity of a secret. [memory.CodeForbidden] if it is not valid, or no
// longer, [memory.CodeUnavailable] if that cannot be decided.
func (s *Service) Identify(ctx context.Context, secret string) (Identity, error) {
	if !strings.HasPrefix(secret, Prefix) {
		if s.verifier == nil {
			return Identity{}, refused()
		}
		identity, expires, err := s.verifier.Verify(ctx, secret)
		if err == nil && !s.clock().Before(expires) {
			err = refused()
		}
		return identity, err
	}
	hash := sha256.Sum256([]byte(secret))
	t, err := s.store.TokenByHash(ctx, hash[:])
	switch {
	case memory.CodeOf(err) == memory.CodeNotFound:
		return Identity{}, refused()
	case err != nil:
		return Identity{}, err
	case subtle.ConstantTimeCompare(t.Hash, hash[:]) != 1, !t.Valid(s.clock()):
		return Identity{}, refused()
	}
	return Identity{Agent: t.Agent, Token: t.ID, Projects: t.Projects, ReadOnly: t.ReadOnly, Operator: t.Operator}, nil
}

func list(names []string) string { return strings.Join(names, ", ") }
