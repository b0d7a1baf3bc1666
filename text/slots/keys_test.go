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
