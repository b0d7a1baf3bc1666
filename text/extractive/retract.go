package extractive

import (
	"mcp-memory/memory"
)

// retraction are the words by which somebody takes back what they just said.
var retraction = newPhrases(`
	^ scrap|scratch|strike|forget|ignore|disregard|delete|cancel that|it|this
	^ never mind
	^ nevermind
	^ just|only kidding|joking|dreaming|teasing|messing
	^ i made that|it|this up
	^ i was ~ exaggerating|messing|lying|pulling
	^ i lied
	^ april fool|fools
	^ belay that
	^ kidding|joking|joke|jk
	^ no? wait
	^ hold|hang on
	^ do|please? not|don't save|write|note|store|keep|record that|this|it
	^ please don't save|write|note|store|keep|record that|this|it
	^ don't save|note|store|record|quote
	^ not serious|seriously
	^ /s
	^ s obviously
	^ i was ~ kidding|joking|dreaming
	^ we are|were kidding|joking
	^ i am ~ kidding|joking
	^ i take ~ back
	^ i misspoke
	^ that|it was|is|were ~ joke|nonsense|wrong|rubbish
	^ that's|it's ~ joke|nonsense|wrong|rubbish
	^ that|it was|is a|all ~ lie|test
	^ that's|it's a|all ~ lie|test
	^ over my dead body
	^ silly|stupid|bad idea
	^ can't|cannot be true|right|serious
	^ that|it can't|cannot be true|right|serious
	^ not really|true|quite
	^ my|our mistake|bad|error
	^ i stand corrected
	^ at least ~ did|was|were|used|had ~ before|until|then|last|to
	no forget it|that
	forget i said`)

// sobering are the words behind which somebody who was joking tells how it is.
var sobering = newPhrases(`
	^ ok|okay|alright|fine|right|no|now|well|but|and but? seriously
	^ in all seriousness
	^ all? jokes|joking|kidding aside
	^ to be serious`)

// ofOther are those that are rather about what the assistant just said, if the
// turn begins with them.
var ofOther = newPhrases(`
	^ that|it|that's|it's ~ nonsense|wrong|rubbish|true|right
	^ wrong`)

// wait are the words within a sentence behind which it starts again.
var wait = newPhrases(`
	^ no wait|sorry|rather
	^ wait no
	^ actually no
	^ scratch|scrap that
	^ hmm no
	^ hold|hang on no
	^ or rather`)

// reconsidered returns what of a sentence is left when what was taken back is
// gone, and whether anything was.
func reconsidered(words []word) (rest []word, again bool) {
	if len(words) == 0 {
		return words, false
	}
	low := len(words) == 1 && (words[0].low == "no" || words[0].low == "nah" || words[0].low == "nope") // "Are you serious?" "No."
	for i := range words {
		if (i == 0 || words[i-1].ends()) && wait.in(words[i:]) {
			rest = words[min(i+2, len(words)):]
			for len(rest) > 1 && rest[0].ends() && (corrective[rest[0].low] || rest[0].low == "wait" || rest[0].low == "sorry") {
				rest = rest[1:]
			}
			if len(rest) > 0 && retraction.in(rest) {
				rest = nil
			}
			return rest, true
		}
	}
	if low {
		return words, false
	}
	if len(words) < 5 && usedTo.in(words) {
		return nil, true
	}
	if len(words) < 3 && called[words[len(words)-1].low] {
		return nil, true
	}
	if !retraction.in(words) && !sobering.in(words) {
		return words, false
	}
	for i := 1; i < len(words); i++ { // "Scrap that, we take the train"
		if rest := words[i:]; words[i-1].ends() && !retraction.in(rest) && !unreal(rest) && (len(rest) > 2 && verbal(rest) || onlyOrdinal(rest) != "" || onlyValue(join(rest)) != "") {
			return words[i:], true
		}
	}
	return nil, true
}

// called are the words that take something off: "Cancelled."
var called = set("cancelled canceled")

// usedTo is what takes back that something still is so.
var usedTo = newPhrases(`
	^ i|we used to
	^ that|it was before|earlier|once|then|history|back
	^ not any more|anymore
	^ no longer`)

var beForms = set("is are was were")

// actual returns what of a sentence is so, where only its first half is not:
// "They would, but the hood is broken". Nil if that is none of it.
func actual(words []word) []word {
	for i := 1; i+3 < len(words); i++ {
		if words[i].low != "but" && words[i].low != "however" {
			continue
		}
		if settled.in(words[i:]) {
			return words
		}
		rest := words[i+1:]
		if !unreal(rest) && verbal(rest) && !pointers[rest[len(rest)-1].low] && !lostSubjects[head(rest[0].low)] && !noise.in(rest) && (stems(rest) >= minStems || len(rest) > 3 && firstPerson[rest[0].low] && stems(rest) > 0) {
			return rest
		}
		return nil
	}
	return nil
}

// wouldBut are the words before what keeps somebody from something.
var wouldBut = newPhrases("^ they|it|that|he|she|i|we would|could|should but|though")

