package screen

import "strings"

// Table lays out rows in columns, two blanks apart. Text in the last column is wrapped. Other
// columns are never broken.
func (s Screen) Table(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:max(len(row)-1, 0)] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		if len(row) == 0 {
			continue
		}
		head := ""
		for i, cell := range row[:len(row)-1] {
			head += cell + strings.Repeat(" ", widths[i]-Width(cell)+2)
		}
		inner := s
		if s.Width > 0 {
			inner.Width = max(s.width()-Width(head), MinWidth)
		}
		for i, line := range inner.Wrap(row[len(row)-1]) {
			if i == 1 {
				head = strings.Repeat(" ", Width(head))
			}
			b.WriteString(strings.TrimRight(head+line, " ") + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
