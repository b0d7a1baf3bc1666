package web

import (
	"fmt"
	"slices"
	"strconv"

	"mcp-memory/web/html"
)

// columns draws a column chart; names[i] is the tooltip of values[i]. A column of full height
// stands for most, or for the largest value if that is larger than most.
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

// tile shows a number, what it counts, and below it a chart or link.
func tile(number, what string, drawn html.Node) html.Node {
	return html.Div(html.Class("tile"), html.P(html.Strong(number), " ", what), drawn)
}

// thousands formats a number with commas, as in "12,345".
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