// settled are the words of a decision against what was thought of before.
var settled = newPhrases(`
	^ but|however ~ decided|chose|opted|settled|dropped|rejected|abandoned|dismissed against|to|on|for|it|them|that|the|not
	^ but|however ~ went|stayed|stuck with|for`)

// unreal reports whether a sentence tells what is not so, or nobody knows.
func unreal(words []word) bool {
	return hypothetical.in(words) || wish.in(words) || guess.in(words) || wouldDo(words) || joke.in(words[max(0, len(words)-2):]) ||
		hearsay.in(words) || opined(words) || jesting(words) || alleged(words) || ofOthers(words) || foiled.in(words)
}

// wouldDo reports whether somebody would do something, and not just like to.
func wouldDo(words []word) bool {
	for i := 0; i+2 < len(words); i++ {
		if (words[i].low == "i" || words[i].low == "we") && words[i+1].low == "would" {
			v, ok := following(words, i+1)
			return ok && !politely[words[v].low]
		}
	}
	return false
}

var politely = set("like love rather prefer appreciate want need say be")

// joke are the words that a joke ends with.
var joke = newPhrases(`
	jk
	/s
	/joke
	just kidding|joking
	not really`)

// wish are phrases of what would be.
var wish = newPhrases(`
	don't|not save|write|note|store|repeat that|this
	i|we could
	would kill|die|be|have
	over my dead
	if ~ ~ would|could|might
	^ one day|someday
	i|we wish i|we|it|he|she|they|there|my|our
	in my|our|your|his|her ~ dreams
	in my|our|your|his|her head|mind|imagination|fantasy
	in another|a|an perfect|ideal|other|different life|world
	in a parallel|better world|universe
	^ yeah|yea right
	^ sure and
	^ pretend|roleplay|role-play
	in the|my|a|our novel|story|screenplay|dream
	hero|heroine|protagonist|antagonist|narrator|villain|sidekick of|in
	^ my|our|the|his|her ~ hero|heroine|protagonist|antagonist|narrator|villain|sidekick|avatar|alter
	^ my|our|the main|title|lead|fictional character
	my|our|the dungeons|d&d|rpg|larp character|campaign
	in the|my|our game|campaign|film|movie|play|sketch|comic|saga|trilogy|fairytale
	in|of chapter|scene|act|verse #
	^ some day`)

// guess are phrases of what the speaker does not know.
var guess = newPhrases(`
	^ maybe|perhaps|probably|possibly|presumably
	^ i|we guess|suppose|assume|suspect
	^ i|we am|are not sure
	^ not sure|certain
	^ pretty|fairly|quite|almost|half|reasonably sure|certain
	^ could|might|may be
	maybe|perhaps|probably|possibly
	i|we guess|suspect|suppose
	might|could|may be|have
	might want|need|take|get|go|come|join|move|buy|leave|cost|change|switch|help|add|use
	would need|want|have|be ... if
	^ ~ meint|glaubt|vermutet|behauptet
	^ ~ thinks|believes|reckons|suspects|guesses|fears|hopes
	^ must be the|a|some|that|his|her|their|its
	i|we ~ bet
	my|our ~ guess|bet|hunch|theory|suspicion is|was
	i|we would say
	^ hopefully
	^ fingers crossed
	^ with ~ luck
	^ in the? best|worst case
	^ best|worst case
	^ ideally
	^ in theory
	i|we ~ hope ~ the|it|that|this|he|she|they|we|i|my|our|there
	but|which that|it is ~ not|wrong|nonsense|false|untrue true?
	but that's|that|it's not|wrong|nonsense|false|untrue|isn't
	would be ~ nice|cool|fun|great|lovely|funny|better|awesome
	seems like|to be
	i|we was|were thinking|considering|dreaming
	i|we was|were going to
	i|we almost|nearly *past
	^ almost|nearly *past
	i|we thought about|of
	i|he|she|they|it would kill|die|scream
	he'd|she'd|they'd|it'd kill|die|scream
	i|we am|are ~ tempted|toying|dreaming
	i|we am|are ~ sure|certain|convinced|confident ... will|would|must
	i|we think|believe it|it's|that's|this|the ~ is|was|comes
	should be
	if i remember|recall
	what if
	why not
	it|that|this|everything|all? depends on|how|whether|if
	^ depends on|how|whether|if
	i|we am|are torn|undecided|unsure|hesitating|wavering
	torn between
	undecided between|whether|about|if
	i|we|he|she|they have not ~ decided|settled|chosen|agreed
	not ~ decided|settled|certain|sure yet
	yet to decide|choose|see|agree
	remains to be
	^ we|i will see
	up in the air
	on the fence
	touch and go
	^ either ... or
	toying with
	playing|flirting with the idea|thought
	wondering if|whether|about
	keep|keeps|kept telling|promising myself|ourselves|himself|herself
	weighing|mulling|pondering
	if all|everything|things goes|go
	god willing
	i|we dream|dreamt|dreamed|fantasise|fantasize of|about
	^ who knows
	for all i know
	i|we have|has? a|the feeling|sneaking|funny
	i|we am|are not? ~ convinced|certain whether|if|that
	i|we will|shall|would ... ~ unless
	i|we am|are ~ half|almost|nearly minded|decided|ready
	i|we came|come|were|was ~ close|near|inches|this to|from *ing
	i|we was|were about to
	i|we had ~ planned|meant|intended|hoped|wanted to
	on a whim
	knowing my luck
	^ should|shall i|we
	is|are|was|were|keeps|kept thinking|contemplating|toying|dreaming|fantasising|talking ~ of|about|with
	is|are|was|were considering|contemplating|pondering|mulling
	^ until then|tomorrow assume|take|say
	^ ~ swears|bets|predicts|doubts|pretends|jokes|imagines|speculates|assumes|figures
	i|we will ~ go|move|buy|hire|fly|travel|come|rent|sell|visit|quit|switch|marry|invite|adopt|stay ... if|unless|provided|assuming|depending
	^ as long as
	^ provided|assuming|depending
	i|we|they|he|she was|were ~ meant|supposed|set|due|planning|hoping to
	^ once upon
	^ say i|we|you|he|she|they|it|the|there
	^ assume|presume
	million|thousand|hundred|zillion|gazillion|billion times
	waiting for a|# million|thousand|hundred|zillion years
	dying for a|an|some
	i|we could murder|kill|eat|sleep`)

