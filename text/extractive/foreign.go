package extractive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

const foreignImportance = 0.4

// foreign reports whether a sentence is not English: it is in another script, or none of its words is
// an English function word. With two words of other languages, also those of either are none ("me" in
// "Mijn broer komt me bezoeken"). A single accent makes no foreign sentence of two of the commonest English
// words ("Her fiancé is called Erik").
func foreign(text string) bool {
	if analysis.OtherScript(text) {
		return true
	}
	words, function, shared, others, foreigns, common, accents := analysis.Words(straighten.Replace(text)), 0, 0, 0, 0, 0, false
	for _, w := range words {
		switch english := analysis.IsStop(w) || interjections[w] || contractions[w] != ""; {
		case english && shareable[w]:
			shared++
		case english && !foreignToo[w]:
			function++
		case foreignWords[w] && !foreignToo[w]:
			others++
		}
		if foreignWords[w] {
			foreigns++
		} else if englishToo[w] {
			common++
		}
		accents = accents || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII })
	}
	return len(words) >= 4 && function == 0 && (shared == 0 || others > 1) && (accents || foreigns > 1) && (foreigns > 0 || common < 2)
}

// shareable are English words by which a sentence is taken for English unless others are clearly foreign.
var shareable = set("me my we had or over van id ill")

// foreignToo are English function words that other languages have as well.
var foreignToo = set("a am an as at be by do he her here his i im in is it no of on so s t was we will won d m o re once about um die")

// englishToo are the commonest of the English words that other languages have.
var englishToo = set("a an as at he her his i in is it my our she we was")

// foreignWords are common in languages that share the alphabet.
var foreignWords = set(`und der die das ich ist nicht ein eine mit von für auf wir habe mein meine den dem sich auch
	seit bei nach aus zu im am haben wir uns sie er es war bin hat als wie nur noch schon kein keine wohne heiße arbeite
	januar februar mai juni juli oktober dezember uhr liegt feiert kommt steht geht hier dort vom zum zur beim
	el la los las que de en un una por para con mi soy es está estoy hoy tengo mis pero como
	le les des est et je suis une mon ma dans pour avec sur nous qui pas du au mes j
	il lo che di per sono con mio mia non della nel gli anche miei mie suo sua alla dal dei delle del al
	gennaio febbraio aprile maggio giugno luglio settembre ottobre novembre dicembre
	enero febrero abril mayo junio julio septiembre octubre noviembre diciembre
	janvier mai juin juillet octobre novembre chez
	eu não uma meu minha com por os na no da do em foi
	ik een het van niet mijn voor met zijn maar naar komt heeft wordt op bij uit ook nog wij januari februari maart
	jag jeg och att det som en ett på av min inte ikke med har til fra hos mitt dager desember mandag
	nie jest się na że mam moja mój w z do`)

// foreign keeps a sentence of another language as it was said, with who said
// it, if it has a name, a number or a date, or says what lasts: a rule, or what somebody is.
func (x *extraction) foreign(text string, who person, t memory.Turn) {
	if who.assistant || utf8.RuneCountInString(text) < 8 || strings.ContainsAny(text, "?？¿") {
		return
	}
	fact := memory.Extracted{
		Content: capital(who.name) + ": " + text, Type: memory.FactOther, Importance: foreignImportance, Turn: t.Index,
	}
	words := cut(text)
	rule := in("rulesAbroad", words)
	if rule {
		fact.Type, fact.Importance = memory.FactPreference, agreedImportance
	}
	if !in("passingAbroad", words) && (rule || telling(text) || in("lastingAbroad", words)) {
		x.add(fact)
	}
}

// telling reports whether a sentence has a number, or a capital behind its
// first word; in scripts without capitals, length has to do.
func telling(text string) bool {
	capitals, cased := 0, false
	for i, f := range strings.Fields(text) {
		if strings.ContainsFunc(f, unicode.IsDigit) {
			return true
		}
		for _, r := range f {
			cased = cased || unicode.IsUpper(r) || unicode.IsLower(r)
			break
		}
		if i > 0 && strings.ContainsFunc(f, unicode.IsUpper) { // "macOS" too
			capitals++
		}
	}
	return capitals > 0 || !cased
}

// foreign keeps a sentence of another language as it was said. It is added to the fact before it in
// the turn; else a short answer is kept with the assistant's question, and a longer one alone.
func (m *message) foreign(text string, t memory.Turn) {
	words := cut(text)
	if in("denied", words) && m.x.exchangeValues(words) {
		m.open, m.first = true, false
		return
	}
	doubted := in("doubts", words)
	if doubted || strings.ContainsAny(text, "?？¿") || utf8.RuneCountInString(text) < 3 {
		m.open, m.asked = m.open && !doubted, ""
		return
	}
	count := len(m.x.facts)
	if m.open && count > m.from && m.x.facts[count-1].join(text) {
		return
	}
	if question, ok := m.asks(); ok && m.first && len(words) <= maxElliptical {
		m.x.note(m.s.turn, memory.FactOther, foreignImportance, capital(m.s.speaker.name)+": "+question+" "+text)
	} else {
		m.x.foreign(text, m.s.speaker, t)
	}
	if m.open = len(m.x.facts) > count; m.open {
		m.first, m.asked = false, ""
	}
}

// maxElliptical is how many words an answer has at most that is kept with its question.
const maxElliptical = 8
