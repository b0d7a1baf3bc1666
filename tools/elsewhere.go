package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// elsewhere says which other projects would answer a question that has no
// answer here, of those that the caller may read. What is listed only because
// the bank is small is no answer.
func (s Services) elsewhere(ctx context.Context, r recall.Request, results []recall.Result) ([]recall.Found, error) {
	if slices.ContainsFunc(results, func(r recall.Result) bool { return r.Score >= recall.Floor }) ||
		len(results) > 0 && r.Filter.Narrow() {
		return nil, nil
	}
	return s.Recall.Elsewhere(ctx, r, access.ReadableProjects(ctx))
}

// nothing is the text of an answer without results: where nothing is, and where
// something would be.
func (s Services) nothing(scope memory.Scope, elsewhere []recall.Found, otherwise string) string {
	if len(elsewhere) == 0 {
		return otherwise
	}
	return strings.TrimSuffix(s.pointed(scope, elsewhere), "\n")
}

// pointed is a line about other projects that have something, "" for none.
func (s Services) pointed(scope memory.Scope, elsewhere []recall.Found) string {
	if len(elsewhere) == 0 {
		return ""
	}
	here := "outside of projects"
	if scope.Project != "" {
		here = "in project " + scope.Project
	}
	var there []string
	for _, f := range elsewhere {
		there = append(there, fmt.Sprintf("%d in project %s", f.Count, f.Project))
	}
	reads := s.advise(memory.Advice{Tool: "The argument project", Command: "--project NAME"})
	return fmt.Sprintf("Nothing relevant %s; %s. %s reads another one.\n", here, strings.Join(there, ", "), reads)
}
