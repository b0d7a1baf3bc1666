// Package contextwindow watches how full a conversation's context window is,
// and saves what matters before a message leaves it.
//
// A host reports its messages with [Service.Append]. They are counted,
// classified and stored as turns; then the window is measured:
//
//	utilisation = 100 × (summary + live turns) / (total − reserve), in tokens
//
// Live turns are those from the index Compacted, a watermark of the window, on. The summary
// replaces those before it, which stay stored and are never deleted. Thinking is stored but
// does not go back to the model, so it is not counted.
//
// # Write, then compact
//
// At 60 % the turns that were not searched for facts yet are searched, and the facts saved:
// a flush. At 70 % follows a compaction: flush, summarise, replace the history by the summary
// and the last 4 messages. Each is a [memory.Job] whose steps are recorded when they are done:
//
//	planned     the range is fixed, in the transaction that stored the turns
//	facts       the facts are found and kept in the job
//	saved       they are in the database, with learnings and episodes
//	memory      and in MEMORY.md
//	summarised  the summary is kept in the job (compactions only, as the next)
//	history     an entry is in HISTORY.md
//	swapped     the window's watermarks moved and the job is gone, at once
//
// Every step is idempotent: facts are saved under keys made of the job and their number,
// learnings and episodes under keys made of their turn or call, and files take an id once. So
// whoever finds a job, after a crash or a kill, goes on after the last recorded step
// ([Service.Resume]) and comes to the same state as the first would have. Package internal/job
// has the lease that keeps two processes from doing the same work.
//
// # A compaction, file by file
//
//  1. append.go: Append checks the messages; prepare finds out which are new
//     (repeat.go), classifies, counts and embeds them
//  2. commit.go: commit keeps them in one transaction, window and events too
//  3. trigger.go: decide looks at the utilisation; boundary.go says which turns stay
//  4. commit.go: planIn stores the job in the same transaction
//  5. dispatch.go: dispatch chooses between the call and the background (queue.go)
//  6. run.go: runJob claims the job (job.go), which takes its lease (internal/job)
//  7. job.go: doSteps loads the turns and does what is left of the steps
//  8. steps.go: findFacts asks a summarizer (summarizers.go) about the turns in
//     which something new was said (novelty.go); a model is told the facts that
//     they may be about (known.go)
//  9. steps.go: saveFacts saves them in one transaction (remember), with the
//     learnings and episodes of the turns (experience.go)
//  10. steps.go: mergeMemory writes them to MEMORY.md (workspace)
//  11. steps.go: summarize makes the summary that replaces the older turns
//  12. steps.go: appendHistory adds an entry to HISTORY.md
//  13. job.go: moveWatermarks swaps the window and forgets the job, in one transaction
//  14. notice.go: what nobody waited for is kept to be told once, by the next call
//  15. result.go, history.go: addWindow measures the window and returns its messages
//
// # What a prompt remembers
//
// [Service.Assemble] shows memories in groups within a budget (memories.go):
// soul and learnings whatever is asked, the others by what the query finds.
// Where that is little, what stands out and what is new make up for the rest
// (fill.go), and a record that names somebody in the query needs less of a score
// (names.go).
//
// # Who does the work
//
// The summarizers are tried in order. If the first is local, the work is done
// within the call. If it is not, nobody waits for it: the job goes to a bounded
// queue with at most one job a session. Three things bring it back into the
// call, with the local summarizers only: a full queue, a window past 100 %, and a
// caller that asks for a compaction with facts and summary of its own. If every
// summarizer fails, the job stays, nothing is dropped and [Service.Status] says so.
//
// # Messages that come again
//
// A message with an external id that its session has is a repetition. Without
// ids, a call of two or more messages is compared with the stored turns, by role,
// name, content, calls and (where both have one) time. The longest start of the call that
// is the end of the session is a repetition, and so is a call that repeats the session from
// its start on. In a history that was compacted or assembled here, and is sent back, the
// system messages in front (the session's own prompt, and what this package has made) are
// recognised too. So a host may send its whole history each time, or try a call again. A
// single message is a repetition only of the one before it, and only with the same time:
// somebody may well say "yes" twice.
package contextwindow
