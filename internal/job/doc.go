// Package job makes sure that work is finished however often the process dies: jobs with recorded
// steps, and the lease by which one process at a time works on a job.
//
// A [memory.Job] is a row of a bank, at most one for each kind and subject. A [Worker] works on the
// jobs of one kind for one process:
//
//	Draft, Add    make a job and store it, in the transaction that makes it necessary
//	Take, Seize   take its lease: the holder's name and the end of the lease in the row
//	Keep          renews the lease while a step takes its time
//	Do            does steps, and records each with its results so far
//	Finish        makes the last change and removes the job, in one transaction
//	Retry         or gives the job back after a failure, to be tried again later
//
// # After a crash
//
// The row stays, with the last step that was recorded. Another process that takes the job continues
// with the steps that are [Left]. It can take the job when the lease has ended, [Term] after it was
// last renewed, or at once if the holder's process is known to be gone. A step may have been done
// but not recorded, so every step has to be repeatable.
//
// A lease avoids work that is done twice. Correctness does not depend on it. A process that was
// suspended for longer than its lease may still believe that it holds the job. So each transaction
// of a [Lease] checks whether the row still names the lease, and fails with [ErrLost] if not. Keep
// then ends the context of the current step.
package job
