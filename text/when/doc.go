// Package when says what times a text speaks of, as of the moment when it was said: "next
// Friday", "until the 28th", "in March". What package timex reads as the latest time that fits
// looks forward here where the sentence does ("The plumber comes on Friday"), names of times
// that are none are left out ("the Friday rule"), and so are habits ("every second Tuesday").
// Other languages are read by phrases that say the same in English (foreign.txt).
//
// A text is never rewritten: a [memory.Mention] stands beside it. Where it is unsure what is meant,
// there is none.
package when
