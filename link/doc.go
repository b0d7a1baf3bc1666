// Package link lets one agent copy the memory of another that agrees: a neural
// link. Nothing passes from one bank to another in any other way.
//
// The receiver asks. The sharer, which is asked, has a window, two minutes by
// default, to share or to decline, and the receiver can revoke the request
// until then. Sharing copies records in one transaction over the receiver's
// bank. That transaction also decides if two processes share at the same
// moment: there is exactly one copy. Nothing changes on the sharer's side but
// its audit log.
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
// kind and details, project, category, tags, importance, metadata, and the
// times at which it happened and was true. Accesses and confirmations begin
// anew. The sharer's ids mean nothing in another bank, so a summary does not
// tell which records it covers, only how many. The caller's own id for a record
// (external id) goes into the provenance, because a record of the receiver may
// have the same.
//
// If an original was corrected after it was copied, the next link copies the
// correction, which supersedes the copy. If the receiver has corrected the copy
// itself, both stay.
//
// Of some things a bank can have only one: a procedure with a name, a
// relationship with somebody, a diary entry of a day. If the receiver has its
// own, that one stays as it is. A procedure or relationship is then copied with
// the sharer's name after its own, "deploy (bob)", and a diary entry as an
// episode.
//
// Records that were left out are counted by kind in the sharer's answer
// ([Shared]).
//
// # Conversations
//
// Messages have no category, so they are copied only if no categories are
// named. A message with a secret in its text, its tool calls or their results
// is not copied, as a record with a secret is not. Thoughts are never copied. A
// copy is in a conversation with the sharer's name after its own, "monday
// (bob)". It has no role, because its speaker is not the receiver's user or
// assistant: the speaker is "user (bob)", or the name that the speaker had. Its
// metadata have the [Provenance] under "link". A second link copies only new
// messages. Forgetting a link does not erase messages; forgetting a
// conversation does.
//
// # Secrets
//
// A record is a secret if a tag or its category says so ("secret",
// "confidential" and the like), or if its text has what looks like a
// credential, the number of a card or an account, the code of a door, or a seed
// phrase; see package secrets. In a list of categories "secret" stands for all
// of these: ["secret"] means secrets and nothing else, ["goal", "secret"] means
// goals and secrets. Only the sharer's list counts: a request for secrets alone
// does not get them.
//
// # What a copy costs
//
// A copy is one transaction, so that no part of it is seen before the rest.
// Nine tenths of its time go into the rows, the text index and the vectors of
// the copies: about six thousand records a second, so a bank of 100,000 takes
// about 16 seconds. Preparing more of it before the transaction would save
// little. Meanwhile everybody can read. Other writes wait (with PostgreSQL only
// those to the receiver's bank), and those that have waited as long as the store
// allows, 20 seconds, fail with [memory.CodeUnavailable] and can be repeated.
// Copying in parts, by kind, category or time, makes each copy short.
//
// # Audit
//
// Every change is in the audit logs of both banks, with ids and counts and
// without text. The receiver's log is written in the transaction that makes the
// change. The sharer's log is written before it, as an intent, because a
// transaction belongs to one bank. So what happened is never missing there, and
// a failure is recorded in a second entry.
package link
