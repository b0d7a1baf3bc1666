package foreign

import "io"

// maxBlanks is how many blanks in a row are handed on. No program writes as many, and
// below it the place of an error is told to the byte.
const maxBlanks = 4 << 10

// tight is JSON without endless blanks between its values: a decoder looks at all
// blanks before a value again with each read, and keeps them.
type tight struct {
	in      io.Reader
	blanks  int  // in a row, so far
	text    bool // within a string
	escaped bool // behind a backslash of it
}

// Read implements [io.Reader].
func (t *tight) Read(p []byte) (int, error) {
	for {
		n, err := t.in.Read(p)
		if kept := t.squeeze(p[:n]); kept > 0 || err != nil || n == 0 {
			return kept, err
		}
	}
}

// squeeze takes blanks out of p, and returns how much is left.
func (t *tight) squeeze(p []byte) (kept int) {
	for _, c := range p {
		switch {
		case t.text:
			t.text = t.escaped || c != '"'
			t.escaped = c == '\\' && !t.escaped
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			if t.blanks++; t.blanks > maxBlanks {
				continue
			}
		default:
			t.blanks, t.text = 0, c == '"'
		}
		p[kept] = c
		kept++
	}
	return kept
}
