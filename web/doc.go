// Package web serves the pages on which a person looks at a memory, finds out why it says what it
// says, and corrects it. Like the tools and the command line it only calls the use cases. (Package
// server/web is another thing: MCP over HTTP.)
//
// Pages are made on the server with package html, and work with plain links and forms. A small
// script (assets/page.js) adds live updates and keyboard shortcuts. [Site.table] lists every
// address with who may use it. Each page has a file of its own and a row in that table.
//
// # Who gets in
//
// A [session] is a cookie. `mcp-memory web` gives one for a link that works once. A team's server
// gives one for a token, or after a sign-in at an OpenID issuer (issuer.go). Every request of such
// a session checks again that the token or login is still valid. What a session may see is decided
// in the same place as for every other caller: the identity is in the context, access.Guard stands
// in front of the store, and access.Refusal refuses the pages that are about a whole bank.
//
// # Protection against other sites
//
// guard.go checks the Host of each request against DNS rebinding, and Origin and Sec-Fetch-Site of
// each request that changes something. Each form carries the session's own key against cross-site
// request forgery. The Content-Security-Policy allows only what this server sends: no inline script
// or style, no frame, no other host.
package web
