package extractive

import "mcp-memory/memory"

// rule says what sort of fact a sentence with one of its phrases is.
type rule struct {
	is         memory.FactType
	importance float64
	dated      bool // only with a date or a time
	assistant  bool // counts in an assistant's words, too
	phrases    string
}

// rules are tried from the top; the first that fits counts. Sentences that
// none fits are facts of little importance, or none.
var rules = []rule{
	{memory.FactCorrection, 0.85, false, false, `
		^ actually it|it's|that|that's|the|my|this
		^ actually i don't|am|live|prefer ~ not|n't|meant|anymore
		^ no it|it's|that's|the|my
		i|we meant|misspoke|misremembered
		i was wrong|mistaken
		^ correction
		^ scratch that
		^ sorry it|it's|that's|i meant
		is|was|are|were not ~ but
		it's not ~ it's
		not ~ but rather`},
	{memory.FactDecision, 0.85, false, true, `
		i|we have? finally? ~ decided
		i|we have? finally? chosen|chose|opted|settled|agreed|picked
		i|we will|shall use|adopt|switch
		i|we will go|stick with
		we'll|let's go|stick with
		let's use|adopt|switch|settle
		i|we are going|sticking with
		i|we are going to use|switch
		we are switching|moving|migrating
		i am switching
		i|we have? changed my|our mind
		i|we have? made the decision
		decision is|was to`},
	{memory.FactDecision, 0.8, false, false, `
		use|using ~ instead of
		going with ~ instead|rather`},
	{memory.FactCommitment, 0.8, true, true, `
		i|we will ... by|before|until`},
	{memory.FactCommitment, 0.8, true, false, `
		i|we have|need|must|got to ~
		i|we must|should
		deadline
		due on|by|in|at
		i|we promised|committed|agreed`},
	{memory.FactCommitment, 0.75, false, true, `
		i|we promise
		i|we will always|never|remember
		i|we will make sure
		i|we am|are committed to
		i swear|vow|pledge
		i owe
		deadline ~ is`},
	{memory.FactPreference, 0.75, false, false, `
		^ please? always|never
		^ from now on
		^ please? remember to|that
		^ please? make sure you|to always|never
		i|we want|need|prefer you not? to
		i would rather|prefer`},
	{memory.FactIdentity, 0.9, false, false, `
		my ~ name is|are
		my name's
		call me
		i want to be called
		i was ~ born
		i am # years old
		i ~ turned #
		my age|birthday|job|hometown|profession|occupation|nationality|email|phone|address|title is|was
		i am originally|actually|also|really? from
		i come from
		i|we have been ~ living|working|teaching
		i ~ live|lived|grew|moved up|in|to|from|near|with|at|here|there
		i ~ work|worked as|for|at|in
		i ~ study|studied at|in
		i am ~ majoring|studying|enrolled
		i ~ speak # *
		i am|are married|single|divorced|engaged|pregnant|retired|widowed|vegetarian|vegan|allergic|diabetic|deaf|blind|transgender|gay|lesbian
		i have|got been married
		i am ~ nurse|teacher|doctor|engineer|developer|student|designer|writer|author|artist|manager|lawyer|chef|musician|artist|mom|mother|dad|father|parent|veteran|counselor|programmer|scientist|consultant|analyst|director|founder|freelancer|photographer|therapist`},
	{memory.FactIdentity, 0.75, false, false, `
		^ my|our ~ wife|husband|partner|girlfriend|boyfriend|fiance|fiancée|son|daughter|kids|children|mother|mom|mum|father|dad|parents|brother|sister|siblings|grandma|grandmother|grandpa|grandfather|aunt|uncle|cousin|nephew|niece|dog|cat|puppy|kitten|pet|pets|family|roommate|boss|team|company
		i|we ~ have|own|got|adopted # ~ wife|husband|kid|kids|child|children|son|daughter|sons|daughters|brother|sister|brothers|sisters|siblings|dog|cat|dogs|cats|pet|pets|puppy|puppies|turtles|fish
		i|we ~ have|own|got|adopted a|an|the ~ wife|husband|kid|child|son|daughter|brother|sister|dog|cat|pet|puppy|kitten
		wife|husband|son|daughter|brother|sister|dog|cat|pet|pets|kids|children|puppy|kitten named|called`},
	{memory.FactPreference, 0.55, false, false, `
		i would love|like to?`},
	{memory.FactPreference, 0.75, false, false, `
		i|we ~ love|loved|hate|hated|prefer|preferred|enjoy|enjoyed|adore|dislike|cherish|favor|favour|detest
		i|we also|really|always|do like
		i like
		my|our favorite|favourite
		favorite|favourite ~ is|are|was
		is|are my favorite|favourite|thing
		i am ~ fan
		i am really|very|so|quite|super|also|pretty|totally? into|keen|passionate|obsessed|fond|interested|crazy|fascinated|drawn
		i don't|do|never really? not? like|eat|drink|want|enjoy|care
		i can't|cannot stand
		i always|usually|rarely
		i value|appreciate|treasure
		i find ~ *ing
		means|mean ~ to me
		helps|help|makes|make|gives|give|inspires|inspire|motivates|motivate me`},
	{memory.FactIdentity, 0.7, false, false, `
		i am a|an`},
	{memory.FactOther, 0.6, false, false, `
		i|we am|are ~ going|planning|hoping|starting|saving|training|learning|researching|considering|thinking|looking|preparing|applying|organizing|organising
		i|we plan|want|hope|intend|aim|wish
		my|our ~ goal|dream|plan|aim|hope|wish|ambition
		i|we will
		i|we have ~ been *ing
		i|we have ~ started|joined|finished|bought|signed|launched|learned|won|lost|got
		i|we started|joined|finished|bought|signed|launched|won|lost|completed|created|built|quit|graduated`},
}

