// Package timex finds expressions of time in English text, such as "last
// summer", "two weeks ago" or "between March and May 2023", and says which
// stretch of the calendar each one means. It is pure: the moment that
// expressions are relative to is an argument.
//
// It uses a small grammar over tokens rather than patterns over text. A lexicon
// says what each word may be (a month, a unit, a cue …). A word with another
// meaning ("may", "march", "sat", "fall") counts only beside a cue or a number.
// A word that is part of an identifier, a path or a version has no meaning for
// the rules. Each rule returns an interval, and rules combine: "since early
// last year" is an open interval that begins with a third of a calendar year.
//
// What the text leaves open is decided as fits a memory, which is mostly asked
// about the past: "in May" and "on Friday" are the latest ones that are not
// after now, unless the text says next or coming. Weeks start on Monday,
// seasons are those of the northern hemisphere, days are those of the time zone
// of now.
//
// The Go libraries do not fit. On 26 short texts and a question of 98
// characters, markusmobius/go-dateparser v1.4.7 adds 330 ms and 100 MB to every
// start and 7 MB to the binary, takes 510 µs, and reads the words "we", "may",
// "sat" and port 8080 as dates; olebedev/when v1.1.0 takes 137 µs, finds one
// expression a text, and neither "in 2023" nor "last weekend" nor an ISO date;
// both return points where a search needs spans. This takes 3 µs, and 30 µs at
// the start.
package timex
