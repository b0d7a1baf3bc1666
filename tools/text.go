package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
)

// plural returns a number with its noun, such as "1 memory" or "2 memories".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// minute formats a time for tables, in UTC to the minute, "-" for the zero time.
func minute(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// listing formats rows as a table. The first row has the headings. If total is more than the rows
// shown, a last line says so. noun names what is counted.
func listing(rows [][]string, total int, noun string) string {
	if len(rows) < 2 {
		return "No " + strings.TrimPrefix(plural(2, noun), "2 ") + "."
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			fmt.Fprintf(&b, "%-*s  ", width[i], cell)
		}
		b.WriteString(row[len(row)-1] + "\n")
	}
	if shown := len(rows) - 1; total > shown {
		fmt.Fprintf(&b, "%d of %s.\n", shown, plural(total, noun))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// listOutput is a list cut to a limit, with the number of all items.
type listOutput[T any] struct {
	Items []T `json:"items"`
	Total int `json:"total"`
}

// listOf makes the output of a tool that lists, and its text: a table, see listing.
func listOf[R, T any](found []R, total int, item func(R) T, noun string, headings []string, row func(T) []string) (*listOutput[T], string) {
	out, rows := &listOutput[T]{Total: total}, [][]string{headings}
	for _, one := range found {
		shown := item(one)
		out.Items, rows = append(out.Items, shown), append(rows, row(shown))
	}
	return out, listing(rows, total, noun)
}

// short formats a number from 0 to 1 with up to two decimals.
func short(x float64) string { return strconv.FormatFloat(float64(int(x*100+0.5))/100, 'g', -1, 64) }

// joined joins the parts that are not empty.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), separator)
}

// dash shortens a text for a cell of a table, "-" for an empty one.
func dash(text string) string {
	if text == "" {
		return "-"
	}
	return memory.OneLine(text, 24)
}

// credited adds to a text about a copied record which agent it came from.
func credited(text, from string) string {
	if from == "" {
		return text
	}
	return text + " (from " + memory.OneLine(from, 40) + ")"
}
