// Fleet measures one server that many clients use at once over HTTP. It fills
// a new store with facts, starts the program with a token, and lets clients
// save and recall for a while, each on its own connection, one call after the
// other. It prints throughput, latency and resident memory.
//
// With -kill the server is killed (SIGKILL) and started again in the middle.
// In the end every save that was acknowledged is looked up: a lost one fails
// the program, and so does any error outside of the time the server was away.
//
//	go run ./eval/fleet -records 50000 -clients 64 -seconds 60 [-kill] [-binary PATH]
//
// The figures are of the whole machine: clients and server share it.
package main
