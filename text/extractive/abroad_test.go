package extractive

import "testing"

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
