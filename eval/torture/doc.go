// Torture kills the built program at random moments, damages its database and fills
// its disk, again and again, and looks afterwards whether anything that it had
// acknowledged is lost or half made.
//
//	go run ./eval/torture --minutes N [--seed S] [--only SCENARIO] [--binary PATH] [--older PATH]
//
// Each scenario (scenarios.go) is a round in a temporary directory; the rounds take turns until
// the time is over, and every scenario has at least one. A table says how many rounds
// and kills (SIGKILL) there were, how many pages were damaged, what was acknowledged, and of it
// what is lost, what a repair named as lost to the damage, and what is neither the state before nor the one after.
// The exit code is 1 if anything is lost or half made; each such round is described with its seed.
//
// The seed decides what is done, which pages are damaged and how, and after which part
// of the usual time a kill comes; what the process has just then done is up to the machine.
//
// --older gives an older program with a schema of its own: it takes part as the
// version before. Without it, older files are made from the migrations.
package main
