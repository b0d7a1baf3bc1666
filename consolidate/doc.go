// Package consolidate is self-care: on request it turns many old memories into
// few summaries, and long conversations into one. Nothing does it on a timer;
// the agent decides when, and what to pay attention to.
//
// # Memories
//
// Long-term memories and episodes that are live and not pinned are taken oldest
// first, in batches of 500, from 30 on. A batch is sorted into themes, a project
// and a category each, and every theme becomes one summary; a theme of fewer
// than five joins the rest of its project. A summary is about a fifth of what it
// stands for, but little is not made shorter than by half. It stands for at most
// 500 memories and has at most 2,000 tokens; a theme with more gets several. If
// the theme's newest has room for what is new, it is folded in and superseded, so
// that summaries do not multiply however often self-care is done. Summaries that
// the agent wrote itself are left as they are.
//
// With a focus only memories on it are taken (see focus.go), into one summary
// for each project; all others stay untouched.
//
// # Conversations
//
// From more than 1,000 turns on, all but the newest 500 are summarised, in parts
// that each fold in what came before, into one live summary for each project.
// Asked for conversations alone, 30 turns are enough and none is kept back. A
// turn that was summarised is set aside and by that never summarised again; the
// watermark is the time of the last one. What arrives late with an earlier time
// is still taken. Turns that are set aside are found by a search as before.
//
// # Bounds
//
// One call reads at most 100,000 tokens in each phase and makes at most 50,000.
// With the built-in summariser it goes on from batch to batch within these; with
// a model it does one batch, because each takes moments.
//
// # Once, and not half
//
// Each batch is a [memory.Job]: planned, then a step for every summary (or part),
// then one transaction that stores the summaries, sets aside the originals, keeps
// what is needed to take it back, moves the watermark and forgets the job. A
// call that finds the job of one that died goes on after its last step. Package
// internal/job has the lease: who comes second is told so. If a memory was
// changed or forgotten between plan and commit, the batch is planned anew, so
// that no summary tells of what was forgotten meanwhile.
//
//  1. request.go: check refuses what does not go together; model.go: modelOf says
//     who writes the summaries
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
// in come back, the new summaries are erased, because statistics of words count
// them as long as they are stored, and the watermark goes back. A search then
// returns what it returned before. What was changed since is left as it is and
// named. A batch on which a later one was built can be taken back only after
// that one.
package consolidate
