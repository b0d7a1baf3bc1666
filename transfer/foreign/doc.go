// Package foreign reads what other memory programs keep: their databases,
// exports and folders, each as a stream of [Item]. It knows no banks, and
// changes nothing of what it reads.
//
// [Sources] is the table of what can be read: how a program is called, where its
// data lies by default, how it is recognised, and how it is read. A new program
// is a row there and a file of its own here.
//
// # What may be in the data
//
// Anything. These programs change their form every month, so what is asked of a
// database is only what its tables have, and missing columns are empty. What
// cannot be read becomes an item with Bad set, which says where it is; the rest
// is read on. Only what keeps all from being read is an error: a file that is
// not of the program, a database that is damaged, locked, or of a form without
// what matters.
//
// # Keys
//
// Every item has a key "<program>:<id>" that stays the same when the data is
// read again, so that what was changed meanwhile is known again.
package foreign
