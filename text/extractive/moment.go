package extractive

import "slices"

// feelings are phrases of how somebody is just now, and of where.
var feelings = newPhrases(`
	i|we am|are|feel|feeling ~ tired|exhausted|sleepy|hungry|thirsty|starving|bored|confused|puzzled|lost|cold|freezing|drunk|hungover|cranky|grumpy
	i|we am|are|feel|feeling ~ stressed|nervous|annoyed|frustrated|angry|furious|curious|awful|terrible|miserable|lousy|dizzy|sick|worn|speechless|impressed
	i|we am|are|feel|feeling ~ stuck|busy|back|ready|late|awake|offline|afk|swamped
	i|we feel|feeling ~ bad|great|good|better|worse|ok|fine
	i|we am|are ~ right|just now
	i|we am|are ~ at the moment
	in a|an ~ bad|foul|good|great|terrible|awful|rotten|weird mood
	i|we have ~ headache|hangover
	i|we could|need ~ coffee|nap|sleep|break|drink|snack|holiday
	is|are|hurts|aches|feels ~ sore|stiff|killing|itchy|heavy ~ today|currently|now|tonight
	*'s killing|hurting me|today|again
	hurts|aches today|now|tonight|currently
	voice|head ~ gone|killing today|me
	my|the|this ~ just crashed|froze|rebooted|hung|rang
	^ brb|afk
	^ ich|wir? bin|sind|fühle ~ müde|hungrig|durstig|gelangweilt|genervt|gestresst|verwirrt|erschöpft|kaputt|platt|elend
	^ mir|uns ist ~ langweilig|schlecht|kalt|warm|übel
	^ je ~ fatigué|fatiguée|crevé|crevée|épuisé|épuisée|perdu|perdue|énervé|énervée
	^ j'ai faim|soif|sommeil|froid
	^ estoy ~ cansado|cansada|agotado|agotada|aburrido|aburrida|confundido|confundida|perdido|perdida
	^ tengo hambre|sed|sueño|frío
	^ sono ~ stanco|stanca|stufo|stufa|confuso|confusa|annoiato|annoiata
	^ ho fame|sete|sonno|freddo`)

// enduring are the words that make a feeling more than one of the moment: how
// long, how often, of what.
var enduring = newPhrases(`
	since|always|often|usually|every|chronic|chronically|constantly|never|whenever|years|months|weeks|permanently|allergic
	tired|sick|afraid|scared|bored of
	for a|some|# ~ while|time|year|years|month|months|week|weeks|day|days
	when|after|if|unless|because|until
	seit|immer|oft|jeden|jede|depuis|toujours|desde|siempre|da|sempre`)

// passingNames are names that do not make a feeling last.
var passingNames = set("i monday tuesday wednesday thursday friday saturday sunday today")

// momentary reports whether a sentence tells only how somebody is just now ("I'm
// so tired today"), which is over before anybody asks. With a name, a number, a
// cause or a time from which on it may be more.
func momentary(words []word) bool {
	if !feelings.in(words) || enduring.in(words) {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(w word) bool {
		return named(w) && !passingNames[head(w.low)] || number(w.low) && w.low != "one"
	})
}
