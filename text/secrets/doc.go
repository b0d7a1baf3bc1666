// Package secrets finds what nobody should read by chance: keys, tokens,
// passwords, PINs, codes of doors, bank accounts, cards, seed phrases. It is
// pure: it takes a text and returns the name of the secret that it found.
//
// The forms are in patterns.json: well-known tokens of providers by their
// prefix, and secrets that are named ("the wifi password is ...", "key=...") by
// the words around them. A named secret counts only if it looks random, where
// that can be told (entropy, digits among letters). Numbers count if their
// check digits are right: Luhn's for cards, those of ISO 13616 for accounts
// (iban.txt has the lengths). A long word of small and capital letters and
// digits without order counts as a token, unless the text says that it is
// public. Twelve words in a row from the list of BIP-39 (bip39.txt, MIT) are a
// seed phrase. A number is a code if its sentence also has a thing that a code
// opens and a verb for what is done with a code, or a word that is used for
// codes alone ("PIN", "combination"). eval/sets/judgement/secrets measures how
// many secrets are found and how many findings are wrong.
//
// A text is searched in several forms: as it is; in plain letters (NFKC,
// without invisible characters); with letters that stand alone put together;
// and, for tokens that nothing else looks like, without blanks. Patterns are
// easily fooled on purpose: they are for secrets that nobody thought of
// marking.
package secrets
