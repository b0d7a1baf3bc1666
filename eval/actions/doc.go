// Command actions measures what is found of what agents did: commands, errors and their fixes,
// files and why they changed, and what is said before a tool is called.
//
//	go run ./eval/actions                     the set that comes with the project, with a binary built now
//	go run ./eval/actions --binary PATH --judge    fail where a must is not reached
//	go run ./eval/actions --misses            what was not right
//	go run ./eval/actions --write DIR         only write the transcripts below DIR, as the hosts would into a home
//
// The set (eval/sets/actions) has sixteen sessions as short scripts. They are written as transcripts
// of three hosts into a home of their own, beside repositories with the commits that were made, and
// imported by the built program; each question is then asked by its command, in the folder of its
// project, as somebody who works there would. Rows:
//
//	how     a command that answers is first, or among three; what never worked is no answer
//	fix     what made it pass is in what the first fix did, or one of three, without the dead ends
//	blame   the session that touched the file, and the words of the decision or correction about it
//	before  of the lines that the hook says before a call those that are useful; of the calls that
//	        deserve one those that get it; calls that got one twice in a session; milliseconds a call
//
// A question that has no answer is right if nothing is said that worked.
package main
