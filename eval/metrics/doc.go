// Package metrics measures rankings against what should have been found.
//
// A query names the documents that answer it, its gold ids. An answer is a
// list of results, best first, and a result names one or more ids: its own
// and those of the near-duplicates that were folded into it, which stand at
// its rank. A gold id counts once, at the first result that names it.
//
//	R@k      share of the gold ids among the first k results
//	hit@k    1 if any gold id is among the first k results
//	MRR      1 / rank of the first result that names a gold id
//	nDCG@k   binary: a result that names a gold id for the first time gains
//	         1/log2(rank+1); divided by the gain of the best possible order
//
// [Summarise] averages them over queries. Two categories are kept apart:
// questions with a false premise ("adversarial") are scored on their own, and
// questions that nothing in the bank answers ("abstention", no gold ids) count
// how often nothing was returned above a score floor. Other queries without
// gold ids cannot be scored and are only counted.
//
// Everything is a pure function of its arguments.
package metrics
