package slots

import "testing"

// TestChangesInOtherLanguages: what a sentence of another language replaces.
func TestChangesInOtherLanguages(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Relation
	}{
		{"Ich wohne in Köln.", "Ich bin nach Bremen gezogen.", Certain},
		{"Ich wohne in Köln.", "Letzten Monat bin ich nach Bremen umgezogen.", Certain},
		{"Ich wohne in Köln.", "Jetzt wohne ich in Bremen.", Certain},
		{"Ich lebe in Graz.", "Wir sind im März nach Linz gezogen.", Certain},
		{"Ich wohne in Köln.", "Ich wohne nicht mehr in Köln.", Certain},
		{"Ich wohne in Köln.", "Ich wäre fast nach Bremen gezogen.", None},
		{"Ich wohne in Köln.", "Ich möchte nach Bremen ziehen.", None},
		{"Ich wohne in Köln.", "Früher habe ich in Bremen gewohnt.", None},
		{"Ich wohne in Köln.", "Ruben sagt, er wohne in Bremen.", None},
		{"Ich wohne in Köln.", "Meine Schwester ist nach Bremen gezogen.", None},
		{"Ich wohne in Köln.", "Ich bin nach Hause gegangen.", None},
		{"Wir wohnen in der Lindenstraße 4.", "Wir sind im Mai nach Husum gezogen.", Certain},
		{"Wir wohnen am Kirchplatz 3.", "Wir wohnen jetzt in der Lindenstraße 4.", Likely},
		{"Wir wohnen in 2 Zimmern.", "Wir sind nach Husum gezogen.", None},
		{"Ich arbeite bei Siemens.", "Ich arbeite jetzt bei Bosch.", Certain},
		{"Ich arbeite bei Siemens.", "Ich habe im Mai bei Bosch angefangen.", Certain},
		{"Ich arbeite bei Siemens.", "Ich habe bei Siemens gekündigt.", Certain},
		{"Ich arbeite bei Siemens.", "Ich habe früher bei Bosch gearbeitet.", None},
		{"Ich bin mit Lena zusammen.", "Ich bin jetzt mit Mara verheiratet.", Certain},
		{"Meine Freundin heißt Lena.", "Ich habe mich von Lena getrennt.", Certain},
		{"Ich bin Vegetarierin.", "Ich bin jetzt Veganerin.", Certain},
		{"Ich bin Vegetarier.", "Ich bin Hausarzt.", None},
		{"Mein Handy ist ein Pixel 6.", "Ich habe ein neues Handy, ein Fairphone 5.", Certain},
		{"Ich benutze Vim.", "Ich bin von Vim auf Zed umgestiegen.", Certain},
		{"Ich benutze Vim als Editor.", "Ich benutze jetzt Zed statt Vim.", Certain},
		{"Ich benutze Vim.", "Ich benutze Firefox.", None},

		{"J'habite à Lyon.", "J'ai déménagé à Nantes.", Certain},
		{"J'habite à Lyon.", "J'habite maintenant à Nantes.", Certain},
		{"J'habite à Lyon.", "Nous avons déménagé à Nantes.", Certain},
		{"Nous habitons au 8 rue du Moulin, au-dessus de la boulangerie.", "Nous avons déménagé à Poussay.", Certain},
		{"Nous habitons à Lyon.", "Nous nous sommes installés à Lille.", Certain},
		{"J'habite à Lyon.", "J'aimerais habiter à Kyoto.", None},
		{"J'habite à Lyon.", "Avant, j'habitais à Nantes.", None},
		{"J'habite à Lyon.", "Ma sœur habite à Nantes.", None},
		{"Je travaille chez Airbus.", "Je travaille maintenant chez Thales.", Certain},
		{"Je travaille chez Airbus.", "J'ai commencé chez Thales.", Certain},
		{"Je travaille chez Airbus.", "J'ai travaillé chez Thales.", None},
		{"Ma copine s'appelle Léa.", "Je suis marié à Inès maintenant.", Certain},
		{"Je suis végétarienne.", "Je suis devenue végane.", Certain},
		{"Mon téléphone est un Pixel 6.", "J'ai acheté un Fairphone 5.", Certain},
		{"J'utilise Vim.", "Je suis passé de Vim à Zed.", Certain},
		{"J'utilise Vim comme éditeur.", "J'utilise maintenant Zed.", Certain},

		{"Vivo en Sevilla.", "Me he mudado a Bilbao.", Certain},
		{"Vivo en Sevilla.", "Ahora vivo en Bilbao.", Certain},
		{"Vivo en Sevilla.", "Me gustaría vivir en Bilbao.", None},
		{"Vivo en Sevilla.", "Antes vivía en Bilbao.", None},
		{"Trabajo para Indra.", "He empezado en Telefónica.", Certain},
		{"Mi novia se llama Carmen.", "Mi mujer se llama Lucía.", Certain},
		{"Uso Vim.", "Me he pasado a Zed.", Certain},

		{"Ik woon in Utrecht.", "Ik ben naar Breda verhuisd.", Certain},
		{"Ik woon in Utrecht.", "We zijn verhuisd naar Breda.", Certain},
		{"Ik woon in Utrecht.", "Mijn zus is verhuisd naar Breda.", None},
		{"Abito a Torino.", "Mi sono trasferita a Genova.", Certain},
		{"Viviamo a Torino.", "Ci siamo trasferiti a Genova.", Certain},
		{"Vivo a modo mio.", "Mi sono trasferito a Genova.", None},
		{"Moro em Lisboa.", "Mudei-me para Faro.", Certain},
		{"Moramos em Lisboa.", "Nos mudamos para Faro.", Certain},
	} {
		if got := Between(Read(c.older, Options{}), Read(c.newer, Options{})); got != c.want {
			t.Errorf("%s / %s: %v, want %v", c.older, c.newer, got, c.want)
		}
	}
	for text, want := range map[string]Standing{
		"Ich ziehe im Mai nach Bremen.": Comes, "Je vais déménager à Nantes en mai.": Comes, "Voy a vivir en Bilbao.": Comes,
		"Ich habe in Köln gewohnt.": Was, "J'ai vécu à Lyon.": Was, "Viví en Sevilla.": Was, "Ich wohne seit Mai in Bremen.": Holds,
	} {
		all := Read(text, Options{})
		if len(all) == 0 || all[0].Attribute != "home" || all[0].Standing() != want {
			t.Errorf("%s: %+v, want %v", text, all, want)
		}
	}
}
