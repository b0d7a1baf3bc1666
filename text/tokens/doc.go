// Package tokens counts the tokens of texts, so that answers and contexts can
// be fitted to a budget.
//
// A [Counter] counts in the encoding of a model: o200k_base for OpenAI models
// since GPT-4o, cl100k_base for everything else, which is near enough for
// models whose tokenizer is not public. The vocabularies are in the binary;
// nothing is downloaded. One is read at the first count that needs it, which
// takes tens of milliseconds and 5 to 10 MB; [Counter.Warm] does that ahead of
// time. Were it unreadable, counts would be estimates (see [Estimate]).
//
// Counting one run of letters takes the tokenizer time that grows with the
// square of the run's length, so long texts are counted in pieces: cut where
// the encoding would never join the sides, if there is such a place, and
// otherwise somewhere, at the latest after 256 bytes of one unbroken run.
// Each cut of the second sort can change the count by a token, rarely by a few.
package tokens
