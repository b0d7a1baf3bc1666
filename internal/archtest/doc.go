// Package archtest keeps the shape of the program: which package may import
// which, how long files and functions may get, and what every package and
// exported name has to say of itself. It is tests only.
//
// Imports follow one idea: the domain knows nobody, pure packages know the
// domain, use cases know both, adapters know the domain and their driver, the
// doors (tools, server) know the use cases, and only cmd knows everything. The
// table in rules_test.go says it package by package; a new package gets a row.
package archtest
