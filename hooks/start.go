package hooks

import (
	"context"
	"strings"

	"mcp-memory/memory"
)

// maxPage is how many characters of the start page are shown. Hosts put more
// than 10,000 into a file.
const maxPage = 9500

// start returns the start page for a new session, or "" if the page has no
// section.
func (s *Service) start(ctx context.Context, scope memory.Scope) (text string, ids []string, err error) {
	page, ids, err := s.Pages.Start(ctx, scope)
	if err != nil || !strings.Contains(page, "\n## ") {
		return "", nil, err
	}
	return firstLines(page, maxPage), ids, nil
}

// firstLines returns as many whole lines of text as fit into limit characters.
func firstLines(text string, limit int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if limit -= len([]rune(line)); limit < 0 {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}
