// Package link lets one agent copy the memory of another that agrees: a neural
// link. It is the only way by which anything passes from one bank to another.
//
// The receiver asks; the one that is asked has a window, two minutes by
// default, to share or to decline, and whoever asked can take it back until
// then. Sharing copies records in one transaction over the receiver's bank.
// That transaction also decides who wins when two processes share at the same
// moment: there is exactly one copy. Nothing changes on the sharer's side.
//
// # What is copied
//
// Live records that both sides allow by kind, category and time of the event.
// Not copied are
//
//   - soul entries, unless the sharer names the kind;
//   - secrets, see below, unless the sharer names the category "secret";
//   - corrected and archived records: history is not copied;
//   - conversations, unless the sharer names the kind "turn"; see below;
//   - to-dos and calendar events;
//   - what was copied by an earlier link, also if it was forgotten since, what
//     the receiver has word for word in the same project and kind, and what
//     came from the receiver in the first place: these are counted as skipped.
//
// A copy has a new id, source "link", and a [Provenance]. It keeps content,
// kind and details, project, category, tags, importance, metadata, and when it
// happened and was true. Accesses and confirmations begin anew. Ids of the
// sharer mean nothing in another bank, so a summary does not say what it
// covers, only how much; the caller's own name for a record (external id) goes
// to the provenance, lest it takes the name from a record of the receiver.
//
// An original that was corrected since it was copied comes as a correction of
// the copy. If the receiver has corrected the copy itself, both stand.
//
// Of some things a bank has one: a procedure of a name, a relationship to
// somebody, a diary entry of a day. Where the receiver has its own, that one
// stays as it is; a procedure or relationship is copied with the sharer's name
// behind its own, "deploy (bob)", and a diary entry as an episode.
//
// What was left out is counted by kind in the sharer's answer ([Shared]).
//
// # Conversations
//
// Messages have no category: they are copied where none is named. A message with a
// secret in its text, its calls or their results stays, as a record does; what was
// thought stays always. A copy stands in a conversation with the sharer's name behind
// its own, "monday (bob)", and has no role there, for it was said by nobody whom the
// receiver serves: the speaker is "user (bob)", or whatever name the speaker had. Its
// metadata have the [Provenance] under "link". A second link copies only what is new.
// To forget by link does not reach messages; to forget by conversation does.
//
// # Secrets
//
// A record is a secret if a tag or its category says so ("secret",
// "confidential" and the like), or if it holds what looks like a credential, the
// number of a card or an account, a code of a door or a seed phrase; see package
// secrets. In a list
// of categories "secret" stands for all of these: ["secret"] is secrets and
// nothing else, ["goal", "secret"] is goals and secrets. Only the sharer's
// list counts; to ask for secrets is not to get them.
//
// # What a copy costs
//
// A copy is one transaction, lest half of it is ever seen. Nine tenths of its
// time are the rows, the text index and the vectors of the copies: about six
// thousand a second, so a bank of 100,000 takes some 16. To prepare more of
// it before would save little. Meanwhile everybody can read; other writes wait,
// and those that have waited as long as the store lets them, 20 seconds, fail
// with [memory.CodeUnavailable] and can be repeated. Parts by kind, category or
// time keep a copy small.
//
// # Audit
//
// Every change is in the audit logs of both banks, with ids and counts and
// without text. The receiver's log is written in the transaction that makes the
// change. The other's is written before it, as an intent, because a
// transaction belongs to one bank: what happened is never missing there, and
// what failed after all is said in a second entry.
package link
