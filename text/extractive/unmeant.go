package extractive

import "strings"

// roles begin a play in which the user is somebody else as well: nothing of it
// is about them.
var roles = newPhrases(`
	let's|lets play ... you are|be|play
	let's|lets play pretend|make-believe|role
	let's|lets role-play|roleplay|pretend|improvise
	^ role-play|roleplay
	^ let's? pretend i|we am|are
	be|play|are my|the|a|our dungeon|game master
	start|run|play|begin a|our|the ~ text adventure
	can|could|will|would you play the|a|an|my
	^ please|you|now? play the|a|an|my
	^ pretend you are|were
	^ you be|play the|a|an|my
	i will be|play the|a|an|your ~ and you
	let's|lets|can|could ~ make|do|act|play a|an ~ dialogue
	^ let's|lets ~ rehearse|practise|practice|simulate ~ interview|call|incident|negotiation|exam|trial|conversation|talk
	let's|lets|can|could ~ mock|practice interview|call|incident|negotiation|exam|trial|conversation
	^ do|run|start|give ~ mock|practice interview|call|incident|negotiation|exam|trial|conversation
	you are ... and|while i am ~ knight|wizard|pirate|detective|king|queen|prince|princess|customer|guest|prisoner|hero|dragon|ghost|vampire|elf|spy|stranger|suspect|sailor|astronaut|captain|traveller|alien`)

// noRoles are the words of what is played without being somebody else.
var noRoles = set("devil's advocate piano guitar violin drums music song video chess cards football tennis")

// curtains end a play.
var curtains = newPhrases(`
	end|stop|quit|pause of|the|this|our|with ~ game|play|roleplay|role-play|story|scene|act
	game|play|scene|story over
	out of character|role
	^ ooc
	end|stop|quit|pause ~ drill|mock|rehearsal|simulation|exercise
	^ end of
	drill|rehearsal|simulation over|done
	enough practice|practising|practicing|training|acting|playing
	^ ok|okay|good|great|right? that|that's ~ enough
	none|nothing of that|it|this ~ true|real
	in real life
	back to reality|work|business|real|normal|the
	real|serious question
	^ haha|ha|ok|okay|alright|fine|right? ok|okay? stop|enough|cut
	for real
	^ seriously|anyway
	enough of|with ~ game|play|roleplay|role-play|story`)

// maxPlay is after how many sentences of the user a play is over that nobody
// ended.
const maxPlay = 40

// playing reports whether a sentence is part of a play, and remembers where one
// begins and ends. A sentence that ends it is taken at its word.
func (d *dialogue) playing(words []word) bool {
	switch {
	case d.play > 0 && (curtains.in(words) || sobering.in(words)):
		d.play = 0
		return len(words) < 7 // only says so
	case roles.in(words) && !mentions(words, noRoles):
		d.play = maxPlay
	}
	d.play = max(0, d.play-1)
	return d.play > 0
}

// samples are the words of data that is made up, and of whom it is about.
var samples = newPhrases(`
	john|jane doe|roe
	joe bloggs|public
	max|erika mustermann|musterfrau
	lorem ipsum
	foo bar
	seed|test|sample|dummy|fake|mock|placeholder user|users|customer|customers|name|names|record|person ~ called|named
	i need|want ~ seed|test|sample|dummy|fake|mock|placeholder data|records|rows|users|customers|names|entries|input
	^ please? add|make|create|generate|insert|give ~ seed|test|sample|dummy|fake|mock|placeholder data|record|records|rows|user|users|customer|customers|name|names|entry|entries|input
	use|add|make|create|insert|take a|an|another customer|user|person|patient|employee|student|client|product|record|row named|called
	^ in|for the|this|that|my|our ~ test|example|fixture|sample|mock|scenario|demo the|a|an user|customer|person|patient|client|student|employee
	^ in|for the|this|that|my|our ~ test|example|fixture|sample|mock|scenario|demo he|she
	^ in|for the|this|that|my|our ~ test|example|fixture|sample|mock|scenario|demo ~ use|take|put ~ user|customer|patient|person|name|client
	^ in|for the|this|that|my|our ~ sample|example|dummy|mock|fixture
	^ the|a user|customer|patient in|of the|this|our ~ test|example|fixture|sample|mock|scenario|demo
	^ please? write|compose|invent|improvise|tell ~ poem|story|song|joke|limerick|haiku|scene|dialogue|fairytale|tale|sketch|rap|bio|biography
	^ please? make up a|an|some
	^ please? draft|write|compose ~ email|letter|mail|message|note|reply|post|text ... saying|that|where|which|telling|announcing|pretending
	^ let|suppose|say|assume ~ user|customer|patient is|be|lives|has|called`)

