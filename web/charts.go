package web

import (
	"fmt"
	"slices"
	"strconv"

	"mcp-memory/web/html"
)

// columns draws numbers side by side, such as those of months; names say what each stands for. The most is what a
// whole column stands for, 0 for the largest of them.
func columns(values []int, names []string, most int, label string) html.Node {
	const width, gap, height = 10, 3, 30
	most = max(1, most, slices.Max(append([]int{0}, values...)))
	parts := []any{html.Class("columns"), html.Attr("viewBox", fmt.Sprintf("0 0 %d %d", max(1, len(values))*width-gap, height)),
		html.Attr("preserveAspectRatio", "none"),
		html.Attr("role", "img"), html.AriaLabel(label)}
	for i, n := range values {
		tall, class := max(2, (height*n+most/2)/most), "fill"
		if n == 0 {
			tall, class = 1, "track"
		}
		parts = append(parts, html.El("rect", html.Class(class), html.Whole("x", i*width), html.Whole("y", height-tall),
			html.Whole("width", width-gap), html.Whole("height", tall),
			html.El("title", names[i]+": "+strconv.Itoa(n))))
	}
	return html.El("svg", parts...)
}

// tile is one number with what it counts, and how it came about.
func tile(number, what string, drawn html.Node) html.Node {
	return html.Div(html.Class("tile"), html.P(html.Strong(number), " ", what), drawn)
}

// thousands is a number with a comma between its thousands.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
