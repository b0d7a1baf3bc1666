package foreign

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"mcp-memory/memory"
)

// Of endless blanks little is handed on, in whatever pieces they come, and nothing else
// changes.
func TestTight(t *testing.T) {
	blanks := strings.Repeat(" \n\t\r", maxBlanks)
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader,
		"with its end": iotest.DataErrReader, "by halves": iotest.HalfReader,
	} {
		for text, want := range map[string]string{
			blanks + "[" + blanks + "1" + blanks + "]": blanks[:maxBlanks] + "[" + blanks[:maxBlanks] + "1" +
				blanks[:maxBlanks] + "]",
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

// endless is a text over and over.
type endless struct {
	text string
	at   int
}

// Read implements [io.Reader].
func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}

// An endless text in a record is refused, and takes no more memory than one that is as long as it may be, by buffers
// that grow; what stands before it is read.
func TestEndlessText(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`[{"memory":"short"},{"memory":"`), io.LimitReader(&endless{text: `x\"`}, 1<<30),
		strings.NewReader(`"}]`))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read := 0
	err := eachElement(t.Context(), in, "x.json", func(string, int, any) error { read++; return nil })
	runtime.ReadMemStats(&after)
	if memory.CodeOf(err) != memory.CodeTooLarge ||
		!strings.Contains(err.Error(), "x.json: one text in it has more than 16 MiB") || read != 1 {
		t.Errorf("%d are read, %v", read, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 12*maxText {
		t.Errorf("%d MB were allocated", took>>20)
	}
}
