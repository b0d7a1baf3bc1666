// Package html writes HTML from Go values, so that text can never become markup:
// a string among the parts of an element is text, and there is no way to give
// markup as a string.
//
//	html.P(html.Class("note"), "kept since ", html.Strong(day))
//
// It is used instead of html/template. That package calls methods by names that are only known at
// run time, so the linker has to keep every exported method of the program, which costs several
// megabytes.
//
// Pages have no inline script, no inline style and no links to other hosts, so text and attribute
// values are all that has to be escaped.
package html
