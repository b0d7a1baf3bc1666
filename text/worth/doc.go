// Package worth estimates from a sentence alone what it is to somebody who
// comes back to a conversation: who the user is, how answers should be, a
// decision, a promise with its day, a state that changed, or small talk.
//
// The idea: the importance that a record was saved with is mostly the default,
// and what a new session has to know is told by few signs. A decision says
// "decided", an open task says "must" or has a day that is still to come, an
// answer's style names answers and their manner, a new state says "now" or
// "since". Small talk is about weather, meals and moods. What has no sign is a
// plain fact, worth little on a page that has room for twenty lines.
//
//	j := worth.Of("The form must be sent by 15 March.", said)
//	j.Sort           // worth.Task
//	j.Worth          // 0.75
//	j.Open(now)      // true until 15 March
//
// The signs are in cues.txt, by class, in English and, the commonest, in Dutch,
// German, French and Spanish. They are parsed at the first use, in a tenth of a
// millisecond; a sentence takes some microseconds. Pure and deterministic.
//
// Limits: it counts words and does not read grammar. It does not know whom a
// sentence is about, nor what other sentences say; the caller does.
package worth
