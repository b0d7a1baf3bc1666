// Package child is the built program as a child process, for programs of eval that
// look at it from outside: its commands, and its server with a client over its pipes.
package child
