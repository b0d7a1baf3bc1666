// Command taxonomy trains the models by which text is sorted into categories, and into
// what follows the person and what belongs to a project, and tells how good they are.
//
//	go run ./eval/taxonomy                                      cross-validation over the own sentences
//	go run ./eval/taxonomy --data ../shared/data/judgement      and sets that it was not trained with
//	go run ./eval/taxonomy --set scopes --data eval/sets/judgement/scope --missed
//	go run ./eval/taxonomy --write text/taxonomy                train anew with all sentences
//	go run ./eval/taxonomy --table FILE                         with another semantic table than the builtin one
//
// The directory of --data has files categories*.jsonl or scope*.jsonl, a line of which is
// {"content", "category" or "scope", "hard"?}; what may be of either scope is left out.
// Figures are the percentage of sentences that are put where they belong, of all but
// those that fit nowhere. A row of the confusion table is what the sentences of a class were taken for.
package main
