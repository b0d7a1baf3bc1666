// Command judgement measures what goes beyond storing facts and finding them by
// their words: whether the program knows what is true now and who the user is,
// what to show first and what to keep.
//
//	go run ./eval/judgement --data DIR [--sets DIR]... [--only ROW]... [--misses] [--json] [--judge]
//
// DIR holds sets as files of JSON lines; a file that does not exist is left out.
// Each may have a second file NAME.held.jsonl: the held half, with which nobody
// tunes. A directory of --data is one column of the table, one of --sets two
// ("own" and "held"). The column "judged" has the questions of all columns that
// are not held, pooled, so it is no mean of their percentages. It is compared
// with must and aim; with --judge the exit status is 1 if a must is not reached.
// --only measures only the rows with these keys. --misses prints each failed
// case with what was answered instead, except those of held halves, which nobody
// should see.
//
// # Sets
//
//	smallbank.jsonl        {case, facts: [{id, content, occurred_at}],
//	                       queries: [{qid, category, question, gold_ids, stale_ids?, as_of?}]}
//	updates.facts.jsonl    {id, content, occurred_at}: one bank
//	updates.queries.jsonl  as queries above, of the categories current and past;
//	                       the held half asks the same bank unless it has its own
//	categories.facts.jsonl {id, content, category, hard?}
//	opposites.jsonl        {case, facts: [...], older: id, newer: id, question,
//	                       also?: [further questions]}
//	start.jsonl            {case, project, facts: [{…, project?, importance?, kind?}],
//	                       now, must: [ids], must_not: [ids]}
//	conversation.jsonl     {case, messages: [{role, content, ts}], keep: [...], drop: [...]}
//	confidence.jsonl       as smallbank.jsonl, or {id, facts, questions: [{…, kind, gold}]}
//
// # How it is measured
//
// Everything goes through the use cases that the tools call, over a database
// file in a temporary directory. Each bank is an agent of its own. Each fact is
// saved when the clock stands at its occurred_at, which is passed on as well, and
// the program is told nothing that is not in the files. A question is asked at
// noon on 22 November 2026, or a day after the last fact of its bank if that is
// later, with the defaults of memory_recall: ten results (more if a question has
// more gold ids), none below the floor.
//
// A fact can be a result of its own, or be named by another result as a
// near-duplicate of it. The latter counts as that result for questions about
// what the bank has, and does not count where versions are told apart (rows
// changed, updates, past and opposites).
//
//	changed     category update of the small banks: a gold fact is in the
//	            answer, before all of stale_ids, which need not be in there.
//	updates     hit@1 of category current: the first result is gold. And right
//	            version first, as above, over all questions of the bank; one
//	            without stale_ids is right if gold is in the answer.
//	past        category past of the small banks: the first result is gold.
//	changed_among  changed and past again, with 40 facts of others in each bank,
//	            so that it is no longer small.
//	at_once     changed, past and first again, before the bank has sentence
//	            vectors: as for a client that asks right after its saves.
//	profile     "who am I?": the first result is gold (hit@1); share of the gold
//	            ids among the first max(5, n) results, n being how many there are.
//	vague       the same share, for "tell me about my family" and the like.
//	paraphrase  gold among the first, or the first three results.
//	none        questions without gold: the share answered by nothing or with low
//	            confidence, and the area under the ROC curve of the first result's
//	            score (0 for no result): how often a question of the small banks
//	            with an answer scores higher than one without, ties half.
//	categories  share of facts that a save without a category puts into the right
//	            one; of easy and of hard ones (without a telltale word); and the
//	            share that it puts into "other".
//	opposites   both facts are in the answer, the newer before the older: as
//	            results of their own, or the older as an earlier version that the
//	            newer shows with itself.
//	superseded  of the facts that saves superseded without being told, the share
//	            that is right: a question names both facts as versions, or a page
//	            must not show the older. And of the stale ids of questions about
//	            now, the share that was superseded.
//	start       the page memory://session-start, read with the case's project:
//	            the share of must that is on it, and that of must_not. A fact is
//	            on a page that has its content, or the first hundred characters
//	            of a longer one; white space is not compared.
//	kept        a conversation, reported to the context window (200,000 tokens)
//	            six messages at a time and then flushed: a keep is kept if one
//	            stored fact has 60 % of its content words, in the same form. A
//	            drop is wrongly kept if one stored fact has 75 % of its content
//	            words and all of its numbers, and is negated if the drop is.
//	            Superseded and archived records, summaries and episodes do not
//	            count as stored facts.
//	levels      of the answers at a level of confidence (high, medium), the share
//	            whose first result is right, for questions to the small banks and
//	            those of confidence. And for the latter: of the questions with
//	            gold, the share whose first result is right and confidence not
//	            low; of those without, the share with low confidence.
//	among       the banks of confidence with 40 facts of others in each: of the
//	            answers whose confidence is not low, the share whose first result
//	            is right. And the last two figures of levels again.
//	first       questions that share words with the answer: hit@1. It shows
//	            whether gains elsewhere cost what already worked.
//
// Results depend only on the data and the program.
package main
