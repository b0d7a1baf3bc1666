package sqlite

import (
	"context"
	"database/sql"
	"time"

	"mcp-memory/memory"
)

const tokenColumns = `agent, id, hash, projects, read_only, created_at, expires_at, revoked_at`

func scanToken(rows *sql.Rows) (t memory.Token, err error) {
	err = rows.Scan(&t.Agent, &t.ID, &t.Hash, fromJSON(&t.Projects), &t.ReadOnly, fromMicros(&t.CreatedAt), fromMicros(&t.ExpiresAt), fromMicros(&t.RevokedAt))
	return t, ofRow(err, "token", t.ID)
}

// InsertToken implements [memory.TokenStore].
func (s *Store) InsertToken(ctx context.Context, t memory.Token) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		return w.exec(ctx, `INSERT INTO tokens (`+tokenColumns+`) VALUES (`+placeholders(8)+`)`,
			t.Agent, t.ID, t.Hash, jsonList(t.Projects), t.ReadOnly, micros(t.CreatedAt), micros(t.ExpiresAt), micros(t.RevokedAt))
	}))
}

const tokenByHash = `SELECT ` + tokenColumns + ` FROM tokens WHERE hash = ?`

// TokenByHash implements [memory.TokenStore].
func (s *Store) TokenByHash(ctx context.Context, hash []byte) (memory.Token, error) {
	found, err := queryOne(ctx, s.read, scanToken, tokenByHash, hash)
	t, err := orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no such token"))
	return t, explain(err)
}

// Tokens implements [memory.TokenStore].
func (s *Store) Tokens(ctx context.Context, agent string) ([]memory.Token, error) {
	found, err := queryAll(ctx, s.read, scanToken,
		`SELECT `+tokenColumns+` FROM tokens WHERE ?1 = '' OR agent = ?1 ORDER BY created_at, id`, agent)
	return found, explain(err)
}

// RevokeToken implements [memory.TokenStore].
func (s *Store) RevokeToken(ctx context.Context, agent, id string, at time.Time) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		found, err := queryOne(ctx, w, scanToken, `SELECT `+tokenColumns+` FROM tokens WHERE agent = ? AND id = ?`, agent, id)
		t, err := orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no token %q of agent %s", id, agent).WithHint("`mcp-memory token list` shows ids"))
		if err != nil || !t.RevokedAt.IsZero() {
			return err
		}
		return w.exec(ctx, `UPDATE tokens SET revoked_at = ? WHERE agent = ? AND id = ?`, micros(at), agent, id)
	}))
}

// HasTokens implements [memory.TokenStore].
func (s *Store) HasTokens(ctx context.Context) (has bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM tokens)`).Scan(&has)
	return has, explain(err)
}