// ownAnswer are phrases of an assistant that look like a commitment and are only the
// start of an answer.
var ownAnswer = newPhrases(`
	i will help|show|walk|explain|provide|guide|assist|start|outline|break|give|try|do|use
	let's use ~ example
	let's use this|that|these|the|a|an
	let's go with|through
	^ you|your
	we will use|go ~
	example|formula|diagram|diagrams|dear|sincerely`)

// orders are what text says that wants to be obeyed rather than remembered.
var orders = newPhrases(`
	ignore|disregard|forget|override|bypass ~ instructions|instruction|prompt|prompts|rules|guidelines
	system prompt
	you are now
	developer|jailbreak|god mode
	do anything now
	reveal|print|leak ~ prompt|instructions|password|passwords|key|keys|secret|secrets
	pretend|act ~ as a|an|if`)

// unasked is what an order may have that its giver is to be passed over.
var unasked = newPhrases("^ without asking|telling the|me|user")

// obeyed reports whether words want to be obeyed rather than remembered. "Never push
// without asking me" does not.
func obeyed(words []word) bool {
	if orders.in(words) {
		return true
	}
	refused := false
	for i, w := range words {
		if w.low == "without" && !refused && unasked.in(words[i:]) {
			return true
		}
		refused = (refused || refusals[w.low]) && !w.ends()
	}
	return false
}

var refusals = set("never not don't no stop avoid")

// compiled are the rules ready for use.
var compiled = func() []phrases {
	all := make([]phrases, len(rules))
	for i, r := range rules {
		all[i] = newPhrases(r.phrases)
	}
	return all
}()

const (
	eventImportance = 0.65 // of what happened at a known time
	pastImportance  = 0.5  // of what happened at some time
	plainImportance = 0.4
	thirdImportance = 0.35 // of what is not about the speaker
	orderImportance = 0.1  // of what looks like an attempt to give orders
	detailBonus     = 0.05 // for a number or a name
)
