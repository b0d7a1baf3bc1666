package foreign

import (
	"io"

	"mcp-memory/memory"
)

// maxBlanks is how many white space characters in a row are passed on. No program writes more, and
// up to it, byte offsets in error messages are exact.
const maxBlanks = 4 << 10

// maxText is the longest string of a record, in bytes. A decoder keeps several copies of a string.
const maxText = 16 << 20

// errLongText says that a string is longer than [maxText].
var errLongText = memory.Errorf(memory.CodeTooLarge, "one text in it has more than %d MiB", maxText>>20)

// tight passes JSON on with long runs of white space between values cut to maxBlanks. Without it,
// [json.Decoder] would buffer such a run and scan it from its start again with each read.
type tight struct {
	in      io.Reader
	blanks  int  // white space characters in a row so far
	text    bool // inside a string
	escaped bool // after a backslash in it
	most    int  // longest string in bytes; 0 for no limit
	length  int  // length of the current string so far
}

// Read implements [io.Reader]. It fails with [errLongText] after a string longer than most.
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

// squeeze removes excess white space from p, in place, and returns how many bytes are left.
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
