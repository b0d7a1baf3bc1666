// Command extraction measures the built-in fact extractor against what people
// noted about the same conversations.
//
//	go run ./eval/extraction --data DIR             # figures
//	go run ./eval/extraction --data DIR --sample 20 # and facts to look at
//
// DIR holds sets as eval/retrieval reads them. A set NAME_dev of turns is
// measured if there is a set NAME_facts_dev whose items are the observations of
// the same cases, each with the ids of the turns it was drawn from ("src"); of
// other sets there are only the figures that need no gold. Facts are extracted
// session by session, as a host would ask for them.
//
// An observation counts as covered if one fact of its case names the same
// person and has at least 60 % of its content stems, each weighing its inverse
// document frequency among the case's turns; the speakers' names do not count. A
// fact stands alone if it has no pronoun of the first or second person, does not
// begin with a pronoun, asks nothing, has three content stems and a name or a
// number. It is relevant if it was found in a turn that an observation was drawn
// from, or covers one.
//
// The same figures for whole turns and for every sentence as it was said show
// what is to be had by copying.
package main
