//go:build postgres

package postgres

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// TestBackendsAreKilled ends every session of the store, time and again.
func TestBackendsAreKilled(t *testing.T) {
	server := ownServer(t) // sessions of others end with those of the store
	s := openAt(t, server.url, 0)
	underLoad(t, s, func() {
		for range 10 {
			time.Sleep(50 * time.Millisecond)
			endSessions(t, server.url)
		}
	})
}

func endSessions(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(),
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mcp-memory'`); err != nil {
		t.Error(err)
	}
}

// TestReadingIsWhole: what is read while sessions end is read once, whatever had come of it
// before its session ended.
func TestReadingIsWhole(t *testing.T) {
	server := ownServer(t)
	s := openAt(t, server.url, 0)
	var all []string
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		for n := range 1000 {
			r := fact("ann", fmt.Sprint("Crate ", n, strings.Repeat(" is full of tea", 10)))
			all = append(all, r.ID)
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	reads := 0
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				found, err := s.Records(t.Context(), "ann", all)
				if err != nil || len(found) != len(all) {
					t.Errorf("%d records of %d, %v", len(found), len(all), err)
				}
			}
		})
	}
	for range 60 {
		time.Sleep(15 * time.Millisecond)
		endSessions(t, server.url)
		reads++
	}
	close(stop)
	wg.Wait()
	report(t, "sessions ended %d times while 1,000 records were read: all of them each time", reads)
}

// TestServerIsKilled ends the whole server without warning and starts it again, while
// others write: a call waits for it, or says that it is away.
func TestServerIsKilled(t *testing.T) {
	server := ownServer(t)
	s := openAt(t, server.url, 2*time.Second)
	underLoad(t, s, func() {
		for range 3 {
			time.Sleep(200 * time.Millisecond)
			server.do("--kill")
			server.do("--start")
		}
	})
	// One session that is killed like that takes all others with it: the server begins anew.
	underLoad(t, s, func() {
		for range 3 {
			time.Sleep(200 * time.Millisecond)
			server.killSession()
		}
	})
	if h := s.Health(); h.Broken() {
		t.Errorf("afterwards: %+v", h)
	}
}

// TestTwoServersMigrate opens an empty database by several servers at once.
func TestTwoServersMigrate(t *testing.T) {
	url := backend.Database(t.TempDir(), "banks")
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			s, err := db.Open(t.Context(), url, db.Options{Embedder: fingerprint, Clock: now})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := trySave(t.Context(), s, "ann", ids.New()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s, err := db.Open(t.Context(), url, db.Options{Embedder: fingerprint, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := len(contents(t, s, "ann")); n != 6 {
		t.Errorf("%d records of 6", n)
	}
}
