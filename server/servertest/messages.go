package servertest

import "strings"

// Era has what differs between the two eras of the protocol.
type Era struct {
	Meta     string // what the params of a request have to have besides
	NotFound int    // the code of the error for what is not found
}

// Eras are the two eras of the protocol, "older" and "newer".
var Eras = map[string]Era{
	"older": {"", -32002},
	"newer": {`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`, -32602},
}

// Request returns a request of an era with the id 1. params is JSON without the outer braces.
func Request(era, method, params string) string {
	if meta := Eras[era].Meta; meta != "" {
		params = strings.TrimPrefix(params+","+meta, ",")
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
}

// MetaModern is the Meta of a client of the newer era without capabilities.
const MetaModern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// CallTool returns a tool call of the older era. id and args are JSON.
func CallTool(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

// Initialize returns the initialize request, with id 0, of a client that shows forms.
func Initialize(version string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`
}
