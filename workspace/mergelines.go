package workspace

import (
	"bytes"
	"slices"
	"strings"
)

// maxCompared bounds the pairs of lines that pairLines compares; a larger part counts as
// different as a whole.
const maxCompared = 4 << 20

// mergeLines is a three-way merge line by line: mine and theirs are two changes of base. Where
// both have changed the same lines, those of mine stand, and lost has the lines of theirs that
// go.
func mergeLines(base, mine, theirs []byte) (merged, lost []byte) {
	b, m, t := slices.Collect(strings.Lines(string(base))),
		slices.Collect(strings.Lines(string(mine))), slices.Collect(strings.Lines(string(theirs)))
	inMine, inTheirs := pairLines(b, m), pairLines(b, t)
	var out, rest bytes.Buffer
	for i, j, k := 0, 0, 0; ; {
		p := i
		for p < len(b) && (inMine[p] < 0 || inTheirs[p] < 0) {
			p++
		}
		was, ours, others := b[i:p], m[j:], t[k:]
		if p < len(b) {
			ours, others = m[j:inMine[p]], t[k:inTheirs[p]]
		}
		switch {
		case slices.Equal(ours, was):
			addLines(&out, others)
		case slices.Equal(others, was), slices.Equal(others, ours):
			addLines(&out, ours)
		default:
			addLines(&out, ours)
			addLines(&rest, slices.DeleteFunc(slices.Clone(others), func(line string) bool { return slices.Contains(ours, line) }))
		}
		if p == len(b) {
			return out.Bytes(), rest.Bytes()
		}
		addLines(&out, b[p:p+1])
		i, j, k = p+1, inMine[p]+1, inTheirs[p]+1
	}
}

// addLines adds lines behind others, of which the last may lack its end.
func addLines(to *bytes.Buffer, lines []string) {
	for _, line := range lines {
		if n := to.Len(); n > 0 && to.Bytes()[n-1] != '\n' {
			to.WriteByte('\n')
		}
		to.WriteString(line)
	}
}

// pairLines returns for each line of a the index of the line of b that it is paired with, -1 for
// none: by the longest common subsequence.
func pairLines(a, b []string) []int {
	pairs := make([]int, len(a))
	for i := range pairs {
		pairs[i] = -1
	}
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		pairs[from] = from
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
		pairs[endA] = endB
	}
	n, m := endA-from, endB-from
	if n == 0 || m == 0 || n*m > maxCompared {
		return pairs
	}
	longest := make([][]int32, n+1)
	for i := range longest {
		longest[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[from+i] == b[from+j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case a[from+i] == b[from+j]:
			pairs[from+i] = from + j
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
