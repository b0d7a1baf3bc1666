// Package render says in words what a reader has to know of a result of a recall: what
// it is, whose, from when and from whom, what of it no longer holds, how sure the answer
// is and why a result stands where it does. The command line, the text of the MCP tools
// and the page all say it by this package, so that no door hides what another one tells;
// they only differ in how they lay it out. It is pure: words in, words out.
//
//	words := render.Words{Clock: clock}
//	fmt.Println(render.Verdict(answer.Confidence, len(answer.Results)))
//	for _, r := range answer.Results {
//		line := words.Result(r)
//		fmt.Println(r.Content, line.Facts(), line.Marks, line.Earlier)
//	}
//
// What it returns is of one line, but may hold whatever was saved: a door escapes it as
// its medium needs.
package render