// exampleLabels are the words before an example.
var exampleLabels = set("example sample e.g demo beispiel exemple ejemplo esempio")

// scorn are the openings of what is meant the other way round.
var scorn = newPhrases(`
	^ oh|well? great|wonderful|fantastic|brilliant|joy|perfect|lovely|good|super|nice|awesome ... again|down|broken|failed|failing|crashed|error|errors|outage|red|late|delayed|dead|another
	^ of course it|the|they|he|she ... again|down|broken|failed|failing|crashed|red|late|delayed|dead
	^ just|exactly what i needed|wanted
	thought it is|was|would|it's be? a|an ~ good|great|wonderful|brilliant|clever|smart|genius idea|move
	what could possibly? go wrong
	said no one|nobody
	because that|it|this ~ worked|went so|out well|great
	^ because ~ what|all i need|needed
	^ thanks a lot|for nothing
	^ na toll|super|klasse|prima|wunderbar`)

// cheers are openings that are scorn or joy; joy is loud.
var cheers = newPhrases("^ oh great|wonderful|fantastic|brilliant|joy|perfect|lovely|good|super|nice|awesome|yay|fun")

// praise is what scorn goes on with in the same breath.
var praise = newPhrases(`
	i|we ~ love|adore|enjoy|like|appreciate
	i|we am|are ~ thrilled|delighted|happy|glad|excited
	best|great|fantastic|wonderful|brilliant|amazing|medal|genius|perfect|awesome|reliable|lovely`)

// jests are the words of what is told for fun.
var jests = newPhrases(`
	am|is|are|was|were secretly
	i am|invented|built|discovered|own|ran|rule|created ~ queen|king|emperor|pope|president|moon|sun|universe|internet|wheel|gravity|santa|batman|superman|god
	i am basically|practically|literally a|an|the
	^ as a joke|prank|gag
	^ joke|pun|riddle of the|for
	^ here is a|an|another|my|one ~ joke|pun|riddle`)

// fiction are the words of what a story tells, which goes on as a joke does.
var fiction = newPhrases(`
	^ in my|our|the|a|his|her ~ novel|story|screenplay|fairytale|comic|saga|campaign the|a|an|he|she|they|everybody|everyone|nobody|there
	^ my|our|the ~ hero|heroine|protagonist|antagonist|narrator|villain is|was|has|had|lives|hates|loves|kills|finds|owns|comes|works`)

// tales tell what a work is about; what comes behind them without the speaker is of the tale.
var tales = newPhrases(`
	^ my|our|the|a ~ play|novel|story|film|screenplay|musical|opera|comic|sketch is|was about|set
	^ plot|synopsis|premise|logline
	^ the plot|synopsis|premise
	^ in? act|chapter|scene # `)

// plots are the words of a question for what happens in a tale.
var plots = newPhrases(`
	what ~ happens|happen in|next|then|there
	what ~ plot|story|premise|setting
	how does it|the ~ end|begin|start|open`)

// sarcastic reports whether a sentence is meant the other way round. The openings
// alone do not tell: a letter that is drawn out does, behind a "yeah".
func sarcastic(words []word) bool {
	if ironic.in(words) || scorn.in(words) {
		return true
	}
	first := words[0].low
	if first != "yeah" && first != "yes" && first != "right" && first != "sure" && first != "oh" && first != "because" {
		return false
	}
	for _, w := range words {
		if drawnOut(w.low) {
			return true
		}
	}
	return false
}

