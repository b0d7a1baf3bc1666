package extractive_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// What an assistant said, what the user says to it, what has to be kept of that, and what would be
// something that nobody said.
var mended = [][4]string{
	{"You run Postgres 15.", "No, MySQL 8.", "MySQL 8", "Postgres 8"},
	{"You run Postgres 15.", "No, 16.", "Postgres 16", "corrected"},
	{"Your API runs on Node 18.", "No, Deno 2.", "Deno 2", "Node 2"},
	{"The cache holds 30 pages.", "No, 20 minutes.", "20 minutes", "20 pages"},
	{"The timeout is 30 seconds.", "No, 2 minutes.", "2 minutes", "2 seconds"},
	{"You pay 12 euros for hosting.", "No, 15 dollars.", "15 dollars", "15 euros"},
	{"Backups are kept for 14 days.", "No, 3 months.", "3 months", "3 days"},
	{"The server has 16 GB of memory.", "No, 32.", "32", "16 GB of memory"},
	{"You use Cloudflare as CDN.", "No, Fastly.", "Fastly", "uses Cloudflare"},
	{"You deploy with Jenkins 2.", "No, Drone 1.", "Drone 1", "Jenkins 1"},
	{"Your bike is a Canyon from 2019.", "No, a Rose from 2021.", "Rose", "Canyon from 2021"},
	{"The office is on floor 3 in Graz.", "No, floor 5 in Linz.", "loor 5 in Linz", "floor 5 in Graz"},
	{"The team standup is at 9:30 on Mondays.", "No, 10:00 on Tuesdays.", "10:00 on Tuesdays", "10:00 on Mondays"},
	{"You take metoprolol 50 mg.", "No, bisoprolol 5 mg.", "isoprolol 5 mg", "metoprolol 5 "},
	{"Your flight is OS 295.", "No, LH 1234.", "LH 1234", "OS 1234"},
	{"The lease ends on 31 May 2027.", "No, 30 June 2027.", "30 June 2027", "31 June"},
	{"The lease ends on 31 May 2027.", "No, insurance 30 June 2027.", "nsurance", "lease ends on 30 June"},
	{"You ride line 7 to work.", "No, bus 34.", "us 34", "line 34"},
	{"The tests run in Python 3.11.", "No, Go 1.24.", "Go 1.24", "Python 1.24"},
}

func TestNothingIsMendedHalfway(t *testing.T) {
	for _, c := range mended {
		at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
		facts := strings.Join(contents(extract(t, memory.ExtractRequest{Turns: []memory.Turn{
			{Index: 0, Role: memory.RoleAssistant, Content: c[0], SaidAt: at},
			{Index: 1, Role: memory.RoleUser, Content: c[1], SaidAt: at.Add(time.Minute)},
		}})), "\n")
		if !strings.Contains(facts, c[2]) || strings.Contains(facts, c[3]) {
			t.Errorf("%q %q became %q", c[0], c[1], facts)
		}
	}
}
