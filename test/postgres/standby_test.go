//go:build postgres

package postgres

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// bothHosts is the URL of two servers, of which the primary is to be used.
func bothHosts(a, b *ownedServer) string {
	return strings.Replace(a.url, hostOf(a.url), hostOf(a.url)+","+hostOf(b.url), 1) + "?target_session_attrs=read-write"
}

// TestPrimaryIsLost: what was acknowledged is on the standby as well. While there is none, nothing
// is acknowledged; when the primary is killed and the standby promoted, the store goes on there.
func TestPrimaryIsLost(t *testing.T) {
	primary := ownServer(t)
	standby := primary.standby()
	s := openAt(t, bothHosts(primary, standby), 2*time.Second)
	alone := underLoad(t, s, func() {
		time.Sleep(200 * time.Millisecond)
		standby.do("--stop-politely")
		time.Sleep(100 * time.Millisecond) // what is under way is acknowledged or not
		conn, err := pgx.Connect(t.Context(), as(primary.url, "postgres", ""))
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close(t.Context())
		for range 10 { // those who wait for the standby are told to go on without it
			if _, err := conn.Exec(t.Context(),
				`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`); err != nil {
				t.Error(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		standby.do("--start")
	})
	if alone.refused.Load() == 0 {
		t.Error("without the standby nothing was refused")
	}
	lost := underLoad(t, s, func() {
		time.Sleep(300 * time.Millisecond)
		primary.do("--kill")
		time.Sleep(200 * time.Millisecond)
		standby.do("--promote")
	})
	// What came before is on the promoted standby too.
	if n, doubled := alone.compare(s); n > 0 || doubled > 0 {
		t.Errorf("of before %d are lost, %d doubled", n, doubled)
	}
	if lost.acknowledged.Load() == 0 || primary.running() {
		t.Error("the primary was not lost")
	}
}
