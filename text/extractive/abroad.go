package extractive

import (
	"strings"

	"mcp-memory/text/analysis"
)

// abroad are the openings in other languages of what is only supposed: they are looked for in every
// sentence, as a short one may pass for English.
var abroad = newPhrases(`
	^ vielleicht|eventuell|vermutlich|wahrscheinlich|angenommen|hoffentlich|falls|sofern
	^ wenn ich|wir|du|er|sie|es|das|der|die|mein|meine|unser|alles|jemand
	^ peut-être|probablement|imaginons|supposons|espérons|admettons
	^ si j'étais|j'avais|j'ai|j'arrive|j'obtiens|je|on|nous|tu|il|elle|jamais|tout
	^ quizás|quizas|acaso|ojalá|supongamos|imaginemos
	^ tal vez
	^ si yo|tuviera|fuera|pudiera|hubiera|gano|ganamos|puedo|podemos|tengo|tenemos|me|nos|todo
	^ forse|magari|probabilmente|supponiamo|speriamo
	^ se io|avessi|fossi|potessi|vinco|vinciamo|posso|possiamo|eu|tivesse|fosse|tudo|tutto
	^ misschien|waarschijnlijk|hopelijk|stel
	^ als ik|we|wij|je|jij|hij|zij|ze|alles
	^ talvez|provavelmente|oxalá
	^ kanske|troligen|om jag|vi`)

// gossip are the words before what somebody says of others in these languages who need not know.
var gossip = newPhrases(`
	^ ~ behauptet|prétend|beweert|sostiene|asegura
	^ mein|meine|unser|unsere|ein|eine|der|die ~ nachbar|nachbarin|onkel|tante|schwager|kumpel|kollege|bekannter|freund sagt|meint|erzählt
	^ mon|ma|notre|un|une|le|la ~ voisin|voisine|oncle|tante|cousin|cousine|beau-frère|collègue|ami|client dit|pense|croit|raconte
	^ mi|nuestro|nuestra|un|una|el|la ~ vecino|vecina|primo|prima|tío|tía|cuñado|cuñada|suegra|amigo|amiga|cliente dice|cree|piensa
	^ il|la|mio|mia|un|una ~ vicino|vicina|zio|zia|cugino|cugina|amico|amica|cliente dice|pensa|crede
	^ mijn|onze|een|de ~ buurman|buurvrouw|oom|tante|neef|nicht|vriend|collega zegt|denkt|vindt
	^ on dit|raconte
	^ se dice
	^ man sagt|erzählt
	^ si dice
	^ men zegt`)

// amending are the openings of a sentence that puts another value in the place of the one before.
var amending = newPhrases(`
	^ oder|ach|ah|oh|äh|ne|nee? halt|doch|nein|quatsch|moment|warte|stopp|korrektur|sorry|pardon|entschuldigung
	^ ah|oh|euh|zut? non|pardon|attends|plutôt|enfin|correction|erratum|oups
	^ ay|ah|uy? no|perdón|perdona|espera|mejor|corrección|digo|rectifico
	^ ah|oh? anzi|scusa|no|aspetta|correzione
	^ ah|oh? nee|wacht|correctie|foutje`)

// amendAbroad puts the number of such a sentence ("Perdón, el 6 de junio") in the place of the one in the
// last fact that the same word follows. It reports whether there was one.
func (m *message) amendAbroad(words []word) bool {
	last := len(m.x.facts) - 1
	if last < m.x.talk.from || last < 0 || m.x.facts[last].dropped || !amending.in(words) || m.first && answersNo[words[0].low] {
		return false
	}
	f := &m.x.facts[last]
	if !strings.HasPrefix(f.Content, capital(m.s.speaker.name)+": ") && !hasForeignWord(analysis.Words(f.Content)) {
		return false // English is corrected elsewhere
	}
	had := cut(f.Content)
	for i, w := range words {
		if !strings.ContainsAny(w.text, "0123456789") {
			continue
		}
		for j := range had {
			if strings.ContainsAny(had[j].text, "0123456789") && nextLow(had, j) == nextLow(words, i) && had[j].text != w.text && shape(had[j].text) == shape(w.text) {
				had[j].text = w.text
				f.amend(join(had))
				return true
			}
		}
	}
	return false
}

// answersNo are the words by which a turn denies what was asked.
var answersNo = set("non no nein nee")

// nextLow returns the word behind the one at a position, "" behind the last.
func nextLow(words []word, i int) string {
	if i+1 < len(words) {
		return words[i+1].low
	}
	return ""
}
