package docstest

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestDemo compares the session that docs/demo.md shows, and the picture of it
// in the README, with a run of the demo.
func TestDemo(t *testing.T) {
	page := filepath.Join(top, "docs", "demo.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, part, after, err := cut(string(text), "demo")
	if err != nil {
		t.Fatal(err)
	}
	session := strings.TrimSpace(strings.Trim(strings.TrimSpace(part), "`"))
	session = strings.TrimPrefix(session, "text\n")
	ran := "$ mcp-memory demo\n" + output(t, "demo")
	shown, printed := varying.ReplaceAllString(session, "N"), varying.ReplaceAllString(ran, "N")
	if shown != printed {
		if !*update {
			t.Fatalf("docs/demo.md does not show what the demo prints: run go test ./internal/docstest -update\n%s",
				firstDifference(shown, printed))
		}
		session = ran
		write(t, page, before+"\n```text\n"+session+"\n```\n"+after)
	}
	picture := filepath.Join(top, "docs", "demo.svg")
	drawn := draw(session)
	if have, err := os.ReadFile(picture); err != nil || string(have) != drawn {
		if !*update {
			t.Fatal("docs/demo.svg is not the session in docs/demo.md: run go test ./internal/docstest -update")
		}
		write(t, picture, drawn)
	}
}

// varying matches the numbers of processes, and the scores, which another
// machine may round another way.
var varying = regexp.MustCompile(`\b\d+\.\d\d\b|(process|kill -9) \d+`)

// The picture: a terminal in pixels, with room for the widest fixed font.
const (
	fontSize   = 13
	charWidth  = 8
	lineHeight = 19
	margin     = 20
)

// draw makes a picture of a session on a terminal.
func draw(session string) string {
	lines := strings.Split(session, "\n")
	columns := 0
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(line))
	}
	width, height := columns*charWidth+2*margin, len(lines)*lineHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">
<title>mcp-memory demo</title>
<rect width="%d" height="%d" rx="8" fill="#1b1f24"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%d">
`, width, height, width, height, width, height, fontSize)
	for i, line := range lines {
		if line == "" {
			continue
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" xml:space="preserve">`, margin, margin+(i+1)*lineHeight-5, colour(line))
		if err := xml.EscapeText(&b, []byte(line)); err != nil {
			panic(err) // a strings.Builder takes everything
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// colour tells what is typed, asked, found and explained apart.
func colour(line string) string {
	switch text := strings.TrimSpace(line); {
	case strings.HasPrefix(text, "$ kill"):
		return "#ff7b72"
	case strings.HasPrefix(text, "$"):
		return "#7ee787"
	case strings.HasPrefix(text, "->"):
		return "#f2cc60"
	case strings.HasPrefix(text, "(score"):
		return "#8b949e"
	case strings.HasPrefix(text, "memory_recall"):
		return "#79c0ff"
	}
	return "#d0d7de"
}
