// Package hosts knows the programs that start this one: how each of them is found,
// in which file it keeps its MCP servers and its hooks, how an entry is written
// there, and which command of its own does that. It installs and removes our entry.
//
// # The files are not ours
//
// What a person wrote stays byte for byte: JSON is changed by replacing ranges of its
// bytes, with comments, order, indentation and ends of lines untouched; TOML by a block between two
// comments; YAML by whole lines. The file is copied once beside itself before the first
// change ([BackupSuffix]), written under another name, synced, renamed, and read back. Links
// are followed, modes kept.
//
// Removing takes out what is recognised as ours, by the command that it starts, and then the parents
// that became empty and are not in the copy. What then differs from the copy in white space
// only becomes the copy again, which goes.
//
// Our own processes take turns ([Machine.alone]). What another program saves meanwhile is not lost: the file is
// exchanged with the new one where the system can, goes back if it is not what was read, and the change is made anew.
// Links of a project's files, which somebody else may have made, are followed within the project only.
//
// # Refusing
//
// Where a file cannot be changed without a guess (it does not parse, is read-only, has our name twice, or
// for something else, or ours with changes by hand) nothing is written, and the [Refusal] has the text
// that a person can put there.
//
// # The process
//
// The package asks nothing of its process: home, environment, operating system, the search for commands and
// running them come in a [Machine], so that tests see every system's paths.
package hosts
