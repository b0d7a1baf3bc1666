// Package process tests the program as hosts use it: the built binary, over
// real pipes, with a real file, killed in the middle. It has no code of its
// own.
//
// The binary is built for the first test of a run. MCP_MEMORY_TEST_TAGS gives build tags, so
// that the same tests run with the other SQLite driver:
//
//	MCP_MEMORY_TEST_TAGS=ncruces go test ./test/process
package process
