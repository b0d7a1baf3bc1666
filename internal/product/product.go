// Package product has the program's name, the version of this tree and the address of its home, and
// is the only source of them. Files that have to repeat them, such as the manifests of plugins and
// packages, are generated from it by build/release, and a test compares them.
package product

// What a fork, or the first publication, changes. Afterwards `go run ./build/release files` writes
// the generated files.
const (
	// Version is the version of the source tree, without a leading v (semantic versioning). The tag
	// of a release is "v" and Version.
	Version = "0.1.0"

	// Owner is the owner of the repository on GitHub. As long as it is NoOwner, there is no public
	// home and nothing can be published.
	Owner = NoOwner

	// NoOwner is the placeholder for an owner that is not known yet.
	NoOwner = "OWNER"
)

// What does not change.
const (
	Name        = "mcp-memory" // of the program, the repository and every package
	Title       = "Memory"     // for people
	Description = "A memory for AI agents that outlives the context window: one binary, one SQLite file, no API key"
	Licence     = "MIT"
	Authors     = "The mcp-memory authors"

	Home     = "https://github.com/" + Owner + "/" + Name
	Releases = Home + "/releases"
	// Latest is the URL of GitHub's API that returns the newest release.
	Latest = "https://api.github.com/repos/" + Owner + "/" + Name + "/releases/latest"
	// RegistryName is the name in the registry of MCP servers.
	RegistryName = "io.github." + Owner + "/" + Name
	// Image is the container image, without a tag.
	Image = "ghcr.io/" + Owner + "/" + Name
	// NPMScope is the npm organisation of the packages with the binaries.
	NPMScope = "@" + Name
)

// Published reports whether there is a public home.
func Published() bool { return Owner != NoOwner }
