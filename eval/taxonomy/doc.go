// Command taxonomy trains the model by which text is sorted into categories
// and tells how good it is.
//
//	go run ./eval/taxonomy                                            cross-validation over the own sentences
//	go run ./eval/taxonomy --data ../shared/data/judgement            and a set that it was not trained with
//	go run ./eval/taxonomy --write text/taxonomy/categories.model     train anew with all sentences
//	go run ./eval/taxonomy --table FILE                               with another semantic table than the builtin one
//
// The directory of --data has a file categories.facts.jsonl, a line of which
// is {"content", "category", "hard"?}. Figures are the percentage of sentences
// that are put where they belong, of all but those of "other". A row of the
// confusion table is what the sentences of a category were taken for.
package main
