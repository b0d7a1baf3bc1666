// Package job finishes work however often the process dies: jobs with recorded
// steps, and the lease by which one process at a time works on a job.
//
// A [memory.Job] is a row of a bank, one for each kind and subject. A [Worker]
// works on those of one kind for one process:
//
//	Draft, Add    a job is made and stored, in the transaction that makes it necessary
//	Take, Seize   its lease is taken: the holder's name and an end in the row
//	Keep          the lease is renewed while a step takes its time
//	Do            steps are done, each recorded with what it found out
//	Finish        the last change and the end of the job are one transaction
//	Retry         or the job is given back after a failure, to be tried again later
//
// # After a crash
//
// The row stays, with the last step that was recorded. Whoever takes it goes on
// with what is [Left]. That is possible when the lease is over, [Term] after it
// was renewed last, or at once if the holder's process is known to be gone. A
// step may have been done but not recorded, so every step has to be repeatable.
//
// A lease saves work; it does not keep the work correct. A process that slept
// through its lease may still believe that it holds the job. So each transaction
// of a [Lease] looks whether the row still names it, and is refused with
// [ErrLost] otherwise; Keep then ends the context of the step under way.
package job
