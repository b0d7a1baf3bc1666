// Package gloss replaces the words of texts in other languages by English ones,
// so that code that knows English alone gets an idea of what they say: "Wo
// wohnt meine Schwester?" is "where residing my sister?". It is not a
// translation: order, inflection and idioms are lost, and a word has only one
// meaning.
//
// The word lists of the languages are in words/, made by generate/words.sh.
// common.txt has the small words (articles, pronouns and the like) by which a
// language is recognised.
package gloss
