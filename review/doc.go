// Package review finds what a person had better decide about a bank: facts of which one may
// have taken the place of the other, opposites, near-duplicates, secrets, years that the program wrote and
// nobody said, and what was learned and never used.
//
// Nothing is decided here and nothing is kept, but for what a person said may stay as it is. The newest
// [Looked] memories are read and compared with each other in memory, by what package slots reads in
// them and by the words that they share, in the background and again when the bank has changed. So nobody
// waits for it, and a bank of any size costs the same. Until a look has ended there is what the one before it
// found, less what was decided, forgotten or replaced since.
package review
