// Package actions keeps what agents did by the tools of their hosts, and finds it again: commands
// that worked, what was done about an error, which sessions, decisions and commits are behind a file.
//
// What is kept comes from the transcripts that hosts write (package transcripts): commands with how
// they ended, and files that were read or changed; never the contents of a file, nor a secret. Of each
// project so much is kept as the settings say, the oldest goes first. It belongs to its project and its
// session, and is erased with them.
package actions
