package workspace

import (
	"strings"

	"mcp-memory/memory"
)

const (
	soulBegin = "<!-- mcp-memory:soul:begin -->"
	soulEnd   = "<!-- mcp-memory:soul:end -->"
	soulNote  = "<!-- One entry a line, kept by mcp-memory: reword, add or delete lines as you like. -->"
)

type soulHeading struct {
	kind  memory.SoulType
	title string
}

// soulHeadings are those of the section, in its order.
var soulHeadings = []soulHeading{
	{memory.SoulBelief, "Beliefs"},
	{memory.SoulValue, "Values"},
	{memory.SoulFear, "Fears"},
	{memory.SoulConviction, "Convictions"},
}

// soulSection is what stands between the markers.
func soulSection(entries []memory.Record) []string {
	var lines []string
	for _, h := range soulHeadings {
		first := true
		for _, r := range entries {
			if r.SoulType() != h.kind || !r.Live() {
				continue
			}
			if first {
				lines = append(lines, "", "## "+h.title, "")
				first = false
			}
			line := "- " + paragraph(r.Content)
			if checkID(r.ID) == nil { // else a comment cannot hold it, and one entry need not keep the others out
				line += fullMarker(r.ID, paragraph(r.Content))
			}
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// mirrorSoul replaces the section or adds it.
func mirrorSoul(content string, section []string) string {
	end := lineEnd(content)
	ours := strings.Join(append([]string{soulNote}, section...), end) + end
	if from, to, ok := soulPlace(content); ok {
		return content[:from] + ours + content[to:]
	}
	if len(section) == 0 {
		return content
	}
	gap := end
	if content == "" {
		gap = ""
	} else if !strings.HasSuffix(content, "\n") {
		gap = end + end
	}
	return content + gap + soulBegin + end + ours + soulEnd + end
}

// soulPlace finds what is in the last section. A marker that lost its
// counterpart is nothing, so that a person's text never counts as ours.
func soulPlace(content string) (from, to int, ok bool) {
	at, begin := 0, -1
	for raw := range strings.Lines(content) {
		switch strings.TrimSpace(strings.TrimPrefix(raw, byteOrderMark)) {
		case soulBegin:
			begin = at + len(raw)
		case soulEnd:
			if begin >= 0 {
				from, to, ok, begin = begin, at, true, -1
			}
		}
		at += len(raw)
	}
	return from, to, ok
}
