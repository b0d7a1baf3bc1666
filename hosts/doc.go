// Package hosts knows the programs that start this one: how each of them is
// found, in which files it keeps its MCP servers and its hooks, the format of
// an entry there, and the host's own command for it, if any. It installs and
// removes our entry.
//
// # The files are not ours
//
// What a person wrote stays byte for byte. JSON is changed by replacing ranges
// of its bytes, so that comments, order, indentation and line ends stay as they
// are. TOML is changed in a block between two comments, YAML by whole lines.
// Before the first change the file is copied beside itself ([BackupSuffix]). A
// new text is written under another name, synced, renamed, and read back. Links
// are followed, modes kept.
//
// Removing deletes the entries that start our program, and then the parents
// that have become empty and are not in the copy. If the file then differs from
// the copy only in white space, the copy takes its place.
//
// Only one of our processes changes files at a time ([Machine.alone]). What
// another program saves meanwhile is not lost. Where the system can exchange
// two files at once, the file is exchanged with the new one, and exchanged back
// if it is not what was read. The change is then computed again. Links among a
// project's files, which somebody else may have made, are followed within the
// project only.
//
// # Refusing
//
// If a file cannot be changed without a guess, nothing is written, and the
// [Refusal] has the text that a person can put there. That is so if the file
// does not parse, is read-only, has our name twice or for something else, or
// has our entry with changes made by hand.
//
// # The process
//
// The package uses nothing of its process. Home directory, environment,
// operating system, the search for commands and running them come in a
// [Machine], so that tests can check the paths of every system.
package hosts
