package tools

import (
	"fmt"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// Bank is what the memory tools call. All fields are needed.
type Bank struct {
	Remember *remember.Service
	Recall   *recall.Service
	Scope    access.ScopeFunc
}

// Memory returns every tool of the bank, in the order in which they are listed.
func (b Bank) Memory() []Tool {
	return []Tool{
		Define(saveSpec, b.save),
		Define(recallSpec, b.recall),
		Define(searchSpec, b.search),
		Define(longTermSpec, b.addLongTerm),
		Define(getSpec, b.get),
		Define(updateSpec, b.update),
		Define(forgetSpec, b.forget),
	}
}

// narrowing is shared by the tools that search.
type narrowing struct {
	Project *string   `json:"project,omitempty" desc:"Project to read beside the global memories; * is all."`
	Since   time.Time `json:"since,omitzero" desc:"Happened at or after this time."`
	Until   time.Time `json:"until,omitzero" desc:"Happened before this time."`
	AsOf    time.Time `json:"as_of,omitzero" desc:"What was true at this time."`
	Now     time.Time `json:"now,omitzero" desc:"The moment of the question; default: now."`
}

func (n narrowing) check() error {
	if !n.Since.IsZero() && !n.Until.IsZero() && !n.Since.Before(n.Until) {
		return memory.Errorf(memory.CodeInvalidArgument, "until is not after since").WithHint("since is inclusive, until exclusive")
	}
	return nil
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// oneLine shortens a content for the text form of a result.
func oneLine(content string, limit int) string {
	line := []rune(strings.Join(strings.Fields(content), " "))
	if len(line) <= limit {
		return string(line)
	}
	return string(line[:limit-1]) + "…"
}
