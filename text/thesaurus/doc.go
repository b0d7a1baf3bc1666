// Package thesaurus knows words and phrases that mean the same, or of which one
// is a kind of the other, as somebody wrote them down in groups: "rollback" and
// "revert", "message broker" and "RabbitMQ". It says of a question what the text
// that answers it may say instead.
//
// The semantic table (package semantics) relates what is near in ordinary texts;
// the words of a trade it knows only as far as they occur there. The file
// technical.txt tells how a group is written; docs/meaning.md what it brings.
package thesaurus
