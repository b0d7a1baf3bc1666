// Package salience computes how present a memory is at a moment: one number
// from 0 (forgotten) to 1. It depends on the record's importance, on how often
// it was recalled and on how long ago that was. Everything here is a pure
// function of its arguments; the caller passes the time.
//
// With importance i (0 to 1), recalls n, age a since the record was saved or
// last recalled, whichever is later, and half-life H (a and H in any one unit
// of time; H is 30 days unless configured):
//
//	boost     b = ln(1+n) / (1 + ln(1+n))      0 at n=0, below 1 for every n
//	strength  s = i + (1-i) · reinforcement · b
//	recency   r = 2 ^ (-a / (H · (1 + ln(1+n))))
//	salience    = s · r
//
// Soul records and pinned ones do not decay: for them r is 1. Strength never
// exceeds 1, and each recall adds less than the one before, so that recalls
// alone cannot raise a record without end. What a recall adds is lost again by
// the same decay. Only the number of recalls and the time of the latest one
// count, not their order.
//
// The exponential stands for Ebbinghaus's forgetting curve, in the common
// simplification R = e^(-t/S) (his own fit of 1885 was not an exponential).
// That every recall makes the memory last longer (the growing half-life)
// follows MemoryBank (Zhong et al. 2023), with a logarithm in place of its step
// of one for each recall. The logarithm of practice also occurs in the
// base-level learning of ACT-R (Anderson and Schooler 1991). ACT-R's power law
// of time, and its sum over every single access, are not used, because only a
// count and one time are stored. Combining importance with a recency that
// counts from the last access follows Generative Agents (Park et al. 2023),
// which adds the parts. Here they are multiplied, so that the result stays in
// [0,1] without rescaling. The constants are choices of this project.
package salience
