package archtest

import "strings"

// rule is what a package may import besides the standard library. Patterns
// are import paths; a trailing /... covers everything below as well.
type rule struct {
	packages string
	why      string   // what the package is, shown when it breaks the rule
	local    []string // packages of this module
	outside  []string // packages of other modules
}

// Groups of packages that rules name together.
var (
	domain = []string{"memory"}
	pure   = []string{"memory", "text/..."}
	scored = []string{"memory", "text/...", "salience"}
	useful = []string{"recall/...", "remember", "workspace/...", "transfer", "contextwindow/...", "consolidate/...", "cognition/...",
		"planning/...", "link/...", "mirror", "told", "actions"}
	everything = []string{"..."}
)

// forTests are packages and programs that test and measure; no other imports them.
var forTests = list("internal/archtest", "internal/docstest", "internal/golden", "internal/testbank", "internal/testfiles",
	"internal/testbinary", "internal/testtranscript", "internal/endpoint/endpointtest", "access/oidc/oidctest",
	"db/dbtest", "server/servertest", "test/...", "eval/...")

// library is the MCP library; only the doors may know it.
const library = "github.com/mark3labs/mcp-go/..."

// rules are read from the top; the first row whose packages fit counts. A
// package that no row fits is a mistake. Test files are free.
var rules = []rule{
	{"memory", "the domain: standard library only", nil, nil},

	{"text/analysis", "pure text analysis", nil, list("golang.org/x/text/...")},
	{"text/tokens", "pure token counting", nil, list("github.com/pkoukk/tiktoken-go/...", "github.com/hashicorp/golang-lru/v2/...")},
	{"text/tokens/generate", "what the vocabularies are made by", nil, list("github.com/pkoukk/tiktoken-go-loader/...")},
	{"text/secrets", "pure: what nobody should read by chance", pure, list("golang.org/x/text/...")},
	{"text/...", "pure text work: the domain and its own kind", pure, nil},

	{"salience", "pure scoring", pure, nil},

	{"recall/index", "a pure index in memory, and the processor", scored, list("golang.org/x/sys/cpu")},
	{"recall/...", "a use case: ports instead of adapters", and(scored, "recall/..."), nil},
	{"remember/...", "a use case: ports instead of adapters", and(scored, "remember/..."), nil},
	{"workspace/...", "a use case: ports instead of adapters", and(scored, "workspace/...", "internal/plainfile"),
		list("github.com/gofrs/flock")},
	{"upkeep/...", "a use case: ports instead of adapters", and(domain, "upkeep/...", "internal/job"), list("github.com/gofrs/flock")},
	{"transfer", "a use case: ports instead of adapters", and(scored, "transfer/...", "remember", "planning"), nil},
	{"transfer/moving", "a use case: ports instead of adapters", domain, nil},
	{"transfer/jsonl", "lines of JSON: knows no banks", domain, nil},
	{"transfer/transcripts", "transcripts of hosts: knows no banks", and(pure, "transfer/jsonl"), nil},
	{"transfer/notes", "folders of Markdown notes: knows no banks", and(pure, "internal/plainfile"),
		list("github.com/goccy/go-yaml/...", "golang.org/x/text/unicode/norm")},
	{"transfer/foreign", "what other programs keep: knows no banks",
		and(pure, "internal/plainfile", "transfer/notes", "transfer/transcripts", "transfer/jsonl"), nil},
	{"transfer/foreign/fuzz", "tests of the former, without a database", and(pure, "transfer/foreign"), nil},
	{"contextwindow/...", "a use case: ports instead of adapters",
		and(scored, "contextwindow/...", "remember", "recall", "internal/job"), nil},
	{"consolidate/...", "a use case: ports instead of adapters", and(scored, "consolidate/...", "remember", "recall", "internal/job"), nil},
	{"changes", "a use case over those that change banks", and(domain, "remember", "consolidate"), nil},
	{"cognition/...", "a use case: ports instead of adapters", and(scored, "cognition/...", "remember", "recall"), nil},
	{"planning/...", "a use case: ports instead of adapters", and(scored, "planning/..."), list("github.com/teambition/rrule-go")},
	{"link/...", "a use case: ports instead of adapters", and(scored, "link/...", "remember"), nil},
	{"review", "a use case: ports instead of adapters", scored, nil},
	{"told", "a use case: ports instead of adapters", and(scored, "recall"), nil},
	{"render", "pure: results in words, for every door", and(pure, "recall"), nil},
	{"actions", "a use case: ports instead of adapters", and(scored, "recall"), nil},
	{"mirror", "a use case over the workspace's files: ports instead of adapters",
		and(scored, "mirror", "remember", "planning", "workspace"), list("github.com/fsnotify/fsnotify")},

	{"internal/plainfile", "files that somebody else may have put there: knows no banks", nil, list("golang.org/x/sys/unix")},
	{"internal/job", "what features do in steps, under a lease", domain, nil},

	{"hosts", "what hosts keep in their files: the process comes in by its Machine", and(domain, "internal/plainfile"),
		list("github.com/gofrs/flock", "github.com/tailscale/hujson", "github.com/goccy/go-yaml")},
	{"hooks", "a door: what hosts call, never an adapter",
		and(scored, "internal/plainfile", "recall", "resources", "contextwindow", "cognition", "actions", "transfer/transcripts"), nil},
	{"resources", "a door: pages and prompts, never an adapter", and(scored, "recall", "access", "actions"), nil},

	{"access", "a use case: ports instead of adapters", and(domain, "remember"), nil},
	{"access/oidc", "an adapter: the identities of an issuer and its client", and(domain, "access"),
		list("github.com/coreos/go-oidc/v3/...", "golang.org/x/oauth2")},
	{"access/oidc/oidctest", "an issuer for tests", nil, list("github.com/go-jose/go-jose/v4", "golang.org/x/oauth2")},

	{"db", "chooses a backend, imports nothing else", and(domain, "db/..."), nil},
	{"db/rows", "what SQL backends share: columns, values and portable statements, no driver", pure, nil},
	{"db/postgres", "an adapter: the domain, pure packages and its driver", and(pure, "db/rows"), list("github.com/jackc/pgx/v5/...")},
	{"db/dbtest", "the suite of all backends: sees them through the ports", pure, list("pgregory.net/rapid")},
	{"db/sqlite/...", "an adapter: the domain, pure packages and its driver",
		and(pure, "internal/plainfile", "db/sqlite/...", "db/rows"), list(
			"modernc.org/sqlite/...", "modernc.org/libc", "github.com/ncruces/go-sqlite3/...",
			"github.com/asg017/sqlite-vec-go-bindings/ncruces", "github.com/tetratelabs/wazero/...")},
	{"internal/endpoint", "what the adapters of OpenAI-compatible servers share", domain, list(
		"github.com/sashabaranov/go-openai", "github.com/cenkalti/backoff/v5")},
	{"embed/modelfile", "files of models: computes nothing", and(domain, "internal/plainfile"), nil},
	{"embed/tokenizer", "texts to pieces, by a file of a model", and(domain, "internal/plainfile", "embed/modelfile"),
		list("golang.org/x/text/unicode/norm")},
	{"embed/model2vec", "an adapter: the domain, and files of models",
		and(domain, "internal/plainfile", "embed/modelfile", "embed/tokenizer"), nil},
	{"embed/encoder/bert", "an adapter: the domain, and files of models",
		and(domain, "internal/plainfile", "embed/encoder", "embed/modelfile", "embed/tokenizer"), nil},
	{"embed/encoder/minilm/...", "an adapter: the domain, and what reads a model",
		and(domain, "embed/encoder/...", "embed/modelfile", "embed/tokenizer", "text/gloss"), nil},
	{"embed/encoder/...", "an adapter: the domain, and the processor", and(domain, "embed/encoder/..."), list("golang.org/x/sys/cpu")},
	{"embed/...", "an adapter: the domain, pure packages and its client", and(pure, "embed/...", "internal/endpoint", "internal/plainfile"),
		list("github.com/sashabaranov/go-openai/...")},
	{"llm/...", "an adapter: the domain, pure packages and its client", and(pure, "llm/...", "internal/endpoint"),
		list("github.com/sashabaranov/go-openai/...")},

	{"tools/...", "a door: use cases, never an adapter", and(scored, append(useful, "access", "render", "tools/...")...), list(library)},
	{"memorytool", "a door: the memory tool of model APIs", list("memory", "access", "workspace"), nil},
	{"server", "a door: MCP without a transport", list("tools", "access", "memory", "resources"),
		list(library, "github.com/VictoriaMetrics/metrics")},
	{"server/jsonrpc", "messages, for every transport", nil, list(library)},
	{"server/stdio", "a transport of the server, and the pipe", list("server", "server/jsonrpc", "tools"), list(
		library, "golang.org/x/sys/unix")},
	{"server/web", "a transport of the server", list("server", "server/jsonrpc", "access", "memory"), list(
		library, "github.com/hashicorp/golang-lru/v2", "golang.org/x/time/rate",
		"golang.org/x/net/netutil", "github.com/VictoriaMetrics/metrics")},
	{"web/html", "HTML made of values: knows nothing of the program", nil, nil},
	{"web", "a door: pages for people, never an adapter",
		and(scored, append(useful, "access", "changes", "render", "resources", "review", "upkeep", "web/html")...), nil},
	{"server/servertest", "servers for tests", everything, list(library)},

	{"internal/...", "about the program, no part of it", everything, nil},
	{"test/...", "tests the program from outside", everything, everything},
	{"build/...", "makes what people install", everything, list("github.com/goccy/go-yaml", "golang.org/x/term")},
	{"eval/...", "measures the program", everything, everything},
	{"cmd/...", "wires everything but the protocol", everything, list(
		"charm.land/bubbletea/v2", "github.com/rivo/uniseg", "github.com/spf13/...", "github.com/gofrs/flock",
		"github.com/goccy/go-yaml/...", "github.com/schollz/progressbar/v3/...", "golang.org/x/term", "go.opentelemetry.io/otel/...")},
}