// drawnOut reports whether a word has a letter three times in a row: "sooo".
func drawnOut(low string) bool {
	for i := 2; i < len(low); i++ {
		if low[i] == low[i-1] && low[i] == low[i-2] && low[i] >= 'a' && low[i] <= 'z' && low[i] != 'w' && low[i] != 'i' && low[i] != 'x' {
			return true
		}
	}
	return false
}

// goesOnJesting reports whether a sentence goes on with the joke of the one
// before: it leans on it, says what would be, or shares a word with it.
func (m *message) goesOnJesting(words []word) bool {
	if m.jest == nil || sober.in(words) || len(words) == 0 {
		return false
	}
	if m.scorned {
		return praise.in(words) || len(words) < 4 && !verbal(words)
	}
	if grounded.in(words) {
		return false
	}
	if m.dream && !finite(words) {
		return true // "Two testers, a lab" behind "I wish we had"
	}
	if first := words[0].low; lostSubjects[head(first)] || wouldDo(words) || mentions(words, intents) || first == "and" || first == "then" {
		return true
	}
	for stem := range stemSet(join(words)) {
		if m.jest[stem] && !weak[stem] {
			return true
		}
	}
	return false
}

// sober are the words behind which a joke is over.
var sober = newPhrases(`
	seriously|anyway|anyways|actually
	^ but|ok|okay|no|btw
	in real life
	real|serious plan|question
	jokes|joking aside
	by the way`)

// unmeant reports whether a sentence is none that says what is so: part of a
// play, scorn, a joke, made-up data, or how somebody is just now.
func (m *message) unmeant(words []word) bool {
	if len(words) == 0 {
		return false
	}
	if m.x.talk.playing(words) || samples.in(words) || exampleLabels[words[0].low] && (words[0].low == "e.g" || strings.Contains(words[0].post, ":")) {
		return true
	}
	if m.tale && !mentions(words, firstPerson) && !grounded.in(words) && !sober.in(words) {
		return true
	}
	if m.tale = tales.in(words); m.tale && strings.Contains(join(words), ":") {
		return true
	}
	if m.imagined(words) {
		m.x.talk.unreal = true
		return true
	}
	switch {
	case sarcastic(words):
		m.jest, m.scorned = map[string]bool{}, true
	case m.goesOnJesting(words):
	case jests.in(words) || jesting(words) || fiction.in(words):
		m.jest, m.scorned, m.dream = stemSet(join(words)), false, false
	case momentary(words), refutes(words):
		return true
	case cheers.in(words):
		m.jest, m.scorned = map[string]bool{}, true // what comes next may be meant the other way round
		return false
	case dreams.in(words):
		m.jest, m.scorned, m.dream = stemSet(join(words)), false, true
		return false
	default:
		m.jest = nil
		return false
	}
	m.x.talk.unreal = true
	return true
}

// refuted are the words of a sentence that tells what was said and that it is
// not so.
var refuted = newPhrases(`
	said|says|told|thought|claimed|claims|thinks|believed ... rubbish|nonsense|wrong|untrue|false|bullshit|bs
	said|says|told|thought|claimed|claims|thinks|believed ... ~ rubbish|nonsense|wrong|untrue|false|bullshit|bs`)

// refutes reports whether a sentence ends with that: "She said it was broken,
// which turned out to be wrong". What comes behind it would be how it is.
func refutes(words []word) bool {
	switch words[len(words)-1].low {
	case "rubbish", "nonsense", "wrong", "untrue", "false", "bullshit", "bs":
		return refuted.in(words)
	}
	return false
}

// dreams begin what would be; the sentence itself is judged by the half of it that is so.
var dreams = newPhrases(`
	imagine we|i|you|he|she|they|if
	^ if i|we were|had|won|could
	^ if only|money
	^ i|we wish
	^ i|we would give|trade
	^ in my|our dreams`)
