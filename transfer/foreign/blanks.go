package foreign

import (
	"io"

	"mcp-memory/memory"
)

// maxBlanks is how many blanks in a row are handed on. No program writes as many, and
// below it the place of an error is told to the byte.
const maxBlanks = 4 << 10

// maxText is how many bytes one text of a record may have, of which a decoder keeps all several times.
const maxText = 16 << 20

// errLongText is a text that is longer than [maxText].
var errLongText = memory.Errorf(memory.CodeTooLarge, "one text in it has more than %d MiB", maxText>>20)

// tight is JSON without endless blanks between its values: a decoder looks at all
// blanks before a value again with each read, and keeps them.
type tight struct {
	in      io.Reader
	blanks  int  // in a row, so far
	text    bool // within a string
	escaped bool // behind a backslash of it
	most    int  // bytes that a string may have, 0 for any number
	length  int  // of the string so far
}

// Read implements [io.Reader]. [errLongText] behind a string that is longer than it may be.
func (t *tight) Read(p []byte) (int, error) {
	for {
		if t.most > 0 && t.length > t.most {
			return 0, errLongText
		}
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
			t.length++
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			if t.blanks++; t.blanks > maxBlanks {
				continue
			}
		default:
			t.blanks, t.text, t.length = 0, c == '"', 0
		}
		p[kept] = c
		kept++
	}
	return kept
}
