// Package salience says how present a memory is at a moment: one number from
// 0 (forgotten) to 1, made of the record's importance, of how often it was
// recalled and of how long ago that was. Everything here is a pure function
// of its arguments; the caller passes the time.
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
// reaches past 1 and each recall adds less than the one before, so that a
// record cannot climb on its own recalls without end; what a recall adds is
// lost again by the same decay. Only the number of recalls and the time of the
// latest count, so their order does not matter.
//
// Where it comes from: the exponential stands for Ebbinghaus's forgetting
// curve, in the common simplification R = e^(-t/S) (his own fit of 1885 was
// not an exponential). That every recall makes the memory last longer (the
// growing half-life) follows MemoryBank (Zhong et al. 2023), with a logarithm
// in place of its step of one a recall. The logarithm of practice is
// what base-level learning in ACT-R (Anderson and Schooler 1991) shares with
// this; its power law of time, and its sum over every single access, are not
// taken, because only a count and one time are stored. Combining importance
// with a recency that counts from the last access follows Generative Agents
// (Park et al. 2023), which adds the parts; here they are multiplied, so that
// the result needs no rescaling to stay in [0,1]. The constants are choices of
// this project.
package salience
