// Package actions keeps what agents did with the tools of their hosts, and finds it again: commands
// that worked, what fixed an error, and which sessions, decisions and commits are behind a file.
//
// Actions are read from the transcripts that hosts write (package transcripts): commands with how
// they ended, and names of files that were read or changed, but never the contents of a file or a
// secret. A setting limits the bytes for each project, and the oldest actions are dropped first.
// Actions belong to their project and session, and are erased with them.
package actions
