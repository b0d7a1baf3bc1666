package recall

import (
	"regexp"
	"slices"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// leftWords match what somebody had and has no more, as the submatch: "Acme" in "I left Acme for
// Brightloom".
var leftWords = []func() *regexp.Regexp{
	lazyregexp.New(`(?i)\b(?:from|out of|von|aus|de) (.{2,40}?) (?:to|into|for|zu|nach|in|à|a)\b`),
	lazyregexp.New(`(?i)\b(?:left|leaving) (.{2,40}?) for\b`),
	lazyregexp.New(`(?i)([^.;:!?]{2,40}?) (?:(?:was|were|is|are|been|got) replaced (?:by|with)|durch .{2,40} ersetzt)\b`),
	lazyregexp.New(`(?i)\b(?:took .{0,30}over .{0,30}from|dropped|swapped|replaced|traded|quit|gave up|sold|instead of|rather than|used to be|used to have|had been|(?:was|were) (?:with|at)|statt|anstelle|abandonné|quitté|au lieu de|en lugar de) (.+)`),
	lazyregexp.New(`(?i)\b(?:before (?:that|then|this|her|him|them)|previously|formerly|vorher|davor|zuvor|auparavant|antes) (.+)`),
}

// tellsFormer returns the first stem of what a candidate says was before, "" if it says nothing of
// that; until has the stems of what ended it. To "Where did I work before Brightloom?" the record
// "I left Acme for Brightloom" tells "acm".
func (c *candidate) tellsFormer(until []string) string {
	text := beginning(c.Content, readable)
	for _, words := range leftWords {
		for _, said := range words().FindAllStringSubmatch(text, -1) {
			if stems := analysis.Content(said[1]); len(stems) > 0 && !slices.Contains(until, stems[0]) {
				return stems[0]
			}
		}
	}
	return ""
}
