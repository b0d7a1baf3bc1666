// Package postgres tests the PostgreSQL backend against a real server. The
// script run.sh starts one of its own and names it in MCP_MEMORY_TEST_POSTGRES;
// without that the package has no tests to run.
package postgres
