// Package access says who is asking and what they may do: the tokens by which
// clients prove over the network which agent they speak for, and the identity
// that a request carries from then on.
//
// A token's secret has 256 random bits, so its plain SHA-256 is safe to keep
// and to look up by; a slow hash is for secrets that people choose. Nobody,
// not even who has the database, can make the secret of it again.
//
// A token that is limited to projects is for what belongs to these, and nothing
// else: what has no project is the agent's own (who it is, whom it knows, its
// diary, its conversations), and is there for tokens of the whole bank alone,
// whatever its kind and however it is asked for.
//
// A token of an operator is for none of it. It shows how every bank of a server does
// (numbers and times) and nothing that is in one.
//
// An identity travels in the context. What it may use is said by the [Reach] of
// each tool, prompt and page and judged by [Refusal], nowhere else. [Guard] is
// the store as an identity sees it: what a token is not restricted to is not there, and every transaction
// leaves a line in the bank's audit log, in the same transaction, that says who
// changed what with which tool. It never says what a memory says.
package access
