package analysis

import (
	"slices"
	"sync"
)

// Telling is like [Content], for comparing the topics of texts. It leaves out
// the articles, pronouns, auxiliaries, prepositions and adverbs of German,
// French and Spanish, which texts share that have nothing else in common. Words
// that are also English ("war", "son") are left out only if there are at least
// [clearly] words of these languages that are not. If nothing is left, it
// returns Content.
func Telling(text string) []string {
	stems := Content(text)
	x := functions()
	foreign := 0
	for _, s := range stems {
		if x.plain[s] {
			foreign++
		}
	}
	if foreign == 0 {
		return stems
	}
	told := slices.DeleteFunc(slices.Clone(stems), func(s string) bool {
		return x.plain[s] || foreign >= clearly && x.shared[s]
	})
	if len(told) == 0 {
		return stems
	}
	return told
}

// clearly is the number of foreign function words from which a text counts as
// not English.
const clearly = 2

// functionWords has the stems of function words. Those in plain are not English
// words, those in shared are.
type functionWords struct{ plain, shared map[string]bool }

var functions = sync.OnceValue(func() functionWords {
	set := func(words string) map[string]bool {
		stems := map[string]bool{}
		for _, s := range Content(words) {
			stems[s] = true
		}
		return stems
	}
	return functionWords{plain: set(german + french + spanish), shared: set(shared)}
})

const (
	german = `der das dem den ein eine einen einem einer eines ich du wir ihr mich mir dich dir uns euch ihn ihm sich
mein meine meinen meinem meiner meines dein deine sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere unseren unserem unserer euer
bist ist sind seid waren wäre habe haben hast hatte hatten wird werde werden wurde wurden worden
und oder aber denn weil dass wenn als nicht kein keine keinen keinem mehr noch schon nur auch sehr jetzt nun immer wieder seit mit nach bei aus von vom zu zum zur
für über auf im ins ab bis durch gegen ohne vor hinter neben zwischen dort hier dann
wo wer wie wann warum welche welcher welches welchen wem wen wessen `
	french = `j le les une du je il elle nous vous ils elles moi toi lui leur mon mes ses notre nos votre vos
suis sommes êtes sont étais était étaient été ai avons avez ont avais avait aurai et ou mais donc que qui quoi où quand comment pourquoi
ne pas jamais toujours encore aussi très maintenant avec dans sur sous chez depuis vers cette ces cet aux quel quelle quels quelles `
	spanish = `el los las unos unas tú él ella nosotros ellos ellas mis sus nuestro nuestra eres somos estoy está están estaba tengo tiene
hemos había pero quien cuando dónde donde cómo para desde hasta sobre entre ahora muy también siempre nunca del `
	shared = `die war hat man bin er des ob um da un ma ta sa tes ton sans par dont au as ha han y por ya del al es est son con sin era mi me te se no lo la de en tu pour plus car yo soy tus unter`
)