// withdrawn are the words by which somebody takes back what they said a while ago.
var withdrawn = newPhrases(`
	^ please? forget|scrap|ignore|disregard about|what|the
	^ please? forget|scrap|ignore ~ i said
	^ i was|am wrong|mistaken about
	is|are off the table`)

// turnings are the words of somebody who has changed a plan.
var turnings = newPhrases(`
	changed|changes|changing my|our|his|her|their|its mind|minds|plan|plans
	after all
	in the end
	ended up
	no longer
	not|n't ~ any more|anymore
	cancelled|canceled|bailed
	dropped|backed|pulled|fell out|through
	can't|cannot|won't|couldn't ~ make it
	on second thought|thoughts
	i|we have? cancelled|canceled
	^ cancelled|canceled
	i|we am|are not doing|running|attending|joining|taking|buying|flying|visiting|hiring`)

// changed drops an earlier fact that a change of mind makes false: the one
// that shares most with it, at least the name and a word. It reports whether s only takes back.
func (x *extraction) changed(s said) (gone bool) {
	gone = withdrawn.in(s.words)
	if !gone && !turnings.in(s.words) {
		return false
	}
	says := stemSet(join(s.words))
	var name string
	for i, w := range s.words {
		if named(w) && w.low != "i" && !turnWords[w.low] && !(i == 0 && called[w.low]) {
			name = w.text
			break
		}
	}
	best, most := -1, 1
	if gone {
		most = 0
	}
	for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
		f := &x.facts[i]
		if f.dropped || name != "" && !has(f.Content, name) {
			continue
		}
		shared := 0
		for stem := range stemSet(f.Content) {
			if says[stem] && !weak[stem] {
				shared++
			}
		}
		if shared > most {
			best, most = i, shared
		}
	}
	if best < 0 && (afterAll.in(s.words) || ofMind.in(s.words)) {
		best, name = x.latestDecision(), ""
	}
	switch {
	case best >= 0 && name != "":
		x.facts[best].without(name)
	case best >= 0:
		x.facts[best].dropped = true
	}
	return gone
}

// afterAll are the words of a decision that takes the place of another.
var afterAll = newPhrases(`
	went|go|going|stick|stuck|stay|stayed with ... after all
	chose|took|take|picked|bought|booked|use|using|decided|settled ... after all
	in the end ~ chose|took|went|picked|bought|booked|decided|settled
	ended up with|using|choosing|taking|buying|booking`)

// ofMind begin what takes the place of the plan before.
var ofMind = newPhrases("^ nah|no|ok|actually? i|we? have? changed my|our mind|minds|plan|plans")

// booking are the words of what can be called off.
var booking = newPhrases("booked|reserved|ordered|planned|scheduled|subscribed|will|going|plans|arranged|signed")

// latestDecision returns the latest fact if it is a decision or a plan, -1 if it is none.
func (x *extraction) latestDecision() int {
	if i := len(x.facts) - 1; i >= 0 && !x.facts[i].dropped && (x.facts[i].Type == memory.FactDecision || i >= x.talk.from && booking.in(cut(x.facts[i].Content))) {
		return i
	}
	return -1
}

// instead returns what a sentence that takes something back says in its place:
// "I was wrong about Jenkins, we use Buildkite". Nil if nothing.
func instead(words []word) []word {
	rest := behind(words)
	if len(rest) > 2 && !lostSubjects[head(rest[0].low)] && (verbal(rest) || firstPerson[rest[0].low]) && !unreal(rest) {
		return rest
	}
	return nil
}

// weak are stems that many plans share.
var weak = set("said forget scrap ignor what want go plan mind chang user do does think new make get take")

var turnWords = set("we the my our on after no forget scrap ignore disregard please")
