// Package passages makes the text files of an agent searchable: the Markdown of its
// workspace, of the folder that all agents share, and of folders that a person
// names, such as the vault of a note-taking program. It only reads.
//
// A file is cut into passages: by headings, then by paragraphs, list items and
// blocks of code. What is kept in memory of a passage is where it stands; its text
// is read again when it is shown.
package passages
