//go:build postgres

package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/memory"
)

// says wants an error with a code, and in its message or hint some words.
func says(t *testing.T, what string, err error, code memory.Code, words string) {
	t.Helper()
	var known *memory.Error
	if !errors.As(err, &known) || known.Code != code || known.Hint == "" || !strings.Contains(known.Message+"; "+known.Hint, words) {
		t.Errorf("%s: %v, want %s with a hint: %s", what, err, code, words)
	}
}

// TestStatementTakesTooLong: the server ends a statement by its statement_timeout, here one that waits
// for another transaction. Nothing is written, and the next call goes well.
func TestStatementTakesTooLong(t *testing.T) {
	slow, url := open(t)
	save(t, slow, "ann", "first")
	s := openAt(t, url+"&statement_timeout=100", time.Second)
	err := slow.Write(t.Context(), "ann", func(memory.Tx) error { // holds the bank
		says(t, "beside another", trySave(t.Context(), s, "ann", "too late"), memory.CodeUnavailable, "statement_timeout")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, "ann", "second")
	if got := contents(t, s, "ann"); len(got) != 2 || got[1] != "second" {
		t.Errorf("%q", got)
	}
	report(t, "1 refused, nothing of it is there")
}

// TestTransactionStandsStill: one of our servers stands still in the middle of a write. The database
// ends its transaction, others go on, and when it wakes up it writes once.
func TestTransactionStandsStill(t *testing.T) {
	_, url := open(t)
	still, other := openAt(t, url, time.Second), openAt(t, url, 20*time.Second)
	for name, c := range map[string]memory.Store{"our own limit": still,
		"the role's": openAt(t, url+"&idle_in_transaction_session_timeout=300", 20*time.Second)} {
		tries := 0
		err := c.Write(t.Context(), "ann", func(tx memory.Tx) error {
			if err := tx.InsertRecord(fact("ann", "of the one that stood still, "+name), nil); err != nil {
				return err
			}
			if _, err := tx.RecordByExternalID("none"); err != nil { // what was noted is sent
				return err
			}
			if tries++; tries == 1 {
				save(t, other, "ann", "of the other, "+name)
			}
			return nil
		})
		if tries != 2 && refused(err) { // its patience may be over when it wakes up
			err = trySave(t.Context(), c, "ann", "of the one that stood still, "+name)
		}
		if err != nil {
			t.Errorf("%s: %v after %d tries", name, err, tries)
		}
	}
	// One that stands still each time is told so.
	err := openAt(t, url+"&idle_in_transaction_session_timeout=50", 300*time.Millisecond).
		Write(t.Context(), "ann", func(tx memory.Tx) error {
			time.Sleep(200 * time.Millisecond)
			return tx.InsertRecord(fact("ann", "never"), nil)
		})
	if !refused(err) {
		t.Errorf("standing still again and again: %v", err)
	}
	got := contents(t, other, "ann")
	if len(got) != 4 {
		t.Errorf("%q", got)
	}
	report(t, "%d of 4 acknowledged are there once, 1 refused is not", len(got))
}

// TestNoMoreConnections: the server has none to give, a thousand times. Each call is told, none
// takes much longer than its patience, and when there is room all goes on.
func TestNoMoreConnections(t *testing.T) {
	server := ownServer(t, "MCP_MEMORY_PG_CONF=max_connections = 20")
	s := openAt(t, server.url, time.Millisecond)
	save(t, s, "ann", "first")
	admin(t, server.url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mcp-memory'`)
	var hogs []*pgx.Conn
	for {
		conn, err := pgx.Connect(t.Context(), as(server.url, "postgres", ""))
		if err != nil {
			break
		}
		hogs = append(hogs, conn)
	}
	var wg sync.WaitGroup
	var told, other atomic.Int64
	next := make(chan int)
	for range 50 {
		wg.Go(func() {
			for n := range next {
				var err error
				if n%2 == 0 {
					err = trySave(t.Context(), s, "ann", fmt.Sprint("never ", n))
				} else {
					_, err = s.CountRecords(t.Context(), "ann", memory.KindFact)
				}
				if refused(err) && strings.Contains(err.Error(), "max_connections") {
					told.Add(1)
				} else if !refused(err) && other.Add(1) < 5 { // one that gave up on a connection does not know why there is none
					t.Errorf("%v", err)
				}
			}
		})
	}
	const calls = 1000
	for n := range calls {
		next <- n
	}
	close(next)
	wg.Wait()
	for _, conn := range hogs {
		conn.Close(t.Context())
	}
	save(t, s, "ann", "second")
	if got := contents(t, s, "ann"); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if told.Load() < calls*9/10 {
		t.Errorf("%d of %d calls were told that there is no connection left", told.Load(), calls)
	}
	report(t, "%d of %d calls refused with that hint, nothing of them is there; afterwards it goes on", told.Load(), calls)
}

// TestCallIsGivenUp: a caller who goes away in the middle leaves nothing half-written.
func TestCallIsGivenUp(t *testing.T) {
	s, _ := open(t)
	given := 0
	for n := range 100 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n%20)*200*time.Microsecond)
		err := s.Write(ctx, "ann", func(tx memory.Tx) error {
			for i := range 2 {
				if err := tx.InsertRecord(fact("ann", fmt.Sprintf("half %d of %d", i, n)), nil); err != nil {
					return err
				}
				if _, err := tx.RecordByExternalID("none"); err != nil {
					return err
				}
			}
			return nil
		})
		cancel()
		if err == nil {
			given += 2
		} else if !refused(err) {
			t.Errorf("%v", err)
		}
	}
	if got := len(contents(t, s, "ann")); got != given {
		t.Errorf("%d records of %d", got, given)
	}
	report(t, "%d of 100 calls acknowledged, the others left nothing", given/2)
}
