// Command selfcare measures what self-care costs: how many tokens it saves, and
// how many questions still find their evidence.
//
//	go run ./eval/selfcare --data DIR
//
// DIR holds sets as eval/retrieval reads them. The facts of all sets of facts
// are long-term memories, and so are the facts that the built-in extractor finds
// in the sets of conversations, until there are as many as --facts says. They
// are loaded twice: all into one bank, and into a bank for each case. The
// questions of the sets of facts are asked, self-care is done with the built-in
// summariser until nothing is left to do, and they are asked again.
//
// A question counts as answered if one of its gold facts is among the first k
// results, averaged over questions. Afterwards there are three ways to count:
// a summary that covers a gold fact was found ("covered"); it was, and one
// sentence of it holds three in five of the fact's content words ("told"); with
// the archive included, the fact itself was found ("archive").
package main
