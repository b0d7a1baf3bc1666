package extractive

// noise are phrases of sentences that say nothing lasting: pleasantries,
// compliments, asides to the listener.
var noise = table("noise")

// hypothetical are phrases of what is not so, or not yet thought out.
var hypothetical = table("hypothetical")

// questionTails are where a statement turns into a request.
var questionTails = table("questionTails")

// doubtTails are where a statement goes on to ask for help without a question
// mark.
var doubtTails = table("doubtTails")
