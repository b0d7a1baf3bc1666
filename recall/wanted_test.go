package recall

import "testing"

func TestWanted(t *testing.T) {
	for question, want := range map[string]wanted{
		"How much is the rent?": aNumber, "What does a lute of hers cost?": aNumber,
		"Wie viele Gäste kommen?": aNumber, "¿Cuántos años tiene?": aNumber,
		"When is the fair?": aTime, "What time does it open?": anHour,
		"At what hours is it open?": anHour, "In which weeks is it closed?": aTime, "How long is it open?": aSpan,
		"Where is the organ?": aPlace, "Wo steht die Orgel?": aPlace, "Why is the organ silent?": aReason, "Warum schweigt sie?": aReason,
		"How should letters be signed?": aRule, "Wie soll man mich nennen?": aRule, "Do you know why?": anything,
		"Wann fährt der Bus?": aTime, "¿A qué hora abre?": anHour, "In which month is it closed?": aTime,
		"Who tunes the organ?": aPerson, "Wer stimmt die Orgel?": aPerson,
		"What is an organ?": anything, "Is the organ tuned?": anything, "": anything,
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
		{aTime, "It opens on Mondays.", true}, {aTime, "It opens at 9.", true},
		{aTime, "Abends geschlossen.", true}, {aTime, "It opens with a key.", false},
		{aTime, "It has 40 pipes.", false}, {aTime, "It is closed for the whole of August.", true},
		{aSpan, "It is shut for seven days.", true}, {aSpan, "It is shut.", false},
		{anHour, "It opens on Mondays.", false}, {anHour, "It opens at 8 and at 20 sharp.", true},
		{anHour, "It is played at night.", true}, {anHour, "Since 11 it has been silent.", false},
		{aPlace, "It stands in the garage.", true}, {aPlace, "Moved it to Odense.", true},
		{aPlace, "It is played on Monday evenings.", false}, {aPlace, "It is tuned in the morning.", false},
		{aPlace, "I tune organs for Kallio.", true},
		{aPlace, "I tune organs for a fee.", false}, {aPlace, "It was left for Monday.", false},
		{aPlace, "Die Orgel steht im Keller.", true},
		{aReason, "It is silent because the bellows leak.", true}, {aReason, "It is silent.", false},
		{aRule, "Show the diff, not the whole file.", true},
		{aRule, "Never sign with a full name.", true}, {aRule, "The organ was tuned.", false},
		{aPerson, "It is tuned by Oda.", true}, {aPerson, "My aunt tunes it.", true},
		{aPerson, "The organ is tuned every year.", false}, {anything, "", true},
	} {
		if got := c.tells(c.text); got != c.want {
			t.Errorf("%d, %q: %v", c.wanted, c.text, got)
		}
	}
}
