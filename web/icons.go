package web

import "mcp-memory/web/html"

// icons are the path data of line drawings in a 16 by 16 view box. Keys are places, kinds of
// memories, categories of facts, and states.
var icons = map[string]string{
	"brand":    "M3 12.5v-8l5 5 5-5v8",
	"Today":    "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
	"Memories": "M8 2l6 3-6 3-6-3ZM2 8l6 3 6-3M2 11l6 3 6-3",
	"Timeline": "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 4.8V8l2.2 1.6",
	"Plans":    "M3 3.5h10v10H3ZM3 6.5h10M5.5 2v2.5M10.5 2v2.5M6 10l1.5 1.5 3-3",
	"Settings": "M2 5h6M11 5h3M2 11h3M8 11h6M9.5 3.5v3M6.5 9.5v3",

	"fact":         "M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
	"longterm":     "M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5Z",
	"soul":         "M8 2v12M2 8h12M4 4l8 8M12 4l-8 8",
	"triple":       "M4.5 9.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM11.5 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM6 10l4-4",
	"episode":      "M4.5 2.5h7v11L8 10.8l-3.5 2.7Z",
	"procedure":    "M6 4h7M6 8h7M6 12h7M3 4h.01M3 8h.01M3 12h.01",
	"relationship": "M8 2.5a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2ZM3 13.5c.5-2.7 2.5-4 5-4s4.5 1.3 5 4",
	"diary":        "M3 3h4.2c.5 0 .8.4.8.8V13c0-.5-.4-1-1-1H3ZM13 3H8.8c-.5 0-.8.4-.8.8V13c0-.5.4-1 1-1h4Z",
	"summary":      "M3 4h10M3 8h10M3 12h6",
	"learning":     "M6 12.5h4M6.5 14.2h3M8 2a4 4 0 0 0-2.3 7.3c.5.4.8.9.8 1.6h3c0-.7.3-1.2.8-1.6A4 4 0 0 0 8 2Z",
	"turn":         "M2.5 3.5h11V11H8l-3 2.5V11H2.5Z",

	"identity":   "M8 2.5a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2ZM3 13.5c.5-2.7 2.5-4 5-4s4.5 1.3 5 4",
	"preference": "M8 13.2L3 8.3A3.1 3.1 0 0 1 7.4 4l.6.6.6-.6A3.1 3.1 0 0 1 13 8.3Z",
	"capability": "M9 1.8L4 9h3.5L7 14.2 12 7H8.5Z",
	"technical":  "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
	"project":    "M2 4h4l1.5 1.5H14v7H2Z",
	"decision":   "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM5.4 8.2l1.8 1.8 3.4-3.6",
	"social":     "M6 3a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 0 0 6 3ZM1.8 13c.4-2.3 2-3.5 4.2-3.5s3.8 1.2 4.2 3.5M10.5 3.2a2.1 2.1 0 0 1 0 4.1M12 9.8c1.3.5 2 1.6 2.3 3.2",
	"financial":  "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM10 6c-.6-.8-3.7-1-3.7.7 0 1.6 3.6.8 3.6 2.5 0 1.6-3.2 1.5-3.9.6M8 4.3v7.4",
	"market":     "M2 12l4-4 2.5 2.5L14 5M10.5 5H14v3.5",
	"goal":       "M4 14V2.5h8l-2 3 2 3H4",
	"event":      "M3 3.5h10v10H3ZM3 6.5h10M5.5 2v2.5M10.5 2v2.5",

	"pinned":  "M6 2.5h4l-.5 4 2 2V10h-7V8.5l2-2ZM8 10v4",
	"sure":    "M3.5 8.5l3 3 6-7",
	"failed":  "M4.5 4.5l7 7M11.5 4.5l-7 7",
	"command": "M3 4l4 4-4 4M8.5 12H13",
	"edit":    "M3 13l.8-3L11 2.8 13.2 5 6 12.2Z",
	"search":  "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.4 10.4L14 14",
}

// icon returns the drawing for a name, or that of "fact", a dot, if there is none. It is hidden
// from screen readers, because words beside it say the same.
func icon(name string) html.Node {
	lines, ok := icons[name]
	if !ok {
		lines = icons["fact"]
	}
	return html.El("svg", html.Class("icon"), html.Attr("viewBox", "0 0 16 16"), html.Attr("aria-hidden", "true"),
		html.El("path", html.Attr("d", lines)))
}
