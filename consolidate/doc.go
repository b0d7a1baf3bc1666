// Package consolidate is self-care: on request it turns many old memories into
// few summaries, and long conversations into one. Nothing does it on a timer;
// the agent decides when, and what to pay attention to.
//
// # Memories
//
// Long-term memories and episodes that are live and not pinned are taken oldest
// first, in batches of 500, as long as there are at least 30. A batch is sorted
// into themes, each a project and a category, and every theme becomes one
// summary. A theme of fewer than five memories joins the rest of its project. A
// summary has about a fifth of the tokens that it stands for, but the summary
// of a short text may have up to half of them. It stands for at most 500
// memories and has at most 2,000 tokens; a theme with more gets several. If the
// newest summary of a theme has room for the new memories, the new summary
// folds it in and supersedes it, so that summaries do not multiply however
// often self-care is done. Summaries that the agent wrote itself are left as
// they are.
//
// With a focus only memories on it are taken (see focus.go), into one summary
// for each project; all others stay untouched.
//
// # Conversations
//
// If there are more than 1,000 turns, all but the newest 500 are summarised, in
// parts that each fold in what came before, into one live summary for each
// project. In a call for conversations alone, 30 turns are enough and all are
// summarised. A summarised turn is archived, and so is never summarised again.
// The watermark is the time of the newest such turn; it is only told, so a turn
// that arrives late with an earlier time is still taken. A search finds
// archived turns as before.
//
// # Bounds
//
// One call reads at most 100,000 tokens in each phase and makes at most 50,000.
// With the built-in summariser it goes on from batch to batch within these; with
// a model it does one batch, because each takes moments.
//
// # Once, and not half
//
// Each batch is a [memory.Job]. It is planned, then each summary (or part of
// one) is a step, then one transaction stores the summaries, archives the
// originals, keeps what an undo needs, moves the watermark and deletes the job.
// If a process dies, the next call goes on after the last step of its job.
// Package internal/job has the lease: a second call at the same time gets an
// error. If a memory was changed or forgotten between plan and commit, the
// batch is planned again, so that no summary tells of what was forgotten
// meanwhile.
//
//  1. request.go: check validates the request; model.go: modelOf chooses who writes
//     the summaries
//  2. pass.go: run goes through the phases; resume finishes what was left of each
//  3. plan.go, conversations.go: look reads the bank, theme.go and focus.go sort it,
//     planMemories and planTurns make a batch
//  4. pass.go: runBatch stores its job and takes the lease (internal/job)
//  5. job.go: doSteps makes the summaries that are missing, part by part
//  6. commit.go: commit stores them and all that belongs to them in one transaction
//  7. pass.go: resultOfAll adds the batches up
//
// In mode agent, agent.go offers a batch in place of 4 and 5, and takes its summary.
//
// An undo takes back a whole call: originals and the summaries that were folded
// in come back, the new summaries are erased, and the watermark goes back. They
// are erased and not archived because the word statistics count every stored
// record. A search then returns what it returned before. Records that were
// changed since are left as they are and listed. A batch on which a later one
// was built can be taken back only after that one.
package consolidate
