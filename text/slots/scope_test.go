package slots

import "testing"

// TestScopes: what holds for one place, time or party is not replaced by what holds
// for another, and is by what holds for the same.
func TestScopes(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Relation
	}{
		{"In production the log level is warn.", "In staging the log level is debug.", None},
		{"In production the log level is warn.", "In prod the log level is info now.", Certain},
		{"On staging we use Postgres 15.", "In production we use Postgres 13.", None},
		{"On staging we use Postgres 15.", "We use Postgres 16 on staging now.", Certain},
		{"The dark mode flag is on in staging.", "The dark mode flag is off in production.", None},
		{"The dark mode flag is on in staging.", "The dark mode flag is now off in staging.", Certain},
		{"The timeout in the EU region is 30 s.", "The timeout in the US region is 45 s.", None},
		{"The timeout in the EU region is 30 s.", "In the EU region the timeout is 40 s.", Certain},
		{"The quota is 5 GB for guests.", "The quota is 50 GB for staff.", None},
		{"The quota is 5 GB for guests.", "The quota is 8 GB for guests.", Certain},
		{"The quota is 5 GB.", "The quota is 50 GB for staff.", Beside},
		{"The quota is 50 GB for staff.", "The quota is now 80 GB.", Likely},
		{"Tickets cost 12 euros for adults.", "Tickets cost 7 euros for children.", None},
		{"The fee is 40 euros in winter.", "The fee is 60 euros in summer.", None},
		{"I get up at 6:30 on weekdays.", "I get up at 9:00 on weekends.", None},
		{"I get up at 6:30 on weekdays.", "I get up at 5:50 on workdays now.", Certain},
		{"The backup on host A runs at 02:00.", "The backup on host B runs at 03:00.", None},
		{"The backup on host A runs at 02:00.", "The backup on host A runs at 04:00.", Certain},
		{"The rate limit for tenant Acme is 100 requests.", "The rate limit for tenant Borg is 500 requests.", None},
		{"Our hosting is Hetzner in Germany.", "Our hosting is OVH in France.", None},
		{"My friend Ada lives in Lund.", "My friend Bo lives in Ystad.", None},
		{"My friend Ada lives in Lund.", "My friend Ada moved to Ystad.", Certain},
		{"The retention is 30 days for customer Nordlys.", "The retention is 90 days for customer Fjord.", None},
		{"The default branch of repo Kestrel is main.", "The default branch of repo Osprey is trunk.", None},
		// No scope, but a part of the value.
		{"I live in Germany.", "I live in Spain.", Certain},
		{"I work for Bosch in Germany.", "I work for Siemens in Germany.", Certain},
		{"Standup is at 9 in the morning.", "Standup is at 4 in the afternoon.", Certain},
	} {
		if got := Between(Read(c.older, Options{}), Read(c.newer, Options{})); got != c.want {
			t.Errorf("%s / %s: %v, want %v", c.older, c.newer, got, c.want)
		}
	}
}
