// Package secrets finds what nobody should read by chance: keys, tokens,
// passwords, PINs, codes of doors, bank accounts, cards, seed phrases. It is
// pure: text in, the name of what was found out.
//
// The forms are in patterns.json: the well-known tokens of providers by their
// prefix, and what is named ("the wifi password is ...", "key=...") by the words
// around it; the latter is only believed if it looks like chance where that can
// be told (entropy, digits among letters). Numbers are believed by their check
// digits: cards by Luhn's, accounts by that of ISO 13616 (iban.txt has the
// lengths), and a long word of small and capital letters and digits without order is a token
// where nothing says that it is public. Twelve words in a row of the list of BIP-39 (bip39.txt, MIT) are a
// seed phrase. A number is a code where its sentence also has what a code opens and what is
// done with one, or a word for codes alone ("PIN", "combination"). How much is found and how
// much is wrong is measured by eval/sets/judgement/secrets.
//
// A text is looked at as it is, in plain letters (NFKC, without invisible
// characters), with letters that stand alone put together, and, for tokens that
// nothing else looks like, without any blanks. A pattern is easily fooled by who
// wants to; it is there for what nobody thought of marking.
package secrets
