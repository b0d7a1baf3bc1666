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

// The prompts in use. A prompt that changes its meaning gets a file of its own.
const (
	extractPrompt   = "extract.v2.md"
	summarizePrompt = "summarize.v1.md"
	mergePrompt     = "merge.v1.md"
	repairPrompt    = "repair.v1.md"
)

// fields are what the prompts have places for.
type fields struct {
	Boundary  string
	Now       string
	Known     bool
	Named     bool // known facts have names
	Max       int
	Types     string
	What      string
	Focus     string
	Sentences int
	Words     int
	Problem   string
}

// render fills in a prompt: {name} stands for a value, and a line that begins
// with ?name is only there if that value is not empty. A template of the
// standard library would keep the linker from leaving out unused methods, which
// is a fifth of the program.
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

// values are the fields by the names that the prompts use.
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

// newBoundary returns a number that no text can know. Each request has its own,
// because a model can be talked into repeating it in what is asked about
// next. Eighteen digits are as many tokens whichever they are.
func newBoundary() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return fmt.Sprintf("%018d", binary.BigEndian.Uint64(b[:])%1e18)
}

// delimited puts data between lines with the boundary, after what is known.
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
