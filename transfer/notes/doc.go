// Package notes reads and writes folders of Markdown notes with YAML front matter, as Obsidian,
// Foam and Git handle well. It knows nothing of banks. Package transfer decides what is in a note.
//
// A note of this program is
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
// The checksum covers everything else in the note and shows whether somebody edited it. Carriage
// returns are ignored, because Git may add or remove them.
package notes
