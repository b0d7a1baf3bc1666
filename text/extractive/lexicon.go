package extractive

import "strings"

// set makes a set of the words of a text.
func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// contractions maps short forms to what they stand for: those of the pronouns that resolve replaces
// ("i'm" is "i am"), and careless spellings.
var contractions = map[string]string{
	"i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have", "i'll": "i will",
	"we're": "we are", "we've": "we have", "we'll": "we will",
	"you're": "you are", "you've": "you have", "you'll": "you will", "y'all": "you",
	"u": "you", "ur": "your", "dont": "don't", "didnt": "didn't", "cant": "can't", "doesnt": "doesn't",
	"gonna": "going to", "wanna": "want to", "gotta": "got to", "'cause": "because", "cuz": "because",
	"thinkin'": "thinking", "whats": "what's", "pls": "please", "plz": "please", "ppl": "people", "rn": "currently",
}

var (
	modals = set(`will would can could should may might must shall can't cannot won't wouldn't couldn't shouldn't mightn't
		mustn't didn't did wasn't was isn't is has hasn't had hadn't does doesn't used ought`)

	// agreement maps verbs that change more than an ending to their form behind a name: "have"
	// becomes "has".
	agreement = map[string]string{
		"am": "is", "are": "is", "were": "was", "have": "has", "do": "does",
		"aren't": "isn't", "weren't": "wasn't", "haven't": "hasn't", "don't": "doesn't", "ain't": "isn't",
	}

	irregularPast = set(`ate awoke became began bent bet bit bled blew bought bound bred broke brought built burnt came caught
		chose clung crept cut dealt drank dreamt drew drove dug fed fell felt fled flew forgave forgot fought found froze
		gave got grew heard held hid hit hung hurt kept knelt knew laid learnt led left lent let lit lost made meant met
		overcame paid put quit ran rang read rode rose said sang sank sat saw sent set shone shook shot shut slept slid
		sold sought spent split spoke spread spun stole stood struck stuck swam swept swore swung taught thought threw
		told took tore underwent understood upset went wept withdrew woke won wore wound wrote cost`)

	participles = set(`been become begun bitten blown bought broken brought built caught chosen come done drawn driven eaten
		fallen felt found flown forgotten given gone got gotten grown had heard held hidden kept known led left lost made
		meant met paid read ridden run said seen sent set shown sold spent spoken stood sung taken taught thought told
		thrown understood won worn written`)

	// presentInEd are words that end like a verb in the past without being one.
	presentInEd = set("need feed proceed succeed exceed speed bleed breed heed embed shed wed seed weed")

	// adverbs stand between a subject and its verb.
	adverbs = set(`just also always never often still already even now then only kinda sometimes almost ever soon
		sometimes today both all not rather quite once usually normally generally mostly maybe perhaps too either`)

	// verbsInLy are verbs that end like an adverb.
	verbsInLy = set("rely apply supply reply fly multiply comply imply bully tally rally")

	// imperatives begin a recipe or an advice.
	imperatives = set(`let put set cut start try add use consider remember check make take keep begin stir mix boil bring pack
		bake serve season place combine choose pick learn write read create ensure include avoid focus practice don't never
		always find look give get go ask tell think visit call click open run install update review`)

	// secondVerbs take an ending when they follow "and" behind a verb that has
	// one: forms that are hardly ever nouns.
	secondVerbs = set(`want need enjoy feel think believe hate prefer know try keep make take get go live spend teach learn
		write see have am find give sing eat sleep say tell ask become remember appreciate hope dislike speak own buy
		sell include manage maintain develop commute volunteer study don't haven't`)

	// doubtfulVerbs do so only before a word of afterVerb, as they may be nouns: "and work at a
	// bank".
	doubtfulVerbs = set(`work play love like run walk cook paint help travel dance dream plan talk use train drive read
		watch collect grow`)
	afterVerb = set(`to in as at on for with the a an my our it them him her that about from
		every some any this these`)

	// lostSubjects stand for something that an earlier sentence named.
	lostSubjects = set(`it this that they he she these those his her their its him them which here there its theirs such
		both one another then been`)
	firstPerson  = set("i me my mine myself we us our ours ourselves let's lets")
	secondPerson = set("you your yours yourself yourselves")

	questionWords = set(`who what when where why how which whose whom do does did are is am was were can could would will
		should have has had may might shall isn't aren't don't doesn't didn't won't can't couldn't wouldn't haven't hasn't any`)

	// interjections open a sentence without saying anything.
	interjections = set(`interesting fascinating ja typo yeah yep yes yup yea hey hi hello wow oh ah aw aww awww haha hahaha lol well okay ok alright thanks
		absolutely definitely totally sure right exactly anyway anyways honestly actually woah whoa man omg gosh hmm hmmm hm uh
		um nope no true nice cool great awesome amazing agreed indeed really frankly seriously btw luckily thankfully
		unfortunately sorry lately hopefully overall perfect certainly cheers gotcha
		ugh argh phew meh yikes ouch oops damn`)
	connectors = set("so and but plus also well or because cause though although")

	negations = set(`not no never none nothing cannot can't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't
		hadn't won't wouldn't couldn't shouldn't without neither nor stopped quit`)
)

// adverb reports whether a word may stand between subject and verb.
func adverb(low string) bool {
	return adverbs[low] || len(low) > 4 && strings.HasSuffix(low, "ly") && !verbsInLy[low]
}

// pastByEnding reports whether a verb has the regular form of the past.
func pastByEnding(low string) bool {
	return len(low) > 3 && strings.HasSuffix(low, "ed") && !presentInEd[low] && !strings.Contains(low, "-")
}

// past reports whether a word is a verb in the past tense, as far as its form
// tells.
func past(low string) bool { return irregularPast[low] || pastByEnding(low) }

// gerund reports whether a word has the form of "painting".
func gerund(low string) bool {
	return len(low) > 5 && strings.HasSuffix(low, "ing") && !notGerunds[low]
}

// notGerunds are words that end like a gerund without being one.
var notGerunds = set(`something anything nothing everything morning evening during spring string wedding building ceiling
	according including regarding considering depending interesting exciting amazing`)
