package sqlite

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// InsertToken implements [memory.TokenStore].
func (s *Store) InsertToken(ctx context.Context, t memory.Token) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		return w.exec(ctx, `INSERT INTO tokens (`+rows.TokenColumns+`) VALUES (`+rows.Placeholders(rows.Token)+`)`, rows.TokenValues(t)...)
	}))
}

const tokenByHash = `SELECT ` + rows.TokenColumns + ` FROM tokens WHERE hash = ?`

// TokenByHash implements [memory.TokenStore].
func (s *Store) TokenByHash(ctx context.Context, hash []byte) (memory.Token, error) {
	found, err := queryOne(ctx, s.read, rows.ScanToken, tokenByHash, hash)
	t, err := rows.OrError(found, err, memory.Errorf(memory.CodeNotFound, "there is no such token"))
	return t, explain(err)
}

// Tokens implements [memory.TokenStore].
func (s *Store) Tokens(ctx context.Context, agent string) ([]memory.Token, error) {
	found, err := queryAll(ctx, s.read, rows.ScanToken,
		`SELECT `+rows.TokenColumns+` FROM tokens WHERE ?1 = '' OR agent = ?1 ORDER BY created_at, id`, agent)
	return found, explain(err)
}

// RevokeToken implements [memory.TokenStore].
func (s *Store) RevokeToken(ctx context.Context, agent, id string, at time.Time) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		found, err := queryOne(ctx, w, rows.ScanToken, `SELECT `+rows.TokenColumns+` FROM tokens WHERE agent = ? AND id = ?`, agent, id)
		t, err := rows.OrError(found, err, memory.Errorf(memory.CodeNotFound, "there is no token %q of agent %s", id, agent).
			WithHint("`mcp-memory token list` shows ids"))
		if err != nil || !t.RevokedAt.IsZero() {
			return err
		}
		return w.exec(ctx, `UPDATE tokens SET revoked_at = ? WHERE agent = ? AND id = ?`, rows.Micros(at), agent, id)
	}))
}

// HasTokens implements [memory.TokenStore].
func (s *Store) HasTokens(ctx context.Context) (has bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM tokens)`).Scan(&has)
	return has, explain(err)
}
