package extractive

// claims are the words before what a text or somebody says of how things are.
var claims = table("claims")

// opinions are the words before what somebody says or thinks of the speaker, or of
// anything, of a fact that stands alone.
var opinions = newPhrases("^ the|a|an|my|our|his|her|their ... told|tells|accused|accuses|say|says|said|claim|claims|claimed|think|thinks|thought|believe|believes|believed|insist|insists|insisted|assume|assumes|assumed")
