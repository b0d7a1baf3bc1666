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

// elsewhere returns how much the other projects that the caller may read have on a question, if the
// scope's own project does not answer it: no result reaches [recall.Floor]. A small bank also lists
// weaker results, which do not count as an answer, unless a filter has chosen them.
func (s Services) elsewhere(ctx context.Context, r recall.Request, results []recall.Result) ([]recall.Found, error) {
	if slices.ContainsFunc(results, func(r recall.Result) bool { return r.Score >= recall.Floor }) ||
		len(results) > 0 && r.Filter.Narrow() {
		return nil, nil
	}
	return s.Recall.Elsewhere(ctx, r, access.ReadableProjects(ctx))
}

// nothing is the text of an answer without results: which other projects have something, or the
// text otherwise if none has.
func (s Services) nothing(scope memory.Scope, elsewhere []recall.Found, otherwise string) string {
	if len(elsewhere) == 0 {
		return otherwise
	}
	return strings.TrimSuffix(s.pointed(scope, elsewhere), "\n")
}

// pointed returns a line that names the other projects that have something, "" for none.
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
