// Command load measures the built program against its budgets, from outside:
// over real stdio, as a host uses it.
//
//	go run ./eval/load --records N [--binary PATH] [--json] [--without SIGNAL]
//	go run ./eval/load --records N --database postgres://USER@HOST/NAME
//	go run ./eval/load --records 50000 --erase 2000
//
// It builds cmd/mcp-memory, unless a binary is given, and works in a temporary
// directory. First it writes N made-up facts (facts.go: the same N gives the
// same facts) and has the program import them. Then it starts the program as
// a server and measures
//
//   - the time from the start of the process to the answer of initialize,
//     median of 10 starts over the full store;
//   - the first memory_recall of a process, then 1,000 different plain
//     questions, half of which have one known answer among the facts; the
//     share of these that is in the first ten is a check that the program
//     really searched;
//   - durable saves by memory_save;
//   - resident memory after initialize and tools/list, and after the recalls;
//   - the sizes of the database and the binary, and what the default tool list
//     costs in tokens (names, descriptions and input schemas; cl100k_base).
//
// With --database the same is measured with the banks on a PostgreSQL server, in an empty database
// or schema (?search_path=NAME), beside the file: the two take turns, call by call, so that
// their ratio means something on a busy machine too.
//
// With --without it compares instead: the same questions, asked in this process
// of the bank that the program has imported, with everything and without some
// of what recall uses (recall.Signals, and "index" for the in-process index).
// The variants take turns, question by question; their processor time is told
// beside the clock's, and how often they have the same first ten results.
//
// With --erase some of the records are texts of 2.7 KB in a project of their own,
// which one process erases for good while another saves into another bank, one
// save after the other (beside.go): how long these take before, meanwhile, and
// until what was erased is out of the files.
//
// With --hooks it calls the hooks of a session's start and of prompts instead (hooks.go), each
// a process of its own over the full store, and tells how long they took from start to
// exit, what the processor had to do, and how many of the questions with one answer showed it.
//
// The budgets are in budgets.go; those of recall depend on N. Timings are of
// this machine at this moment: compare only what ran on the same idle one.
// A figure over its budget is marked, and is not a failure of the command.
package main
