// Package analysis turns text into what the indexes hold and what queries ask
// for: words, stems, pieces of names, character pairs and literal parts.
//
// There are two levels. [Words], [Stem] and [Stems] follow the definition
// that the semantic table was trained with, to the letter: a change there
// would silently make rows unreachable. [Content], [IndexText], [QueryWords]
// and [Substrings] serve the word and trigram indexes and go further where
// that definition finds too little:
//
//   - accents of Latin letters are folded, so that "café" and "cafe" meet;
//   - names in camelCase are indexed whole and in pieces;
//   - scripts written without spaces are cut into overlapping pairs of
//     characters, because a run of them is a sentence, not a word.
//
// The two sides of an index use the same rules: what Content or IndexText
// put in, Content or QueryWords find again. Where the rules of IndexText or
// Substrings change, doctor of package sqlite finds that existing indexes are
// not what is made of the texts, and its repair makes them anew.
//
// Everything here is pure: the same text gives the same answer, invalid UTF-8
// separates words and never comes out again, and no function keeps state.
// Returned strings may share memory with the argument; clone those that
// outlive it by long.
package analysis
