package recall

import "testing"

func TestWanted(t *testing.T) {
	for question, want := range map[string]wanted{
		"How much is the rent?": aNumber, "What does a lute of hers cost?": aNumber, "Wie viele Gäste kommen?": aNumber, "¿Cuántos años tiene?": aNumber,
		"When is the fair?": aTime, "What time does it open?": aTime, "Wann fährt der Bus?": aTime, "¿A qué hora abre?": aTime, "In which month is it closed?": aTime,
		"Who tunes the organ?": aPerson, "Wer stimmt die Orgel?": aPerson, "What is an organ?": anything, "Is the organ tuned?": anything, "": anything,
	} {
		if got := wantedBy(question); got != want {
			t.Errorf("%q: %d, want %d", question, got, want)
		}
	}
}

func TestTells(t *testing.T) {
	for _, c := range []struct {
		wanted
		text string
		want bool
	}{
		{aNumber, "It holds 40 pipes.", true}, {aNumber, "It holds forty pipes.", true}, {aNumber, "It holds pipes.", false},
		{aTime, "It opens on Mondays.", true}, {aTime, "It opens at 9.", true}, {aTime, "Abends geschlossen.", true}, {aTime, "It opens with a key.", false},
		{aPerson, "It is tuned by Oda.", true}, {aPerson, "My aunt tunes it.", true}, {aPerson, "The organ is tuned every year.", false}, {anything, "", true},
	} {
		if got := c.tells(c.text); got != c.want {
			t.Errorf("%d, %q: %v", c.wanted, c.text, got)
		}
	}
}
