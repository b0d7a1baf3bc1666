package llm

import (
	"crypto/rand"
	"embed"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

//go:embed prompts/*.md
var promptFiles embed.FS

// The prompts in use. A prompt whose meaning changes gets a new file.
const (
	extractPrompt   = "extract.v2.md"
	summarizePrompt = "summarize.v1.md"
	mergePrompt     = "merge.v1.md"
	repairPrompt    = "repair.v1.md"
)

// fields are the values that prompts have placeholders for.
type fields struct {
	Boundary  string
	Now       string
	Known     bool
	Named     bool // known facts are shown with names such as [k3]
	Max       int
	Types     string
	What      string
	Focus     string
	Sentences int
	Words     int
	Problem   string
}

// render fills in a prompt: {name} is replaced by a value, and a line that begins with ?name is
// left out if that value is empty. It is not a template of the standard library, because with one
// the linker could not drop unused methods, which is a fifth of the program.
func render(name string, f fields) string {
	text, err := promptFiles.ReadFile("prompts/" + name)
	if err != nil {
		panic(err) // the files are part of the program, and a test renders each
	}
	values := f.values()
	var pairs []string
	for key, value := range values {
		pairs = append(pairs, "{"+key+"}", value)
	}
	fill := strings.NewReplacer(pairs...)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if condition, rest, _ := strings.Cut(line, " "); strings.HasPrefix(condition, "?") {
			if values[condition[1:]] == "" {
				continue
			}
			line = rest
		}
		lines = append(lines, fill.Replace(line))
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}

// values returns the fields by the names that the prompts use.
func (f fields) values() map[string]string {
	v := map[string]string{
		"boundary": f.Boundary, "now": f.Now, "known": "", "named": "",
		"unnamed": "yes", "max": strconv.Itoa(f.Max), "types": f.Types, "what": f.What,
		"focus": f.Focus, "sentences": "", "words": strconv.Itoa(f.Words), "problem": f.Problem,
	}
	if f.Known {
		v["known"] = "yes"
	}
	if f.Named {
		v["named"], v["unnamed"] = "yes", ""
	}
	if f.Sentences > 0 {
		v["sentences"] = "2 to " + strconv.Itoa(f.Sentences) + " sentences, "
	}
	return v
}

// newBoundary returns a random number that no text can know. Each request has its own, because a
// model can be made to repeat it in an answer, which the next request then has as text. All numbers
// of eighteen digits have about the same number of tokens.
func newBoundary() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return fmt.Sprintf("%018d", binary.BigEndian.Uint64(b[:])%1e18)
}

// delimited returns the data between lines with the boundary, after what is known.
func delimited(boundary, known string, pieces []piece) string {
	var b strings.Builder
	if known != "" {
		b.WriteString("KNOWN " + boundary + "\n" + known + "\n")
	}
	b.WriteString("BEGIN " + boundary + "\n")
	for _, p := range pieces {
		b.WriteString(p.text + "\n")
	}
	b.WriteString("END " + boundary)
	return b.String()
}
