package memory

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Token is a secret by which a client proves over the network which agent it
// speaks for. The secret itself is not kept, only its SHA-256.
type Token struct {
	ID        string
	Agent     string
	Hash      []byte   // SHA-256 of the secret, 32 bytes
	Projects  []string // projects that it is restricted to; empty is no restriction
	ReadOnly  bool
	Operator  bool // it opens no bank, but may read how all banks are doing; never with Projects
	CreatedAt time.Time
	ExpiresAt time.Time // zero is never
	RevokedAt time.Time // zero is not revoked
}

// Validate reports the first thing that is wrong with a token about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (t Token) Validate() error {
	if t.Operator && len(t.Projects) > 0 {
		return Errorf(CodeInvalidArgument, "projects are not for an operator's token, which opens none").
			WithHint("leave one of the two out")
	}
	if len(t.Projects) > MaxTags {
		return Errorf(CodeTooLarge, "projects has %d elements, at most %d are allowed", len(t.Projects), MaxTags)
	}
	for _, p := range t.Projects {
		if p == AllProjects || strings.TrimSpace(p) == "" {
			return Errorf(CodeInvalidArgument, "projects has %q, which is not the name of one", p).
				WithHint("leave projects out for all of them")
		}
		if err := CheckLine("projects", p, MaxNameBytes); err != nil {
			return err
		}
	}
	if !t.ExpiresAt.IsZero() && !t.ExpiresAt.After(t.CreatedAt) {
		return Errorf(CodeInvalidArgument, "expires is in the past").WithHint("a duration such as 720h, or a date to come")
	}
	return nil
}

// Valid reports whether the token may be used at a time.
func (t Token) Valid(now time.Time) bool {
	return t.RevokedAt.IsZero() && (t.ExpiresAt.IsZero() || now.Before(t.ExpiresAt))
}

// Allows reports whether the token's restriction to projects, if it has one, lets project be
// written. A restricted token never allows "", the project of global memories.
func (t Token) Allows(project string) bool {
	return len(t.Projects) == 0 || slices.Contains(t.Projects, project)
}

// TokenStore keeps the tokens of all agents. Unlike everything else they are
// found without knowing the agent: that is what they are for.
type TokenStore interface {
	// InsertToken stores a new token.
	InsertToken(ctx context.Context, t Token) error
	// TokenByHash returns the token with that hash, whether it may be used or
	// not; [CodeNotFound] if there is none.
	TokenByHash(ctx context.Context, hash []byte) (Token, error)
	// Tokens returns the tokens of an agent, or of all for "", oldest first.
	Tokens(ctx context.Context, agent string) ([]Token, error)
	// RevokeToken ends a token. One that was revoked keeps its first time.
	// [CodeNotFound] if the agent has none with that id.
	RevokeToken(ctx context.Context, agent, id string, at time.Time) error
	// HasTokens reports whether there was ever a token. It is cheap.
	HasTokens(ctx context.Context) (bool, error)
}
