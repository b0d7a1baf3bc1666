module mcp-memory

go 1.26.0
