package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// TestQueriesThatFailMidway: a list that ends with an error is no list.
func TestQueriesThatFailMidway(t *testing.T) {
	s := newStore(t, 8)
	const overflow = `SELECT abs(column1) FROM (VALUES (1), (2), (-9223372036854775808), (4))`
	for name, q := range map[string]queryer{"reading pool": s.read, "writer": s.writer} {
		seen := 0
		err := queryEach(t.Context(), q, func(rows.Row) error { seen++; return nil }, overflow)
		if seen != 2 || err == nil {
			t.Errorf("%s: %d rows, %v", name, seen, err)
		}
		if all, err := queryAll(t.Context(), q, rows.ScanInt64, overflow); all != nil || err == nil {
			t.Errorf("%s: list %v, %v", name, all, err)
		}
		if one, err := queryOne(t.Context(), q, rows.ScanInt64, overflow); one != nil || err == nil {
			t.Errorf("%s: one %v, %v", name, one, err)
		}
	}
}

// TestQueriesThatAreCancelled: so is one whose caller stops waiting.
func TestQueriesThatAreCancelled(t *testing.T) {
	s := newStore(t, 8)
	const million = `WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n LIMIT 1000000) SELECT v FROM n`
	ctx, cancel := context.WithCancel(t.Context())
	all, err := queryAll(ctx, s.read, func(row rows.Row) (int64, error) {
		cancel()
		return rows.ScanInt64(row)
	}, million)
	wantUnavailable(t, explain(err))
	if all != nil || !errors.Is(err, context.Canceled) && resultCode(err) != codeStopped {
		t.Errorf("%d rows, %v", len(all), err)
	}
}

func TestQueryOne(t *testing.T) {
	s := newStore(t, 8)
	for query, want := range map[string]int64{`SELECT 7`: 7, `SELECT 7 UNION ALL SELECT 8`: 7, `SELECT 7 WHERE FALSE`: 0} {
		missing := memory.Errorf(memory.CodeNotFound, "none")
		found, err := queryOne(t.Context(), s.read, rows.ScanInt64, query)
		n, err := rows.OrError(found, err, missing)
		if n != want || (want == 0) != errors.Is(err, error(missing)) {
			t.Errorf("%s: %d, %v", query, n, err)
		}
	}
}

// TestColumns: what is stored comes back, nothing as nothing.
func TestColumns(t *testing.T) {
	s := newStore(t, 8)
	var (
		at, never   = start.Add(1234 * time.Microsecond), start
		name, empty = "", "before"
		tags, none  []string
		times       []time.Time
	)
	err := s.read.QueryRowContext(t.Context(), `SELECT ?, ?, ?, ?, ?, ?, ?`,
		rows.Micros(at), rows.Micros(time.Time{}), rows.Text("héllo"), rows.Text(""),
		rows.List([]string{"a", "b"}), rows.List([]string{}), rows.Times([]time.Time{at})).
		Scan(rows.FromMicros(&at), rows.FromMicros(&never), rows.FromText(&name), rows.FromText(&empty), rows.FromList(&tags),
			rows.FromList(&none), rows.FromTimes(&times))
	if err != nil || !at.Equal(start.Add(1234*time.Microsecond)) || at.Location() != time.UTC || !never.IsZero() || name != "héllo" ||
		empty != "" ||
		len(tags) != 2 || tags[1] != "b" || none != nil || len(times) != 1 || !times[0].Equal(at) {
		t.Error(at, never, name, empty, tags, none, times, err)
	}
	for column, place := range map[string]sql.Scanner{
		`'yesterday'`: rows.FromMicros(&at), `1.5`: rows.FromText(&name), `'["a"'`: rows.FromList(&tags), `'["a"]'`: rows.FromTimes(&times),
	} {
		if err := s.read.QueryRowContext(t.Context(), `SELECT `+column).Scan(place); err == nil {
			t.Errorf("%s is read", column)
		}
	}
	err = senseless(errors.New("no JSON"))
	if err.Error() != "damaged: no JSON" || !errors.Is(err, memory.ErrDamaged) || senseless(nil) != nil || senseless(err) != err {
		t.Error(err)
	}
}

// TestNonsenseTimes: a row whose times are damaged can be read and written as JSON.
func TestNonsenseTimes(t *testing.T) {
	s := newStore(t, 8)
	r := fact("ann", "The harbour closes at nine.")
	insert(t, s, nil, r)
	for _, n := range []int64{math.MaxInt64, math.MinInt64, 1 << 60, -(1 << 60)} {
		if err := s.writer.exec(t.Context(), `UPDATE records SET created_at = ?1, occurred_at = ?1, valid_until = ?1`, n); err != nil {
			t.Fatal(err)
		}
		err := s.EachRecord(t.Context(), "ann", func(r memory.Record) error {
			if r.ValidUntil.IsZero() || r.ValidUntil.After(time.Now()) != (n > 0) {
				t.Errorf("%d has become %v", n, r.ValidUntil)
			}
			_, err := json.Marshal(r)
			return err
		})
		if err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
}
