// Package web is the page on which a person looks at a memory, finds out why it
// says what it says, and puts it right: a door to the use cases, beside the tools and
// the command line. (Package server/web is another thing: MCP over HTTP.)
//
// Pages are made on the server, of package html, and work as plain links and forms; a small
// script of our own (assets/page.js) makes them live. [Site.table] has every address with who may
// use it; a page is one file, and a row there.
//
// # Who gets in
//
// A [session] is a cookie. `mcp-memory web` gives one for a link that works once; a team's server
// gives one for a token, or to who comes back from the dialogue of an issuer (issuer.go). Every
// request of such a session asks again whether the token is still good. What a session may see is
// decided where it is for every other caller: the identity is in the context, access.Guard stands in
// front of the store, and access.Refusal closes what is about a whole bank.
//
// # What may be asked of whom
//
// guard.go checks each request's Host, so that no other name can be pointed here;
// Origin and Sec-Fetch-Site of what changes something; and the session's own key in each
// form. The Content-Security-Policy allows what this server sends and nothing else: no script
// and no style inside of a page, no frame, no other host.
package web
