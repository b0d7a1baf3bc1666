package extractive

// moved are the words of an appointment that gets another date.
var moved = newPhrases(`
	^ change|changes of plan|plans
	^ new plan|date|time
	date|day|time|appointment is now
	is now on|at
	^ plans|things have? changed
	^ i|we? have? just? moved|postponed|rescheduled|delayed|shifted|pushed
	postponed|rescheduled|rebooked|delayed|pushed|shifted|preponed|moved ~ to|until|till|by
	brought forward
	instead of
	slips|slipped to
	can|could only|not ~ start|begin|come|deliver|do
	only starts|begins|comes|arrives`)

// maxBack is how many facts a correction may reach back.
const maxBack = 30
