package hosts

import (
	"fmt"
	"slices"
	"strings"
)

// maxDiff is the number of lines up to which compare looks for common lines.
// With more, all of them are shown as changed. The lines that both texts begin
// or end with are not counted.
const maxDiff = 2000

// diff returns the change of a file as a unified diff, like diff -u. A missing
// file is empty.
func diff(path string, before, after []byte) string {
	a, b := slices.Collect(strings.Lines(string(before))), slices.Collect(strings.Lines(string(after)))
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var all []diffLine
	for i := range start {
		all = append(all, diffLine{' ', a[i]})
	}
	all = append(all, compare(a[start:len(a)-end], b[start:len(b)-end])...)
	for i := len(a) - end; i < len(a); i++ {
		all = append(all, diffLine{' ', a[i]})
	}
	return "--- " + path + "\n+++ " + path + "\n" + hunks(all)
}

// diffLine is a line with a sign: space if it stays, - if it is removed, + if
// it is added.
type diffLine struct {
	sign byte
	text string
}

// compare returns the lines of a and b as a diff, with as many common lines as
// possible (their longest common subsequence).
func compare(a, b []string) []diffLine {
	var all []diffLine
	if len(a) > maxDiff || len(b) > maxDiff {
		for _, line := range a {
			all = append(all, diffLine{'-', line})
		}
		for _, line := range b {
			all = append(all, diffLine{'+', line})
		}
		return all
	}
	common := make([][]int, len(a)+1) // length of the longest common subsequence of a[i:], b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			all = append(all, diffLine{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			all = append(all, diffLine{'-', a[i]})
			i++
		default:
			all = append(all, diffLine{'+', b[j]})
			j++
		}
	}
	return all
}

// around is how many unchanged lines are shown before and after a change.
const around = 3

// hunks returns the changed lines and those around them, in hunks with headers.
func hunks(all []diffLine) string {
	shown := make([]bool, len(all))
	for i, line := range all {
		if line.sign != ' ' {
			for j := max(0, i-around); j < min(len(all), i+around+1); j++ {
				shown[j] = true
			}
		}
	}
	var b strings.Builder
	old, fresh := 1, 1
	for i := 0; i < len(all); {
		if !shown[i] {
			i, old, fresh = i+1, old+1, fresh+1
			continue
		}
		var body strings.Builder
		oldStart, freshStart := old, fresh
		for ; i < len(all) && shown[i]; i++ {
			text := strings.TrimRight(all[i].text, "\r\n")
			fmt.Fprintf(&body, "%c%s\n", all[i].sign, text)
			if !strings.HasSuffix(all[i].text, "\n") {
				body.WriteString("\\ No newline at end of file\n")
			}
			if all[i].sign != '+' {
				old++
			}
			if all[i].sign != '-' {
				fresh++
			}
		}
		fmt.Fprintf(&b, "@@ -%s +%s @@\n%s", span(oldStart, old), span(freshStart, fresh), body.String())
	}
	return b.String()
}

// span returns the range of lines of a hunk's header: first line and number of
// lines.
func span(start, end int) string {
	if end == start {
		return fmt.Sprintf("%d,0", start-1)
	}
	return fmt.Sprintf("%d,%d", start, end-start)
}
