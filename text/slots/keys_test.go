package slots

import (
	"slices"
	"testing"
)

// meet reports whether the newer text finds the older by a key.
func meet(older, newer string) bool {
	filed := Keys(Read(older, Options{}))
	return slices.ContainsFunc(Seek(Read(newer, Options{})), func(k uint64) bool { return slices.Contains(filed, k) })
}

func TestKeysMeet(t *testing.T) {
	for _, pair := range [][2]string{
		{"I live in Groningen.", "I have moved to Maastricht."},
		{"My sister Anna lives in Lyon.", "Anna moved to Nice."},
		{"Atlas's session timeout is 30 minutes.", "The session timeout of Atlas is 45 minutes."},
		{"I use Vim.", "I switched from Vim to Helix."},
		{"My marathon record is 3:40.", "My marathon record is now 3:20."},
		{"Ruben smokes.", "Ruben no longer smokes."},
		{"I am a nurse.", "I work at Hollin Foods now."},
		{"Atlas deploys to Fly.io.", "Deployment target changed from Fly.io to Hetzner."},
	} {
		if !meet(pair[0], pair[1]) {
			t.Errorf("%q does not find %q", pair[1], pair[0])
		}
	}
}

func TestKeysStayApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"Ruben lives in Groningen.", "I have moved to Maastricht."},
		{"I live in Groningen.", "My dentist is Dr. Amadi."},
		{"", "I live in Groningen."},
		{"I live in Groningen.", "If I move to Oslo, I will sell the car."},
	} {
		if meet(pair[0], pair[1]) {
			t.Errorf("%q finds %q", pair[1], pair[0])
		}
	}
}

// TestKeysFindWhatRelates: no relation that a pair of the table has is missed.
func TestKeysFindWhatRelates(t *testing.T) {
	texts := []string{
		"I live in Oslo.", "I moved to Bergen.", "I switched from Vim to Helix.", "I use Vim as my editor.", "We dropped Redis.",
		"We use Redis for caching.", "The billing service runs on port 8080.", "The billing service now runs on port 9090.",
		"Petra is my manager.", "My manager is Samir now.", "Standup is at 9:30.", "Standup moved to 10:00.",
		"[atlas] CI runs on Jenkins.", "Atlas CI moved to Buildkite.",
		"Project atlas: stack is Go 1.22, Postgres 15.", "Upgraded Atlas to Postgres 17.", "User lives in Lund.",
		"My phone number is 0470 11 22 33.", "My new phone number is 0470 99 88 77.", "Ruben is vegetarian.", "Ruben is vegan now.",
	}
	for _, older := range texts {
		for _, newer := range texts {
			if r := Between(Read(older, Options{}), Read(newer, Options{})); r >= Likely && !meet(older, newer) {
				t.Errorf("%q is %v of %q, but does not find it", newer, r, older)
			}
		}
	}
}

// TestSameKey: of any two statements, comparing the words of the keys says what
// comparing the keys does.
func TestSameKey(t *testing.T) {
	var all []Statement
	for _, text := range []string{
		"The session timeout of Atlas is 30 minutes.",
		"Atlas's session timeout is 45 minutes.", "The timeouts of the atlas sessions are short.",
		"My work phone is a Pixel.", "My phone for work is a Fairphone.",
		"I live in Oslo.", "My sister lives in Graz.", "My sister Jana's phone is broken.",
		"On weekdays the alarm is at 6.", "The weekday alarm is at 7.", "The alarm on weekdays is at seven.",
		"We use Postgres in production.", "The production database is Postgres.",
		"The database of the billing service is MySQL.", "The billing services' database moved to Aurora.",
		"Skiing is my favourite sport.", "My favourite skis are Atomic.",
		"The user's daily standup is at 9:30.", "Standups of the users are daily.",
		"Rex is the dog of my sister.", "The dog's vet is Dr. Berg.",
	} {
		all = append(all, Read(text, Options{})...)
	}
	all = append(all, Statement{}, Statement{Topic: "alarm weekdai"}, Statement{Topic: "weekdai", Scope: "alarm"},
		Statement{Subject: "alarm", Topic: "alarm weekdai"}, Statement{Subject: User})
	equal := 0
	for i := range all {
		for k := range all {
			want := slotKey(&all[i]) == slotKey(&all[k])
			if got := sameKey(&all[i], &all[k]); got != want {
				t.Errorf("%q and %q: %v, want %v", slotKey(&all[i]), slotKey(&all[k]), got, want)
			}
			if want && i != k {
				equal++
			}
		}
	}
	if equal < 10 {
		t.Errorf("only %d pairs have one key: nothing was compared", equal)
	}
}
