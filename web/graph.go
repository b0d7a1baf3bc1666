package web

import (
	"math"
	"strconv"

	"mcp-memory/memory"
	"mcp-memory/web/html"
)

const (
	// graphNodes is how many things a drawing shows at most. With more, the names would overlap.
	graphNodes = 36
	// graphRounds is the number of iterations of layout.
	graphRounds = 200
)

// edge is a triple whose subject and object are both drawn. from and to are indexes into the names.
type edge struct {
	from, to  int
	predicate string
}

// things returns the names of the first graphNodes subjects and objects of triples, and the edges
// between them. Names that differ only in form (see [memory.SameContent]) are one thing.
func things(triples []memory.Record) (names []string, edges []edge) {
	known := map[string]int{}
	of := func(name string) int {
		form := memory.SameContent(name)
		n, ok := known[form]
		if !ok && len(names) == graphNodes {
			return -1
		}
		if !ok {
			n = len(names)
			known[form] = n
			names = append(names, name)
		}
		return n
	}
	for _, r := range triples {
		if from, to := of(r.Triple.Subject), of(r.Triple.Object); from >= 0 && to >= 0 && from != to {
			edges = append(edges, edge{from, to, r.Triple.Predicate})
		}
	}
	return names, edges
}

// layout places n nodes in the unit square by the force-directed method of Fruchterman and Reingold
// (1991): edges attract, all nodes repel each other. It starts from a circle, so the same graph
// always looks the same.
func layout(n int, edges []edge) [][2]float64 {
	at := make([][2]float64, n)
	for i := range at {
		angle := 2 * math.Pi * float64(i) / float64(n)
		at[i] = [2]float64{0.5 + 0.4*math.Cos(angle), 0.5 + 0.4*math.Sin(angle)}
	}
	distance := math.Sqrt(1 / float64(n))
	for round := range graphRounds {
		moves := make([][2]float64, n)
		force := func(a, b int, strength func(d float64) float64) {
			dx, dy := at[a][0]-at[b][0], at[a][1]-at[b][1]
			d := max(0.001, math.Hypot(dx, dy))
			s := strength(d) / d
			moves[a][0], moves[a][1] = moves[a][0]+dx*s, moves[a][1]+dy*s
			moves[b][0], moves[b][1] = moves[b][0]-dx*s, moves[b][1]-dy*s
		}
		for a := range n {
			for b := range a {
				force(a, b, func(d float64) float64 { return distance * distance / d })
			}
		}
		for _, e := range edges {
			force(e.from, e.to, func(d float64) float64 { return -d * d / distance })
		}
		heat := 0.1 * (1 - float64(round)/graphRounds)
		for i, m := range moves {
			if length := math.Hypot(m[0], m[1]); length > 0 {
				step := min(length, heat) / length
				at[i] = [2]float64{min(1, max(0, at[i][0]+m[0]*step)), min(1, max(0, at[i][1]+m[1]*step))}
			}
		}
	}
	return at
}

// graph draws triples as nodes and edges, nil for fewer than two nodes. The node of about is
// highlighted, and day is the field as_of of the links.
func graph(triples []memory.Record, about, day string) html.Node {
	names, edges := things(triples)
	if len(names) < 2 {
		return nil
	}
	at := layout(len(names), edges)
	f := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	x := func(i int) float64 { return 70 + 660*at[i][0] }
	y := func(i int) float64 { return 20 + 470*at[i][1] }
	parts := []any{html.Class("graph"), html.Attr("viewBox", "0 0 800 520"), html.Attr("role", "group"),
		html.AriaLabel("a drawing of the table below")}
	for _, e := range edges {
		parts = append(parts, html.El("line", html.Attr("x1", f(x(e.from))), html.Attr("y1", f(y(e.from))), html.Attr("x2", f(x(e.to))),
			html.Attr("y2", f(y(e.to))),
			html.El("title", predicateWords(e.predicate))))
	}
	for i, name := range names {
		class := "thing"
		if about != "" && memory.SameContent(name) == memory.SameContent(about) {
			class = "thing here"
		}
		parts = append(parts, html.A(html.Href(query("/people", "about", name, "as_of", day)), html.Class(class),
			html.AriaLabel(memory.Shorten(name, 120)),
			html.El("rect", html.Attr("x", f(x(i)-35)), html.Attr("y", f(y(i)-10)), html.Attr("width", "70"), html.Attr("height", "36"),
				html.Attr("fill", "none"), html.Attr("pointer-events", "all")), // a larger target for touch
			html.El("circle", html.Attr("cx", f(x(i))), html.Attr("cy", f(y(i))), html.Attr("r", "7")),
			html.El("text", html.Attr("x", f(x(i))), html.Attr("y", f(y(i)+20)), html.Attr("text-anchor", "middle"),
				memory.Shorten(name, 24))))
	}
	return html.El("svg", parts...)
}
