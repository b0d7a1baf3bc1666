// Package recall finds what a bank knows about a question.
//
// A question goes through stages, each in a file of its own:
//
//	question.go   understand: words, literal parts, vector, times, categories
//	framing.go    leave out the words by which it asks
//	gather.go     three tiers: rank the categories, search the best ones, and
//	              of everything else what may be better (index/bounded.go)
//	weights.go    what each measure is worth, by the kind of text
//	features.go   measure what only the whole document tells
//	fuse.go       one score from 0 to 1
//	about.go      read what the candidates say (package slots)
//	relevance.go  weigh memories by the fitted model (features: evidence.go)
//	versions.go   of several versions of a fact, first the one that is asked for
//	              (whether two records are versions: pairs.go)
//	confidence.go turn relevance into scores, and into how sure the answer is
//	broad.go      instead of the last three, what belongs to the subject of a broad
//	              question, by kind and salience
//	diversify.go  fold near-duplicates into one result, keep room for sessions
//	pack.go       cut to the limit and to the caller's token budget
//
// Candidates are found and measured by an in-process index of the bank
// (package index, kept by indexes.go). Until a large one is built, and for a
// bank that is too large for one, the database finds them and a small index
// with the bank's statistics measures them (fallback.go): the same code, so the
// score of a candidate does not depend on who found it.
package recall
