// Package html writes HTML from Go values, so that text can never become markup:
// a string among the parts of an element is text, and there is no way to give
// markup as a string.
//
//	html.P(html.Class("note"), "kept since ", html.Strong(day))
//
// It stands where html/template would: that package calls methods by names that
// are known when it runs only, so the linker has to keep every method of the program,
// which costs several megabytes.
//
// There is no script and no style inside of a page, and no address that leads
// elsewhere, so text and the values of attributes are all that has to be escaped.
package html
