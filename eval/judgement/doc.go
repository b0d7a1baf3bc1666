// Command judgement measures what goes beyond storing and finding by words:
// what is true now, who the user is, what to show first and what to keep.
//
//	go run ./eval/judgement --data DIR [--sets DIR]... [--only ROW]... [--misses] [--json] [--judge]
//
// DIR holds sets of JSON lines; a file that is not there is left out. Of each
// name there may be a second file NAME.held.jsonl: the half that nobody tunes
// with. A directory of --data is one column of the table, one of --sets two
// ("own" and "held"), and "judged" pools the questions of all that are not held
// out, not their percentages. Must and aim are compared with it; --judge makes the
// exit status 1 where a must is not reached. --only measures rows by their keys.
// --misses prints each failed case with what came back instead, except those of
// held halves: nobody should see them.
//
// # Sets
//
//	smallbank.jsonl        {case, facts: [{id, content, occurred_at}],
//	                       queries: [{qid, category, question, gold_ids, stale_ids?}]}
//	updates.facts.jsonl    {id, content, occurred_at}: one bank
//	updates.queries.jsonl  as queries above, of the categories current and past;
//	                       the held half asks the same bank unless it has its own
//	categories.facts.jsonl {id, content, category, hard?}
//	opposites.jsonl        {case, facts: [...], older: id, newer: id, question,
//	                       also?: [further questions]}
//	start.jsonl            {case, project, facts: [{…, project?, importance?, kind?}],
//	                       now, must: [ids], must_not: [ids]}
//	conversation.jsonl     {case, messages: [{role, content, ts}], keep: [...], drop: [...]}
//
// # How it is measured
//
// Everything goes through the use cases that the tools call, over a database
// file in a temporary directory: each bank is an agent of its own, each fact is
// saved at the moment it has (the clock is set to it) and with that moment as
// occurred_at, and nothing is said to the program that the lines do not say. A
// question is asked at noon on 22 November 2026, or a day after the last fact of
// its bank if that is later, with the defaults of memory_recall: ten results
// (more where a question has more gold ids), none below the floor.
//
// A place in an answer is a result of its own. What is folded into another
// result as a near-duplicate stands at that result's place for questions about
// what is there, but hides where versions are told apart (rows changed, updates,
// past and opposites): there only results count.
//
//	changed     category update of the small banks: the best gold stands in the
//	            answer, before every id of stale_ids. Not to show a stale one at
//	            all is as good.
//	updates     hit@1 of category current: the first result is gold. Right
//	            version first as above, over all questions of the bank; one
//	            without stale_ids asks that gold is there.
//	past        category past of the small banks: the first result is gold.
//	changed_among  changed and past again, with 40 facts of others in each bank:
//	            few stay small.
//	at_once     changed, past and first again, before any sentence of the bank is
//	            encoded: as a client finds it that asks right after its saves.
//	profile     "who am I?": the first result is gold (hit@1); share of the gold
//	            ids among the first max(5, n) results, n being how many there are.
//	vague       the same share, for "tell me about my family" and the like.
//	paraphrase  gold among the first, or the first three results.
//	none        no gold: the share answered by nothing or with low confidence,
//	            and the area under the ROC curve of the first result's score
//	            (0 for no result): how often a question of the small banks that
//	            has an answer scores higher than one that has none, ties half.
//	categories  share that a save without a category puts right; easy and hard
//	            ones (no telltale word); share that it calls "other".
//	opposites   both facts stand in the answer, the newer before the older: as
//	            results of their own, or the older as an earlier version that the
//	            newer shows with itself.
//	superseded  of what saves superseded without being told, the share that is
//	            right: a question names both as versions, or a page must not
//	            show the older. And of the stale ids of questions about now, the
//	            share that was superseded.
//	start       the page memory://session-start read with the case's project:
//	            share of must that stands on it, and share of must_not. A fact
//	            stands on a page that has its content, blanks apart, or the first
//	            hundred characters of a longer one.
//	kept        a conversation reported through the context window (200,000
//	            tokens) in parts of six and flushed: a keep counts if one stored
//	            fact has 60 % of its content words as they stand. A drop counts as
//	            wrongly kept if one stored fact has 75 % of it and every number
//	            of it, and is negated as it is. What was superseded or archived,
//	            summaries and episodes are no stored facts.
//
// The row first (shares words; hit@1) has no must: it shows that nothing is
// paid for with what was solved.
//
// Results depend on nothing but data and program.
package main
