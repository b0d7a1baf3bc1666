package foreign

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Of endless blanks little is handed on, in whatever pieces they come, and nothing else
// changes.
func TestTight(t *testing.T) {
	blanks := strings.Repeat(" \n\t\r", maxBlanks)
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader, "with its end": iotest.DataErrReader, "by halves": iotest.HalfReader,
	} {
		for text, want := range map[string]string{
			blanks + "[" + blanks + "1" + blanks + "]":          blanks[:maxBlanks] + "[" + blanks[:maxBlanks] + "1" + blanks[:maxBlanks] + "]",
			`"` + blanks + `\"` + blanks + `\\"` + blanks + `1`: `"` + blanks + `\"` + blanks + `\\"` + blanks[:maxBlanks] + `1`,
			blanks: blanks[:maxBlanks], "": "", `[ 1 , "a  b" ]`: `[ 1 , "a  b" ]`,
		} {
			got, err := io.ReadAll(&tight{in: wrap(strings.NewReader(text))})
			if err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("%s: %.40q: %d bytes, want %d, %v", name, text, len(got), len(want), err)
			}
		}
	}
}
