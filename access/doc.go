// Package access decides who makes a request and what they may do. It has the tokens by which
// clients prove over the network which agent they speak for, and the identity that a request then
// carries.
//
// A token's secret has 256 random bits, so a plain SHA-256 of it is safe to store and to look up. A
// slow hash is only needed for secrets that people choose. Nobody can compute the secret from the
// hash.
//
// A token that is limited to projects gives access to what belongs to these, and to nothing else.
// What has no project is the agent's own (who it is, whom it knows, its diary, its conversations).
// It needs a token for the whole bank, whatever kind of memory it is and however it is asked for.
//
// A token of an operator gives access to no bank. It only shows the state of all banks of a server
// (numbers and times).
//
// The identity is in the context. What it may use is decided only by [Refusal], from the [Reach] of
// each tool, prompt and page. [Guard] is the store as an identity sees it: what is outside of a
// token's projects does not exist for it. Every transaction of a changing call writes an entry of
// the bank's audit log, in the same transaction, with who changed what by which tool. It never has
// the text of a memory.
package access
