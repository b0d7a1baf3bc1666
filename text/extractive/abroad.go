package extractive

// abroad are the openings in other languages of what is only supposed: they are looked for in every
// sentence, as a short one may pass for English.
var abroad = table("abroad")

// gossip are the words before what somebody says of others in these languages who need not know.
var gossip = table("gossip")
