package extractive

import (
	"slices"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// quotation is text between quotation marks.
var quotation = lazyregexp.New(`"[^"\n]*"`)

const (
	// quoted stands for a quotation that was taken out.
	quoted = `"…"`
	// minQuoted is how many words a quotation has at least to say something; a
	// shorter one is a title or a word.
	minQuoted = 4
	// nearQuote is how many bytes before or behind a quotation say whose it is.
	nearQuote = 60
)

// reports are the words by which somebody quotes.
var reports = newPhrases(`
	say|says|said|tell|tells|told|write|writes|wrote|written|ask|asks|asked|text|texts|texted|post|posts|posted|comment|comments|commented
	claims|claimed|shouted|yelled|joked|replied|answered|mailed|emailed|reads|quoted|quote|quoting|goes|went|like
	review|reviews|comment|headline|slogan|ad|advert|sign|sticker|email|mail|message|channel|chat|letter|post|article|song|lyrics
	line|lines|verse|chorus|poem|rhyme|proverb|saying|motto|mantra|tagline|caption|tweet|subtitle|lyric|punchline|joke|quote|banner|poster|plaque|label|note|voicemail|chant
	opens|begins|starts|ends|closes|titled|sings|sang|mutters|muttered|screams|screamed|insisted|insists|thinks|thought|swears|swore|protested|announced|declared|quips|jokes|complained|complains`)

// ownWords are those of them by which the speakers quote themselves.
var ownWords = newPhrases(`
	i|we ~ say|said|wrote|write|told|tell|call|answered|replied`)

// passage is a quotation of several lines: it fills them from the first to the last.
var passage = lazyregexp.New(`(?m)^[ \t]*"[^"]{40,}"[ \t.]*$`)

// singleQuoted is a text of some words between single quotation marks, which within a word
// are apostrophes.
var singleQuoted = lazyregexp.New(`(^|[\s(:])['‘]([^'’"\s]+(?:[ ,;:.!?-]+(?:[^'’"\s]|\b['’]\b)+){3,})['’]($|[\s.,;:!?)])`)

// withoutQuotes puts a mark in the place of what others are quoted with: they
// may be joking, advertising or wrong. So it does with what somebody in a quotation
// says of themselves, such as a letter, a line of a play or an example.
func withoutQuotes(text string) string {
	if !strings.ContainsAny(text, `"“„«”'‘`) {
		return text
	}
	text = singleQuoted().ReplaceAllString(text, `$1"$2"$3`)
	text = passage().ReplaceAllString(quoteMarks.Replace(text), quoted+".")
	var b strings.Builder
	done := 0
	for _, span := range quotation().FindAllStringIndex(text, -1) {
		before := text[max(0, span[0]-nearQuote):span[0]]
		if i := strings.LastIndexAny(before, ".!?\n"); i >= 0 {
			before = before[i+1:]
		}
		behind := text[span[1]:min(len(text), span[1]+nearQuote)]
		if i := strings.IndexAny(behind, ".!?\n"); i >= 0 {
			behind = behind[:i]
		}
		whose := cut(strings.ToValidUTF8(before+" "+behind, ""))
		within := cut(text[span[0]:span[1]])
		if len(within) < minQuoted || !reports.in(whose) && !mentions(expand(within), firstPerson) || ownWords.in(expand(whose)) {
			continue
		}
		b.WriteString(text[done:span[0]] + quoted)
		if done = span[1]; strings.ContainsAny(text[done-2:done-1], ".!?") {
			b.WriteByte('.')
		}
	}
	return b.String() + text[done:]
}

var quoteMarks = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// hearsay are the words before what somebody only heard or read.
var hearsay = newPhrases(`
	i|we ~ read|heard|saw|seen ~ somewhere|online|reddit|twitter|tiktok|facebook|instagram
	i|we ~ read|saw on|in ~ forum|blog|internet|web|article|magazine
	people|some|others|folks|everyone|everybody|many|most ~ say|says|saying|claim|claims|swear|swears|think|thinks|believe|believes|insist|insists
	according to ~ article|blog|internet|reddit|forum|magazine|legend|rumour|rumor|rumours|rumors|horoscope|some
	they say|claim|reckon
	if you|we|i ~ believe|trust|ask him|her|them|that|it|the|my|our
	i|we had been told|assured|promised
	used to say|tell|claim|think|believe
	word|talk has|is it|that|of
	it is said|rumoured|rumored
	a little bird
	^ i|we ~ heard the|that|a|an|my|our|his|her|it|they|he|she|there|some|we
	someone|somebody|people|folks told|tells|assured me|us
	^ word is
	^ as my|our|the|they|she|he ~ say|says|goes|put|puts
	^ as ~ would|used to? say
	brochure|leaflet|flyer|commercial|sign|sticker|fortune|cookie|astrologer says|said|promises|promised|claims|claimed
	so|as they|people|some say|claim
	i|we have? been told ~ somewhere|online
	horoscope|fortune|psychic|tarot
	apparently|allegedly|supposedly|reportedly
	rumour|rumor|rumours|rumors has|have|is|are|says|say|that
	legend has
	mother|father|mum|mom|dad|brother|sister|friend|neighbour|neighbor|colleague|boss|husband|wife|he|she|aunt|uncle|cousin|somebody|someone thinks|believes|reckons|claims|swears
	internet|reddit|twitter|tiktok|article|blog|horoscope|ad|ads|advert|forum|headline says|said|claims|claimed|promises|promised`)

// toldBy are the words before what somebody says who need not know.
var toldBy = newPhrases("^ my|our|an|a|some|the ~ aunt|uncle|neighbour|neighbor|grandma|grandpa|grandmother|grandfather|friend|friends|buddy|cousin|colleague|coworker|roommate|flatmate|guy|barber|taxi says|say|said|insists|keeps|is convinced|saying? that?")

// opined reports whether a sentence tells only what somebody says of the world:
// nothing of the user, of anybody with a name, of a day or a number.
func opined(words []word) bool {
	if len(words) > 3 && words[0].low == "some" && someone(words[1].low) {
		return true
	}
	if !toldBy.in(words) {
		return false
	}
	return !slices.ContainsFunc(words[2:], func(w word) bool {
		return firstPerson[w.low] || number(w.low) || named(w) || shape(w.text) != "" || lostSubjects[head(w.low)] && w.low != "that" && w.low != "it" && w.low != "there"
	})
}

// someone reports whether a word means people: "people", "designers".
func someone(low string) bool {
	return low == "people" || low == "folks" || low == "men" || low == "women" || len(low) > 6 && (strings.HasSuffix(low, "ers") || strings.HasSuffix(low, "ists"))
}

// jest are the marks of a sentence that is not meant.
var jest = set("lol haha hahaha lmao rofl xd hihi hehe")

// intents are the words of what would be done: with a laugh, it will not be.
var intents = set("could should would might will shall let's lets must need gonna maybe going just imagine thinking considering planning tempted")

// jesting reports whether a sentence laughs at what it proposes. What is told
// with a laugh may well be true.
func jesting(words []word) bool {
	laughs := false
	for _, w := range words[max(0, len(words)-2):] {
		laughs = laughs || jest[w.low] || strings.Contains(w.post, ";)") || strings.Contains(w.post, ";-)") || strings.Contains(w.post, ":P") || strings.Contains(w.post, ":p")
	}
	return laughs && (imperatives[words[0].low] || mentions(words, intents))
}

// ironic are the words before what nobody means.
var ironic = newPhrases(`
	^ yeah|yea|yes|oh|ha right and|i|we|that
	^ sure|right and|because pigs|i|we|my|the
	^ sure|right|yeah and next|then|tomorrow|soon|he|she|they|it
	^ by that|this|the logic
	^ as if`)