// Limits on size; tests are not counted.
const (
	maxFileLines     = 500
	maxFunctionLines = 80
	maxLineWidth     = 140
)

// emptyNames say nothing about what a package is for.
var emptyNames = list("util", "utils", "common", "helper", "helpers", "type", "types", "misc", "shared", "base")

// processNames belong to main: elsewhere the process, its environment and its
// end are passed in or returned. Tests are free, and so is what hostPrograms
// fits: programs of their own.
var (
	processNames = map[string][]string{
		"os":  {"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Unsetenv", "Clearenv", "Exit", "Args"},
		"log": {"Fatal", "Fatalf", "Fatalln"},
	}
	hostPrograms = list("internal/licenses/generate", "text/tokens/generate", "embed/encoder/minilm/generate", "build/...", "cmd/...",
		"eval/...", "test/...")
)

// openNames open a file whatever it is: a pipe that nobody writes to, a device, one of any size, or one behind
// a link. internal/plainfile does not, and has to be used but for what is listed, with why that is safe.
var (
	openNames = map[string][]string{
		"os":        {"Open", "ReadFile", "OpenRoot", "OpenInRoot", "DirFS"},
		"io/ioutil": {"ReadFile"},
	}
	openers = map[string]string{
		"internal/plainfile":            "it is the way in",
		"db/sqlite/open.go":             "its own database",
		"db/sqlite/migrate.go":          "its own database",
		"db/sqlite/salvage.go":          "a database that a person names, of any size; its log lies beside it",
		"upkeep":                        "the data directory, which is closed to others, and an archive that a person names",
		"cmd/mcp-memory/transfer.go":    "what a person names to be imported: may be a pipe on purpose",
		"internal/licenses":             "files of the program itself",
		"embed/encoder/minilm/generate": "files of the program itself",
		"build":                         "files of the program itself",
		"eval":                          "measures",
		"test":                          "tests",
	}
)

// buildTags are the variants of the program whose imports are looked at.
var buildTags = list("", "ncruces", "otel", "noencoder")

func list(items ...string) []string { return items }

// and returns a group with more packages.
func and(group []string, more ...string) []string {
	return append(append([]string{}, group...), more...)
}

// fits reports whether an import path is covered by one of the patterns.
func fits(path string, patterns []string) bool {
	for _, p := range patterns {
		root, below := strings.CutSuffix(p, "...")
		root = strings.TrimSuffix(root, "/")
		if path == root || below && (root == "" || strings.HasPrefix(path, root+"/")) {
			return true
		}
	}
	return false
}
