// Package gloss reads texts of other languages word by word in English, so that what knows
// English alone has an idea of what they say: "Wo wohnt meine Schwester?" is "where residing
// my sister?". It is no translation: order, inflection and idioms are lost, and a word has
// one meaning.
//
// The words of a language are in words/, made by generate/words.sh; the small ones, by which
// a language is recognised, in common.txt.
package gloss
