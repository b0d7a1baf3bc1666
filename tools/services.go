package tools

import (
	"mcp-memory/access"
	"mcp-memory/cognition"
	"mcp-memory/consolidate"
	"mcp-memory/contextwindow"
	"mcp-memory/link"
	"mcp-memory/planning"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// Services are the use cases that the tools call. A tool whose service is
// missing can say what it is, but not be called.
type Services struct {
	Remember    *remember.Service
	Recall      *recall.Service
	Consolidate *consolidate.Service
	Link        *link.Service
	Window      *contextwindow.Service
	Cognition   *cognition.Service
	Planning    *planning.Service
	Scope       access.ScopeFunc
}

// Tools returns every tool, in the order in which they are listed.
func (s Services) Tools() []Tool {
	links := Links{Link: s.Link, Scope: s.Scope}
	var all []Tool
	for _, family := range [][]Tool{
		Bank{Remember: s.Remember, Recall: s.Recall, Scope: s.Scope}.Memory(),
		Care{Consolidate: s.Consolidate, Scope: s.Scope}.Tools(),
		links.Core(),
		Windows{Window: s.Window, Scope: s.Scope}.Tools(),
		Cognition{Cognition: s.Cognition, Scope: s.Scope}.Tools(),
		Plans{Planning: s.Planning, Scope: s.Scope}.Tools(),
		links.Tools(),
	} {
		all = append(all, family...)
	}
	return all
}
