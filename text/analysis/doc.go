// Package analysis turns text into what the indexes store and what queries
// search for: words, stems, pieces of names, pairs of characters and literal
// parts.
//
// There are two levels. [Words], [Stem] and [Stems] follow exactly the
// definition with which the semantic table was trained: a change there would
// silently make rows unreachable. [Content], [IndexText], [QueryWords] and
// [Substrings] are for the word and trigram indexes. They find more than that
// definition:
//
//   - accents of Latin letters are removed, so that "café" and "cafe" match;
//   - names in camelCase are indexed whole and in pieces;
//   - scripts written without spaces are cut into overlapping pairs of
//     characters, because a run of them is a sentence, not a word.
//
// Both sides of an index use the same rules: what Content or IndexText stores,
// Content or QueryWords find. After a change of IndexText or Substrings, doctor
// of package sqlite reports that existing indexes do not match the texts, and
// its repair rebuilds them.
//
// Everything here is pure: the same text gives the same result, and no function
// keeps state. Invalid UTF-8 separates words and never appears in a result.
// Returned strings may share memory with the argument, so clone those that are
// kept for long.
package analysis
