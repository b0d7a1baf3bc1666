package extractive

import (
	"strings"
	"testing"
)

// Rules and what people are is kept in other languages too, also of who writes without capitals.
func TestLastingAbroad(t *testing.T) {
	for _, said := range []string{
		"ich bin allergisch gegen erdnüsse", "bitte antworte ab jetzt immer auf deutsch und duze mich", "Wir deployen immer dienstags, freitags nie.",
		"ma fille est allergique au lait", "réponds toujours en français s'il te plaît", "je suis végétarienne depuis longtemps",
		"soy vegetariana y no como huevos", "a partir de ahora responde siempre en español", "nunca hagas commit en la rama principal",
		"od teraz zawsze pisz testy przed kodem", "jestem uczulony na orzechy", "mieszkam z żoną i dwoma kotami",
		"A partir de agora escreve os commits em inglês.", "sono allergico alle noci", "rispondi sempre in italiano", "ik ben allergisch voor noten",
		"antwoord altijd in het nederlands", "freitags arbeite ich nicht", "wir nutzen für die datenbank nur noch migrationen",
	} {
		if got := factsOf(t, "u "+said); len(got) != 1 {
			t.Errorf("%q: got %q, want it kept", said, got)
		}
	}
	for _, said := range []string{
		"ich bin heute so müde", "kannst du das bitte nochmal machen", "danke, das ist sehr nett von dir", "mach das bitte nicht", "das geht leider nicht",
		"je suis fatigué aujourd'hui", "merci beaucoup c'est parfait", "gracias por la ayuda", "hoy estoy cansado de todo", "dziękuję bardzo za pomoc",
		"bist du immer so langsam?", "wenn ich immer zeit hätte, wäre das schön", "was machst du da eigentlich",
	} {
		if got := factsOf(t, "u "+said); len(got) != 0 {
			t.Errorf("%q: got %q, want nothing", said, got)
		}
	}
}

// TestSaidAbroad: a sentence of another language is kept as it was said, although it has words that
// English has too ("im", "me", "I").
func TestSaidAbroad(t *testing.T) {
	for _, said := range []string{
		"Mein Bruder feiert am 6. Februar im Gasthof Zur Linde.", "Der Schuppen liegt im Hof, Fach 12.",
		"Am 3. Mai bin ich in Ulm auf einer Messe. Im Mai ziehe ich nach Ulm um.", "Mijn broer komt me op 3 mei in Gent bezoeken.",
		"Jeg har time hos Dr. Aas den 9. desember. I Bergen regner det 240 dager.", "I miei genitori arrivano il 4 maggio a Torino.",
	} {
		if got := factsOf(t, "u "+said); len(got) != 1 || got[0] != "The user: "+said {
			t.Errorf("%q: got %q, want it as it was said", said, got)
		}
	}
	for said, want := range map[string]string{
		"Im allergic to nuts and cashews.":         "The user is allergic to nuts and cashews.",
		"My Los Angeles office opens on 4 May.":    "The user's Los Angeles office opens on 4 May",
		"We do no deploys on Fridays in December.": "The user and others do no deploys on Fridays in December.",
	} {
		if got := factsOf(t, "u "+said); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}
