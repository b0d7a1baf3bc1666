// Package product says what the program is called, which version this tree is
// and where its home is: the one place for all of them. What has to repeat
// them, such as the manifests of plugins and packages, is written by
// build/release from here, and a test compares.
package product

// What a fork, or the first publication, changes. Afterwards
// `go run ./build/release files` writes the files of the tree that repeat it.
const (
	// Version is that of the source tree, without a leading v (semantic
	// versioning). A tag that is released is "v" and this.
	Version = "0.1.0"

	// Owner is who owns the repository on GitHub. As long as it is NoOwner there
	// is no public home, and nothing can be published.
	Owner = NoOwner

	// NoOwner stands where the owner is not known yet.
	NoOwner = "OWNER"
)

// What stays.
const (
	Name        = "mcp-memory" // of the program, the repository and every package
	Title       = "Memory"     // for people
	Description = "A memory for AI agents that outlives the context window: one binary, one SQLite file, no API key"
	Licence     = "MIT"
	Authors     = "The mcp-memory authors"

	Home     = "https://github.com/" + Owner + "/" + Name
	Releases = Home + "/releases"
	// Latest answers with the newest release, as GitHub's API does.
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
