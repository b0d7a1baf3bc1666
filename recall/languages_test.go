package recall_test

import "testing"

// What was said in one language answers what is asked in another, and in its own.
func TestAcrossLanguages(t *testing.T) {
	facts := []string{
		"My sister works at a bakery in Leith.",
		"The bicycle is chained to the railing behind the library.", "Unser Vermieter heißt Herr Brandt.",
		"Mon frère ne mange pas de fruits de mer.", "El contrato del gas vence en marzo.", "The choir rehearses on Wednesday evenings.",
	}
	_, s := of(t, nil, facts...)
	for question, want := range map[string]string{
		"Wo arbeitet meine Schwester?":           facts[0],
		"Où travaille ma sœur ?":                 facts[0],
		"¿Dónde está la bicicleta?":              facts[1],
		"What is the name of our landlord?":      facts[2],
		"What does my brother not eat?":          facts[3],
		"Which contract ends in March?":          facts[4],
		"Wann probt der Chor?":                   facts[5],
		"Wie heißt unser Vermieter?":             facts[2],
		"¿Cuándo vence el contrato del gas?":     facts[4],
		"When does the gas contract run out?":    facts[4],
		"Qu'est-ce que mon frère ne mange pas ?": facts[3],
	} {
		answer := answerTo(t, s, question)
		if len(answer.Results) == 0 || answer.Results[0].Content != want {
			t.Errorf("%s: %q", question, contents(answer.Results))
		}
	}
}
