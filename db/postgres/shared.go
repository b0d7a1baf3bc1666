package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

var _ memory.Shared = (*Store)(nil)

// databaseTime is when the transaction began, by the database's clock, in microseconds since 1970.
// Citus does not take it in ON CONFLICT: there statements use a column of `excluded` that it was
// inserted into.
const databaseTime = `(extract(epoch FROM now()) * 1000000)::bigint`

// Shared implements [memory.Shared].
func (s *Store) Shared(ctx context.Context, agent, prefix string) (map[string]string, error) {
	values := map[string]string{}
	err := s.as(ctx, agent).Query(func(row rows.Row) error {
		var key, value string
		err := row.Scan(&key, &value)
		values[key] = value
		return err
	}, `SELECT key, value FROM shared_state WHERE agent = ? AND starts_with(key, ?) AND until > `+databaseTime, agent, prefix)
	return values, err
}

// sharing runs fn in a transaction over the state that servers share of an agent. That state may be
// lost in a crash, so the commit does not wait for the disk.
func (s *Store) sharing(ctx context.Context, agent string, fn func(*tx) error) error {
	return s.transaction(ctx, agent, func(t *tx) error {
		if err := t.Exec(`SELECT set_config('synchronous_commit', 'off', true)`); err != nil {
			return err
		}
		return fn(t)
	})
}

// Share implements [memory.Shared].
func (s *Store) Share(ctx context.Context, agent string, values map[string]string, keep time.Duration) error {
	return s.sharing(ctx, agent, func(t *tx) error {
		err := t.Exec(`DELETE FROM shared_state WHERE agent = ? AND until <= `+databaseTime, agent)
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if err == nil {
				err = t.Exec(`INSERT INTO shared_state (agent, key, value, until) VALUES (?, ?, ?, `+databaseTime+` + ?)
					ON CONFLICT (agent, key) DO UPDATE SET value = excluded.value, until = excluded.until`,
					agent, key, values[key], keep.Microseconds())
			}
		}
		return err
	})
}

// Unshare implements [memory.Shared].
func (s *Store) Unshare(ctx context.Context, agent, prefix string) error {
	return s.sharing(ctx, agent, func(t *tx) error {
		return t.Exec(`DELETE FROM shared_state WHERE agent = ? AND starts_with(key, ?)`, agent, prefix)
	})
}

// Spend implements [memory.Shared]. A bucket is stored as the time at which it is full (until): the
// generic cell rate algorithm of ATM Forum TM 4.0.
func (s *Store) Spend(ctx context.Context, agent, bucket string, cost, burst time.Duration) (wait time.Duration, err error) {
	err = s.sharing(ctx, agent, func(t *tx) error {
		wait = 0
		spent := false
		err := t.Query(func(rows.Row) error { spent = true; return nil },
			`INSERT INTO shared_state AS b (agent, key, value, until) VALUES (?1, ?2, '', `+databaseTime+` + ?3)
			ON CONFLICT (agent, key) DO UPDATE SET until = greatest(b.until, excluded.until - ?3) + ?3
			WHERE greatest(b.until, excluded.until - ?3) + ?3 <= excluded.until - ?3 + ?4 RETURNING key`,
			agent, bucket, cost.Microseconds(), burst.Microseconds())
		if err != nil || spent {
			return err
		}
		var over int64
		err = rows.Into(t, []any{&over}, `SELECT until + ?3 - ?4 - `+databaseTime+` FROM shared_state WHERE agent = ?1 AND key = ?2`,
			agent, bucket, cost.Microseconds(), burst.Microseconds())
		wait = max(time.Duration(over)*time.Microsecond, time.Microsecond)
		return err
	})
	return wait, err
}
