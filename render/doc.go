// Package render puts into words what a reader has to know of a result of a recall: its kind,
// project, time and source, what of it no longer holds, how sure the answer is, and why the result
// has its rank. The command line, the text of the MCP tools and the web pages all use it, so that
// none of them hides what another one tells. They differ only in layout. The package does no I/O.
//
//	words := render.Words{Clock: clock}
//	fmt.Println(render.Verdict(answer.Confidence, len(answer.Results)))
//	for _, r := range answer.Results {
//		line := words.Result(r)
//		fmt.Println(r.Content, line.Facts(), line.Marks, line.Earlier)
//	}
//
// Every returned string is one line, but may contain any character that was saved. The caller
// escapes it for its medium.
package render
