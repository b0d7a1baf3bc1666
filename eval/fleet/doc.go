// Fleet measures servers that many clients use at once over HTTP. It fills
// a new store with facts, starts the program with a token for each bank, and lets clients
// save and recall for a while, each on its own connection, one call after the
// other. It prints throughput, latency and resident memory.
//
// With -kill the server is killed (SIGKILL) and started again in the middle.
// In the end every save that was acknowledged is looked up: a lost one fails
// the program, and so does any error outside of the time the server was away.
//
//	go run ./eval/fleet -records 50000 -clients 64 -seconds 60 [-kill] [-binary PATH]
//	go run ./eval/fleet -database postgres://… -servers 1,2,4 -banks 64 -records 1000
//	go run ./eval/fleet -database postgres://… -banks 1000 -records 1000
//
// Several servers share one PostgreSQL database. The requests of a bank go to one of
// them, as by a proxy that hashes the token.
//
// The figures are of the whole machine: clients, servers and database share it.
package main
