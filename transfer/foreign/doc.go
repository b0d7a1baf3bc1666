// Package foreign reads the databases, exports and folders of other memory programs, each as a
// stream of [Item]. It knows nothing of banks, and never changes what it reads.
//
// [Sources] lists what can be read: the name of each program, where its data are by default, how
// they are recognised, and how they are read. Adding a program takes a row there and a file here.
//
// # Unknown data
//
// The data may be in any state. These programs change their formats often, so only columns that a
// database has are queried, and missing ones are empty. What cannot be read becomes an item with
// Bad set, which says where it is, and reading goes on. It is an error only if nothing can be read:
// a file that is not of the program, or a database that is damaged, locked, or lacks what is
// needed.
//
// # Keys
//
// Every item has a key "<program>:<id>" that is the same each time the data are read. So an item
// that has changed is recognised.
package foreign
