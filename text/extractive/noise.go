package extractive

// noise are phrases of sentences that say nothing lasting: pleasantries,
// compliments, asides to the listener.
var noise = newPhrases(`
	^ thank|thanks|thx
	i ~ marry|kiss|hug you
	^ marry me
	^ congrats|congratulations|kudos|cheers|welcome|bravo
	^ good|best luck|job|morning|night|evening|afternoon|on|for|of|going|point|idea|question|to|work
	^ great|nice|lovely|good|wonderful|glad|happy|amazing|awesome to hear|see|meet|know|catch|talk|chat
	^ great|nice|awesome|amazing|impressive|fantastic job|work|idea|question|going|shot|pic|photo|picture|choice
	^ sounds|sound|seems|looks|look|looking like|great|good|fun|nice|awesome|amazing|delicious|interesting|fantastic|wonderful|cool|incredible|perfect|at|so
	^ wow|yay|woohoo
	^ take care|a|your|it
	^ have a|fun|an|you
	^ talk|speak|see|catch to?|you|up|ya|later|soon
	^ keep it|up|going|at|me|on|in|pushing|doing|shining|spreading|*ing
	^ glad|happy|thrilled|stoked|excited you|that|to|for|it|i
	^ so? proud|happy|glad|excited|sorry of|for|to
	^ i am ~ proud|happy|glad|thrilled|excited|stoked|sorry|sure|here|rooting of? for? to? hear? that? you
	^ i am ~ glad|happy|sorry to? hear|see|you|it|that
	^ i am ~ here for
	^ i am all ears
	^ i am ~ fine|good|great|okay|ok thanks|thank|and
	thanks|thank you? for asking
	am|are|is ~ here for you
	^ i am ~ doing fine|good|great|well|okay|alright
	^ sorry|glad
	^ nice|great|lovely *ing
	let|lets me|us know
	^ let|lemme me? ~ check|see|think|look|verify
	^ let's keep|continue|make|do|show|catch|hope|see|talk|chat|stay|work|get|not|take|start|try
	^ let's go to|for|out|there|now
	^ rest assured
	happened since we
	^ together we
	^ remember you|that|to|i|we
	^ i am sure|certain|confident you|your|it|that|they|there
	^ i ~ appreciate you|your|it|that|the
	^ i ~ agree
	^ i ~ bet|guess|hear|get|see|understand it|that|you|your|what|how|where|why
	^ i hope|wish you|your|it|that|everything|all
	^ i hope to hear
	^ i can't|cannot wait to ~ hear|see how|it|what|you|your|more
	^ i would love to ~ hear|see|know|check more|it|about|what|how|your|that|them|some
	^ i ~ can imagine|see|relate
	^ i know right|how|what|you|that
	^ i ~ know
	^ i love|like|loved that|your|how|you|it|this|the idea
	^ i think you|your|that's|it's
	^ can't wait to ~ hear|see
	^ let|lemme me|us know|see
	^ tell|show|give|send|share me|us|it|more
	^ check it|this|out
	^ look|looking at|forward to? hearing|seeing
	^ here is|are|you|was|it
	^ here's
	^ no|not problem|worries|doubt|at|wonder|way
	^ of|for course|sure|real
	^ absolutely|definitely|totally|agreed
	^ wishing|sending|hoping you|it|your|that
	^ enjoy|hope|wish|bet you|your|it|the|that|to|everything
	^ don't forget|worry|give|hesitate|stress|be
	^ never give|forget|stop
	^ feel free
	^ follow your
	^ you|your|you've|yours
	^ what|how a|an|cool|great|awesome|amazing|inspiring|wonderful|sweet|lovely|nice|beautiful
	^ love|loving|loved your|that|this|it|the|those|how
	^ long time no
	^ guess what
	^ got it
	^ just kidding|saying
	^ by the way
	^ any|anything
	^ i will let|keep you
	^ i will check|try it|that|them|this
	^ i will send|text|call|message you
	^ i ~ wanted|want to tell|share|show|ask
	^ i ~ have ~ question|questions
	^ i have to|got to go|run
	means|mean a lot|so much
	can you|we ~ help|explain|show|tell
	how do|can|should|would|about
	what do|is|are|would|about you
	^ i am not sure|certain how|if|what|why|where|whether
	^ i ~ need|want|like|love|appreciate ~ help|advice|tips|input
	^ need|want ~ help|advice with|on|for
	^ i ~ don't know|understand|see|think|get
	^ i will|let think|see
`)

// hypothetical are phrases of what is not so, or not yet thought out.
var hypothetical = newPhrases(`
	^ if|imagine|suppose|supposing|assuming|unless
	what if
	if i|we|you were|had|could|would
	would|could|should|might have
	let's say|pretend|imagine|assume|suppose
	i might|may|could|probably ~
	we|he|she|they|it might ~
	we may|could|probably ~
	i|we would ~ if
	i wonder|doubt
	hypothetically
	for example|instance
	as if`)

// questionTails are where a statement turns into a request.
var questionTails = newPhrases(`
	^ and|but|so? can|could|would|will|should you|we|i|someone|anyone|this|that|it|there
	^ and|but|so? do|did|does|have|has|are|is|was|were you|i|we|it|there|that|this|they|he|she|anyone
	^ and|but|so? what|how|why|where|when|who|which
	^ and|but|so? is|are ~
	^ and|but|so? that|this|it ~ right|correct
	^ and|but|so? any|please|right|huh|you know
	^ do|did|have|are|can|could|would|is *`)

// doubtTails are where a statement goes on to ask for help without a question
// mark.
var doubtTails = newPhrases(`
	^ and|but|so|plus? i am ~ not? sure|unsure|wondering|confused|stuck|struggling
	^ and|but|so|plus? i was wondering|hoping
	^ and|but|so i want|need to make sure
	^ and|but|so i don't know|understand
	^ and|but|so? can|could|would you
	^ and|but|so i would love|like|appreciate to|your|if|some|any
	^ is that|this|it|there`)
