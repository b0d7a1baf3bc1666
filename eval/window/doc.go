// Command window streams real conversations through a context window and
// measures what is left of them.
//
//	go run ./eval/window --data DIR [--case NAME]... [--turns 300] [--window 8000] [--reserve 4096]
//	        [--model NAME] [--limit 10] [--assistant] [--all]
//
// DIR holds sets of conversations in the form of eval/retrieval. The first case
// of the set locomo_dev and of the set beam_100k_dev are taken, or those named.
// Of each, the first turns are appended one by one to one session, as a host
// reports them: people as users with a name, or with --assistant the second of
// them as the assistant with a name. For every append that finds the window past a threshold a row
// shows its utilisation before and after and what was done; --all shows every
// append.
//
// Then it checks what the conversation must not lose: how many of the original
// turns a search for their own words finds among its first results, and for how
// many of the case's questions that one turn answers (single_hop, and
// information_extraction, with evidence among the turns that were streamed) the
// first results of a search over memories and conversations hold evidence. Only
// the turns themselves count; the share with facts counted that were found in
// such a turn is shown beside it.
package main
