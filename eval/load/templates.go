package main

// statements are the first halves of facts. A word in braces is a slot; see
// [generator.slot].
var statements = lines(`{person} works as a consultant for {company} in {city}
	{person} prefers {food} to {food2} whenever the team orders lunch
	{person} moved from {city} to {city2} in {month} {year}
	{first}'s {relation} has a birthday on {month} {day}
	{person} spends most weekends on {hobby}
	{person} decided that the {service} will use {tech} instead of {tech2}
	The {service} went down on {weekday} because of {fault}
	{person} fixed {fault} in the {service} on {month} {day}
	The {service} listens on port {port} and talks to {tech}
	{company} raised the price of its standard plan to {amount} euros
	{company} is the largest customer of the {service}
	{person} bought a used {object} for {amount} euros
	{first} lent the {object} to {first2} until the end of {month}
	{person} is allergic to something in {food} and carries tablets
	{person} promised to finish {topic} before {month} {day}
	{person} and {person2} disagreed about {topic}
	The meeting about {topic} was moved to {weekday} at {hour} o'clock
	{first} felt {mood} after the talk about {topic}
	{person} speaks {number} languages and learned the last one in {city}
	{person} is responsible for {topic} at {company}
	{first}'s {relation} runs a small restaurant in {city} that serves {food}
	The backup of the {service} takes {number} minutes and runs at {hour} o'clock
	{person} wants to visit {city} and {city2} with a {relation}
	{person} keeps notes on {hobby} in a green notebook
	Version {number}.{digit} of the {service} was released on {month} {day}
	{person} signed a contract with {company} worth {amount} euros
	The team agreed to review {topic} every {weekday}
	{person} met {person2} at a conference in {city} in {year}
	{first} sold the {object} and is now looking for a better one
	{person} recommends {tech} for anything that the {service} has to store
	{first}'s {relation} studied in {city} and later worked for {company}
	{person} cooked {food} for {number} guests on {weekday}
	The rent of the flat in {city} is {amount} euros a month since {month}
	{person} has taken up {hobby} on the advice of a {relation}
	{company} opened a second office in {city} with {number} people
	{person} asked for a {object} as a present for {month}`)

// details are the second halves.
var details = lines(`, and nobody expected it so soon
	, which took {number} days longer than planned
	, as {first} told everybody on {weekday}
	, mostly because of {topic}
	, although {first} had warned about {fault}
	, and {first} was {mood} about it
	, partly to have more time for {hobby}
	, after a long call with {company}
	, and paid {amount} euros for it
	, so the plans for {city} have to wait
	, with some help from a {relation}
	, but only until {month} {year}
	, and wrote it down for {first}
	, following what {company} did in {year}
	, and a {relation} in {city} agreed
	, since the {service} depends on it
	, as the notes of {month} {day} say
	, together with {person}
	, and celebrated with {food}
	, because {tech} made it easy
	, which {first} found out in {city}
	, at the request of {company}
	, and the {object} had to be moved for it
	, for the third time since {month}`)

// questions have no one answer: they make the index work.
var questions = lines(`What did {first} say about {topic}?
	Where does {person} work?
	Who fixed {fault} in the {service}?
	Why did the {service} go down on {weekday}?
	What does {person} like to eat for lunch?
	When did {person} move to {city}?
	Which port does the {service} use with {tech}?
	How much did {first} pay for the {object}?
	Who is responsible for {topic} at {company}?
	What are {person}'s hobbies?
	How did {first} feel about {topic}?
	Who lives in {city} and knows about {hobby}?
	What was decided about {tech} for the {service}?
	When is the birthday of {first}'s {relation}?
	Which customers does {company} have in {city}?
	Who cooked {food} in {month}?`)

// needle is a fact with one right answer. Its question shares words with many
// other facts, at least those about the same person.
type needle struct{ statement, question string }

var needles = []needle{
	{"{person} hides the spare key of the cabin under the {object} beside the back door.", "Where does {person} hide the spare key?"},
	{"{person}'s locker at the climbing hall is number {code}, next to the drinking fountain.", "What is {person}'s locker number?"},
	{"{person}'s blood group is {blood}, as the donor card from {city} shows.", "Which blood group does {person} have?"},
	{"The parrot of {person} is called {pet} and imitates the doorbell perfectly.", "What is the name of {person}'s parrot?"},
	{"{person} was stung by a jellyfish in {city} and has avoided the sea since.", "Where was {person} stung by a jellyfish?"},
	{"{person} wrote a doctoral thesis on {thesis}, supervised by a retired admiral.", "What did {person} write a thesis on?"},
}

var (
	bloodGroups = []string{"A positive", "A negative", "B positive", "B negative", "AB positive", "AB negative", "0 positive", "0 negative"}
	pets        = lines("Captain\nBiscuit\nMozart\nPepper\nWaldo\nCleo\nTurnip\nAdmiral\nSocks\nPicasso")
	theses      = lines("glacier acoustics\nmedieval tax rolls\nant navigation\nrope physics\nlighthouse optics\nbagpipe tuning\nsalt marsh ecology\nroman concrete")
)
