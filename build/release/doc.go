// Command release makes the packages that people install. From the top of the repository:
//
//	go run ./build/release files [--check]
//	        writes the files of the tree that repeat what internal/product says
//	go run ./build/release make [--publish] [--only OS/ARCH,…]
//	        makes all packages in dist/
//	go run ./build/release bundle --binary FILE --target OS/ARCH
//	        is called by GoReleaser for each binary
//	go run ./build/release sbom --binary FILE --output FILE
//	        likewise
//
// make runs GoReleaser (.goreleaser.yaml), which makes archives, checksums, deb, rpm, the Homebrew
// cask and the Scoop manifest. For each binary it calls bundle, which makes the .mcpb bundle and
// its npm package. Then make makes the npm package that people install, and server.json with the
// hashes of the bundles. Without --publish nothing is uploaded. It needs npm, and downloads other
// tools into ${XDG_CACHE_HOME:-~/.cache}/mcp-memory-ci.
package main
