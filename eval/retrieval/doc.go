// Command retrieval measures how well recall finds what answers a question.
//
//	go run ./eval/retrieval --data DIR|FILE.json... [--set NAME]... [--json] [--limit 20] [--baseline]
//	        [--cross-validate] [--explain QID] [--floor 0] [--floors] [--parallel 1]
//
// DIR holds sets: NAME.corpus.jsonl and NAME.queries.jsonl, or the same with
// .gz; those of the project are in eval/sets. --set chooses those whose name
// starts so. A line of the corpus is an item {case, id, session, speaker, ts,
// seq, text}, a line of the queries {case, qid, category, question, gold_ids,
// kind}; other fields are ignored. NAME.pools.jsonl, if it exists, makes a set
// NAME_POOL of each of its lines {name, size, topic}: every case is filled up
// with distractors about the topic (by default the case's name) to that size.
//
// A --data that ends in .json is a file of LongMemEval in place of a directory
// (longmemeval_s.json and the like, github.com/xiaowu0162/LongMemEval): each
// of its questions is a case, every message of either side an item, the gold
// items are those marked has_answer, the gold sessions answer_session_ids, and
// the questions whose ids end in _abs are abstention questions. A question is
// asked at its question_date. Sessions beyond the tenth need a --limit of 50 or so.
//
// Each set gets a store of its own in a temporary directory and each of its
// cases a fresh bank. Items go in and questions come out through the use cases
// that the tools call, with the program's defaults: items are turns of
// conversations, or records of the kind fact where the set's name contains
// "facts". A question is asked one day after the last item of its case.
// Reading reinforces nothing, so the order of questions does not matter.
//
// Found is what an answer returned within its limit. A near-duplicate that
// was folded into a result is found at that result's rank, for the answer
// names it. Sessions are ranked by their first turn in the answer, so a small
// --limit also cuts the ranking of sessions. See package metrics for the
// figures. The score that counts as an answer to an abstention question is
// whatever exceeds --floor. --floors shows for floors up to 0.60, below which
// results would be left out, how many abstention questions (by kind, where the
// set tells) are then answered with nothing, and what that costs the others.
//
// --baseline asks the text index alone (BM25 over the question's words, stop
// words left out) and shows what the rest of recall is worth. --cross-validate
// shows how much the cases of a set differ: a gain smaller than that is no
// gain. --explain prints one question with every signal of its results.
//
// Results go to stdout and depend on nothing but data and program, latencies
// aside; progress goes to stderr. Latencies are those of one question at a
// time; with --parallel above 1 they are left out.
package main
