// Package notes reads and writes folders of Markdown notes with YAML front
// matter, as Obsidian, Foam and Git like them. It knows nothing of banks:
// package transfer says what is in a note.
//
// A note of ours is
//
//	---
//	mcp_memory: record
//	id: 0198…
//	kind: fact
//	…
//	checksum: 8c5a…
//	---
//	The body, exactly.
//
// The checksum, of everything else in the note, tells whether somebody edited
// it; carriage returns are left out of it, because Git may add or remove them.
package notes
