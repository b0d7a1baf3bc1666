package servertest

import "strings"

// Era is what the eras of the protocol do not have in common.
type Era struct {
	Meta     string // what a request's parameters need besides
	NotFound int    // the code of what is not found
}

// Eras are those of the protocol.
var Eras = map[string]Era{
	"older": {"", -32002},
	"newer": {`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`, -32602},
}

// Request is a request of an era with the id 1; params are without their braces.
func Request(era, method, params string) string {
	if meta := Eras[era].Meta; meta != "" {
		params = strings.TrimPrefix(params+","+meta, ",")
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
}

// MetaModern is the Meta of a client of the newer era that can nothing.
const MetaModern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// CallTool is a request of the older era; id and args are JSON.
func CallTool(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

// Initialize is the handshake of a client that shows forms.
func Initialize(version string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`
}
