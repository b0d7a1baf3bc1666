// Package semantics holds the project's own table of word meanings: 40,000
// English word stems with a row of 192 numbers each, in 4.3 MB inside the
// program, so that related words can be found without a model, a network or
// a wait.
//
// The direction of a row is what the stem means, its length how much it says
// ("the" 0.33, "migration" 1.96). Two uses follow. The sum of the rows of a
// text is the vector of that text ([Table.TextVector]). And the cosine of two
// rows tells how near two words are, by which a search for "doctor" finds
// "physician" ([Table.Neighbours]).
//
// A table stays as it is in its file, four bits a number; reading a row costs
// about a hundred nanoseconds. What is built on opening is an index from
// stem to row and the length of every row, together about 300 KB.
//
// The table comes from permissively licensed text; NOTICE beside it lists
// the sources and has to go wherever the table goes. docs/meaning.md
// tells the format, the training, the figures and the weak points.
package semantics
