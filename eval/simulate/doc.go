// Simulate tells what N servers on one database would do with the requests of ten
// million banks: how often a bank's index is in a server's memory, how much memory that is, and
// how long a request takes, with every token's requests at one server (a proxy that hashes
// the token) and with requests at any.
//
// What a recall costs is measured first, in the same run, on real banks of several sizes: the
// first recall of a bank, which reads it and builds its index; a further one; and the
// memory of the index. Between these sizes it interpolates. Then requests come one after the
// other, of banks by Zipf's law; a server forgets the index that was not asked for longest
// when its memory is full, and each that nobody asked for 15 minutes. All of it follows from the seed but
// the costs.
//
//	go run ./eval/simulate -banks 10000000 -rate 2000 -memory 2048
//
// Not in it: waiting for a processor or the database (the column "busy" tells how much of the
// servers' time is used), the network, and the transport.
package main
