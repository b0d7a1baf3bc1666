package tools

import (
	"context"
	"fmt"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// elsewhere says which other projects would answer a question that has no
// answer, of those that the caller may read.
func (s Services) elsewhere(ctx context.Context, r recall.Request, results int) ([]recall.Found, error) {
	if results > 0 {
		return nil, nil
	}
	return s.Recall.Elsewhere(ctx, r, access.ReadableProjects(ctx))
}

// nothing is the text of an empty answer: where nothing is, and where something
// would be.
func nothing(scope memory.Scope, elsewhere []recall.Found, otherwise string) string {
	if len(elsewhere) == 0 {
		return otherwise
	}
	here := "outside of projects"
	if scope.Project != "" {
		here = "in project " + scope.Project
	}
	var there []string
	for _, f := range elsewhere {
		there = append(there, fmt.Sprintf("%d in project %s", f.Count, f.Project))
	}
	return fmt.Sprintf("Nothing relevant %s; %s. The argument project reads another one.", here, strings.Join(there, ", "))
}
