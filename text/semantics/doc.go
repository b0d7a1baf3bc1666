// Package semantics holds the project's own table of word meanings: 40,000
// English word stems with a row of 192 numbers each, in 4.3 MB inside the
// program, so that related words can be found without a model, a network or
// a wait.
//
// The direction of a row stands for the stem's meaning, its length for how
// informative the stem is ("the" 0.33, "migration" 1.96). That has two uses.
// The sum of the rows of a text is the vector of that text
// ([Table.TextVector]). And the cosine of two rows tells how similar two words
// are, so that a search for "doctor" finds "physician" ([Table.Neighbours]).
//
// A table stays as it is in its file, with four bits for each number; reading a
// row takes about a hundred nanoseconds. Opening it builds an index from stem
// to row and computes the length of every row, together about 580 KB.
//
// The table comes from permissively licensed text. NOTICE beside it lists the
// sources and must go wherever the table goes. docs/meaning.md describes the
// format, the training, the measurements and the weaknesses.
package semantics
