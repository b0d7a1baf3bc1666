// Package docstest keeps the documents true: parts that are generated equal
// what the program prints, links lead somewhere, examples are valid JSON, the
// README is short and leads to every document, docs/reference.md names every
// command, error, limit and variable of the environment, docs/hosts.md every host
// and docs/architecture.md every folder, and the list
// of dependencies names what go.mod and the scripts pin and what a binary
// contains. It is tests only.
//
//	go test ./internal/docstest -update
//
// writes the generated parts. They stand between a comment `<!-- NAME:begin -->`
// and one `<!-- NAME:end -->`, each on a line of its own.
package docstest
