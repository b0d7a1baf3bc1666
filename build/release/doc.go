// Command release makes what people install. From the top of the repository:
//
//	go run ./build/release files [--check]          writes the files of the tree that repeat what internal/product says
//	go run ./build/release make [--publish] [--only OS/ARCH,…]   makes every package in dist/
//	go run ./build/release bundle --binary FILE --target OS/ARCH (GoReleaser calls it for each binary)
//	go run ./build/release sbom --binary FILE --output FILE      (so it does with this)
//
// make runs GoReleaser (.goreleaser.yaml) for archives, checksums, deb, rpm, the
// Homebrew cask and the Scoop manifest, which for each binary calls bundle for
// the .mcpb bundle and the npm package; then it writes server.json, which names
// their hashes. Without --publish nothing leaves the machine. It needs npm, and
// fetches what it needs itself into ${XDG_CACHE_HOME:-~/.cache}/mcp-memory-ci.
package main
