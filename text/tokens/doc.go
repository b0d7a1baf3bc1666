// Package tokens counts the tokens of texts, so that answers and contexts fit
// into a budget.
//
// A [Counter] counts in the encoding of a model: o200k_base for OpenAI models
// since GPT-4o, cl100k_base for everything else, which is near enough for
// models whose tokenizer is not public. The vocabularies are in the binary;
// nothing is downloaded. A vocabulary is read at the first count that needs it,
// which takes tens of milliseconds and 5 to 10 MB. [Counter.Warm] does that
// ahead of time. If it cannot be read, counts are estimates (see [Estimate]).
//
// The tokenizer's time for one run of letters grows with the square of its
// length. So long texts are cut into pieces, and these are counted. A cut is at
// a place where the encoding never joins the two sides, if there is one.
// Otherwise it is anywhere, at the latest after 256 bytes of one unbroken run.
// Each cut of the second kind can change the count by one token, rarely by a
// few.
package tokens
