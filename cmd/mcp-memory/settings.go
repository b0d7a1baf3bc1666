package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/resources"
	"mcp-memory/salience"
)

// setting describes a setting. Its key in config.yaml gives the flag (embed.url: --embed-url) and
// the environment variable (MCP_MEMORY_EMBED_URL). The flag overrides the environment, which
// overrides the file, which overrides the default.
type setting struct {
	key      string
	fallback string
	help     string
	secret   bool // no flag, because other users can read command lines
}

// knownSettings lists every setting. docs/reference.md is generated from it.
var knownSettings = []setting{
	{"data_dir", "", "directory of the database, the workspaces and config.yaml; default: the platform's data directory", false},
	{"database", "",
		"URL of a PostgreSQL server that has the banks, such as postgres://user@host/name, instead of the file in the data directory; the password rather in PGPASSWORD or ~/.pgpass", false},
	{"database.citus", "auto",
		"whether the tables are spread over a Citus cluster by agent: on, off, or auto, where the database has the extension", false},
	{"agent", "default", "agent whose memory bank is used", false},
	{"project", "", "project that you work in; default: found from the working directory, by .mcp-memory.yaml or the git remote", false},
	{"tools", "core", "tool groups or single tools to offer, comma-separated, or all", false},
	{"embed.local", "",
		"embedding model that runs in the program: builtin (a table of words and a sentence encoder), table (that alone), encoder (both also where it is slow), or one that the command model pull fetched; default: builtin; embed.url goes before it", false},
	{"embed.url", "",
		"base URL of an OpenAI-compatible embedding endpoint, such as http://localhost:11434/v1; empty uses embed.local", false},
	{"embed.model", "", "the endpoint's model", false},
	{"embed.dimensions", "", "length of the model's vectors", false},
	{"embed.request_dimensions", "false",
		"send the dimensions with every request (OpenAI's text-embedding-3 models shorten to them)", false},
	{"embed.truncate", "false", "shorten longer vectors to the dimensions (Matryoshka models)", false},
	{"embed.query_prefix", "", "text put before each query; default: what the model was trained with; none for no prefix", false},
	{"embed.document_prefix", "", "text put before each document; default: what the model was trained with; none for no prefix", false},
	{"embed.timeout", "30s", "time limit of one request to the endpoint", false},
	{"embed.key", "", "the endpoint's key", true},
	{"llm.url", "",
		"base URL of an OpenAI-compatible chat endpoint, for better facts and summaries; empty uses the built-in extraction", false},
	{"llm.model", "", "the endpoint's model", false},
	{"llm.command", "",
		"command line of a program that takes a prompt on stdin and prints the answer, instead of an endpoint or after it: claude -p --model haiku, codex exec, gemini, ollama run NAME. The first three get the flags by which they use no tools, hooks and servers", false},
	{"llm.calls", "200", "most requests to the endpoint or the command a day, then the built-in extraction is used; 0 is no limit", false},
	{"llm.tokens", "1000000", "most tokens to and from them a day, as they are counted here; 0 is no limit", false},
	{"llm.timeout", "5m", "time limit of one request to the endpoint or the command; one minute at most in a hook's background", false},
	{"llm.max_input", "24000", "most tokens in one request; longer histories are processed in parts", false},
	{"llm.sampling", "true", "use the host's model if it offers MCP sampling; over stdin and stdout only", false},
	{"llm.key", "", "the endpoint's key", true},
	{"context.flush", "60", "percent of the window at which facts are saved", false},
	{"context.compact", "70", "percent of the window at which the history is compacted", false},
	{"context.idle", "15m",
		"time without a new message after which a server saves the facts of a conversation by itself; 0 never does", false},
	{"context.rules", "", "JSON file of rules that tell kinds of messages apart, tried before the built-in ones", false},
	{"compaction", "both", "what starts a compaction: tokens, messages or both", false},
	{"memory_window", "50", "number of messages at which a compaction by messages starts; 0 only leaves out all but the last 10", false},
	{"memory_budget", "2000", "tokens of memories in an assembled prompt", false},
	{"memory_budget.episodic", "800", "of these, at most for what happened", false},
	{"memory_budget.semantic", "600", "of these, at most for what is known", false},
	{"memory_budget.procedural", "400", "of these, at most for how things are done", false},
	{"memory_budget.relationship", "200", "of these, at most for whom the agent knows", false},
	{"supersede", "auto",
		"what a save does with an older fact that the new one certainly replaces: auto replaces it, with undo; ask only names it; off does not compare", false},
	{"scope", "auto",
		"where a memory belongs that is saved in a project without saying so: auto (to all projects if it is about the person, else to this one), project or global", false},
	{"categories", "",
		"categories that memories are sorted into: names, or a list of {name, description, examples}; empty is the default ones", false},
	{"self_care.home", "", "location that a call of self_care must name; empty allows it anywhere", false},
	{"workspace.include", "",
		"further text files that memory_search reads and never writes, such as ~/notes/**/*.md; several with commas. Only the process's own agent sees them", false},
	{"workspace.store", "auto",
		"where the workspaces are: database, for servers that share a PostgreSQL database, disk, in the data directory; auto is the database if that is a PostgreSQL server", false},
	{"link.window", "2m", "how long a request for a neural link can be answered", false},
	{"session_start.tokens", strconv.Itoa(resources.DefaultBudget),
		"most tokens of the page and the prompt that a session starts with", false},
	{"time.zone", "", "the user's time zone, such as Europe/Oslo: where \"yesterday\" begins and ends; default: the system's", false},
	{"salience.half_life", "720h", "time in which the weight of a memory that nobody recalls halves", false},
	{"http.hosts", "",
		"host names under which the server may be reached besides localhost, comma-separated; needed behind a reverse proxy", false},
	{"http.origins", "",
		"origins of web pages that may call the server besides localhost, comma-separated, such as https://example.com", false},
	{"http.rate", "0", "requests per second allowed for each token; 0 is no limit", false},
	{"http.streams", "64", "streams that each token may have open at once", false},
	{"http.requests", "128", "requests of each token that are served at once", false},
	{"http.body_bytes", "16777216",
		"bytes of requests under way that are kept in memory for each token; four times as much for all", false},
	{"auth.issuer", "", "URL of an OpenID Connect issuer whose tokens are accepted besides those of the token command", false},
	{"auth.audience", "", "audience (aud) that the issuer's tokens must name", false},
	{"auth.claim", "sub", "claim in the issuer's tokens that names the agent", false},
	{"auth.client_id", "", "what the issuer calls this server as a client; with it people sign in to the page at the issuer", false},
	{"auth.scopes", "openid", "scopes that such a sign-in asks the issuer for; more where a claim needs one, such as groups", false},
	{"auth.client_secret", "", "the client's secret, if the issuer gave it one", true},
	{"auth.operator", "",
		"claim and value that make a token of the issuer an operator's, such as groups=memory-operators; a name with dots leads into objects, such as realm_access.roles", false},
	{"web.idle", "30m", "how long a sign-in to the page lasts that nobody uses", false},
	{"audit.keep", "2160h", "how long the audit log keeps a line; 0 keeps all", false},
	{"told.keep", "720h",
		"how long it is kept which memories agents were given, with the beginning of each question; 0 keeps nothing", false},
	{"actions.warn", "true", "before an agent runs a command or changes a file, say in a line what went wrong with it before", false},
	{"actions.keep", "32",
		"megabytes that a bank keeps of a project's commands and changed files, as agents ran and changed them; the oldest go first, 0 keeps none", false},
	{"backup.dir", "", "directory into which a server writes a backup a day, when nobody writes; empty makes none", false},
	{"backup.keep", "7", "how many of these are kept", false},
	{"log.level", "warn", "least severe level to log: debug, info, warn or error", false},
	{"log.format", "text", "format of the log on stderr: text or json", false},
}

// dashed is a variable because making a Replacer takes longer than using it.
var dashed = strings.NewReplacer(".", "-", "_", "-")

// otherKeys are other names of settings in config.yaml, which the configuration files of agent
// hosts use.
var otherKeys = map[string]string{"agents.defaults.memory_window": "memory_window"}

// otherFlags has flags of settings whose own name is that of a tool's argument, or too long.
var otherFlags = map[string]string{"database.citus": "citus", "time.zone": "user-time-zone"}

func (s setting) flag() string {
	if name, other := otherFlags[s.key]; other {
		return name
	}
	return dashed.Replace(s.key)
}

func (s setting) env() string {
	return "MCP_MEMORY_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// settings are the values in force.
type settings struct {
	values  map[string]string
	origins map[string]string // where each value comes from, by key
	exposed string            // a warning about secrets in config.yaml that others can read, "" for none
}

func (s settings) get(key string) string { return s.values[key] }

func (s settings) bool(key string) (bool, error) {
	b, err := strconv.ParseBool(s.values[key])
	if err != nil {
		return false, s.wrong(key, "true or false")
	}
	return b, nil
}

func (s settings) duration(key string) (time.Duration, error) {
	d, err := time.ParseDuration(s.values[key])
	if err != nil || d <= 0 {
		return 0, s.wrong(key, "a duration such as 30s or 720h")
	}
	return d, nil
}

// durationOrNone returns a duration that may be 0.
func (s settings) durationOrNone(key string) (time.Duration, error) {
	if d, err := time.ParseDuration(s.values[key]); err == nil && d == 0 {
		return 0, nil
	}
	return s.duration(key)
}

func (s settings) int(key string) (int, error) {
	n, err := s.count(key)
	if err != nil || n < 1 {
		return 0, s.wrong(key, "a whole number from 1")
	}
	return n, nil
}

// count returns a number that may be 0.
func (s settings) count(key string) (int, error) {
	n, err := strconv.Atoi(s.values[key])
	if err != nil || n < 0 {
		return 0, s.wrong(key, "a whole number from 0")
	}
	return n, nil
}

func (s settings) percent(key string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSuffix(s.values[key], "%"), 64)
	if err != nil || !(x > 0 && x < 100) {
		return 0, s.wrong(key, "a percentage, over 0 and under 100")
	}
	return x, nil
}

// zone returns a time zone, nil if none is set.
func (s settings) zone(key string) (*time.Location, error) {
	name := s.values[key]
	if name == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, s.wrong(key, "a name of the IANA database, such as Europe/Oslo or UTC")
	}
	return zone, nil
}

// oneOf returns a setting that must be one of values.
func (s settings) oneOf(key string, values ...string) (string, error) {
	if value := s.values[key]; slices.Contains(values, value) {
		return value, nil
	}
	last := len(values) - 1
	return "", s.wrong(key, strings.Join(values[:last], ", ")+" or "+values[last])
}

// list returns a setting that is a list, separated by commas or blanks.
func (s settings) list(key string) []string {
	return strings.FieldsFunc(s.get(key), func(r rune) bool { return r == ',' || r == ' ' })
}

func (s settings) wrong(key, want string) error {
	from := ""
	if s.origins[key] != typedValue {
		from = " (" + s.origins[key] + ")"
	}
	return memory.Errorf(memory.CodeInvalidArgument, "%s is %q%s", key, s.values[key], from).WithHint("%s", want)
}

func addSettingFlags(root *cobra.Command) {
	for _, s := range knownSettings {
		if !s.secret {
			root.PersistentFlags().String(s.flag(), "", s.help)
		}
	}
}

// unfilled matches what a desktop application passes for an entry of its form that was left empty.
// It must not be taken for the name of a directory.
var unfilled = regexp.MustCompile(`^\$\{user_config\.\w+\}$`)

func loadSettings(flags *pflag.FlagSet, env func(string) string) (settings, error) {
	s := settings{values: map[string]string{}, origins: map[string]string{}}
	given := func(known setting) {
		if f := flags.Lookup(known.flag()); f != nil && f.Changed && !known.secret {
			s.values[known.key], s.origins[known.key] = f.Value.String(), "flag --"+known.flag()
		} else if v := env(known.env()); v != "" && !unfilled.MatchString(v) {
			s.values[known.key], s.origins[known.key] = v, known.env()
		}
	}
	for _, known := range knownSettings {
		given(known)
	}
	if s.values["data_dir"] == "" {
		dir, err := defaultDataDir(env)
		if err != nil {
			return s, err
		}
		s.values["data_dir"], s.origins["data_dir"] = dir, "default"
	}
	s.values["data_dir"] = fullPath(s.values["data_dir"], env)
	path := filepath.Join(s.values["data_dir"], "config.yaml")
	file, err := readConfig(path)
	if err != nil {
		return s, err
	}
	s.exposed = exposedSecrets(path, file)
	for _, known := range knownSettings {
		if _, ok := s.values[known.key]; ok {
			continue
		}
		s.values[known.key], s.origins[known.key] = known.fallback, "default"
		if v, ok := file[known.key]; ok {
			s.values[known.key], s.origins[known.key] = v, "config.yaml"
		}
	}
	for _, key := range []string{"backup.dir", "context.rules"} {
		s.values[key] = fromHome(s.values[key], env)
	}
	return s, nil
}

// readConfig returns the settings in config.yaml by key, none if there is no file. Groups may be
// nested, or written with dots.
func readConfig(path string) (map[string]string, error) {
	text, err := plainfile.Read(path, maxOwn)
	// A data directory that is a file has no config. Opening the database will report it.
	if errors.Is(err, fs.ErrNotExist) || (err != nil && !isDir(filepath.Dir(path))) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read config: %w", err)
	}
	flat, err := configValues(text)
	if err != nil {
		return nil, err
	}
	for other, key := range otherKeys {
		value, given := flat[other]
		if _, twice := flat[key]; given && twice {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "config.yaml has %s and %s, which are one setting", key, other).
				WithHint("leave one of them out")
		}
		if given {
			flat[key] = value
			delete(flat, other)
		}
	}
	for key := range flat {
		if !slices.ContainsFunc(knownSettings, func(s setting) bool { return s.key == key && key != "data_dir" }) {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "config.yaml has an unknown setting %q", key).
				WithHint("`mcp-memory settings` lists what there is")
		}
	}
	return flat, nil
}

// notYAML says at which line config.yaml is not valid. It does not quote the line, which may have a
// secret.
func notYAML(err error) error {
	where := ""
	var wrong yaml.Error
	if errors.As(err, &wrong) && wrong.GetToken() != nil {
		where = fmt.Sprintf(" in line %d", wrong.GetToken().Position.Line)
	}
	return memory.Errorf(memory.CodeInvalidArgument, "config.yaml is not valid YAML%s", where)
}

// exposedSecrets is a warning if config.yaml has secrets and others than its owner can read it,
// else "". It does not check on Windows, where access lists decide that.
func exposedSecrets(path string, file map[string]string) string {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o044 == 0 {
		return ""
	}
	for _, known := range knownSettings {
		if value := file[known.key]; value != "" && (known.secret || known.key == "database" && shownURL(value) != value) {
			return fmt.Sprintf("%s has %s and can be read by others: chmod 600 it, or set %s instead", path, known.key, known.env())
		}
	}
	return ""
}

func flatten(prefix string, tree map[string]any, flat map[string]string) {
	for key, value := range tree {
		if inner, ok := value.(map[string]any); ok {
			flatten(prefix+key+".", inner, flat)
			continue
		}
		if value == nil && begins(prefix+key) { // a key without a value
			continue
		}
		flat[prefix+key] = settingText(value)
	}
}

// begins reports whether a name is a setting or a group of settings.
func begins(name string) bool {
	return slices.ContainsFunc(knownSettings, func(s setting) bool { return s.key == name || strings.HasPrefix(s.key, name+".") })
}

// settingText converts a value of the file to what a flag would have: a list of plain values with
// commas, any other list as JSON.
func settingText(value any) string {
	list, ok := value.([]any)
	if !ok {
		return fmt.Sprint(value)
	}
	var plain []string
	for _, one := range list {
		switch one.(type) {
		case map[string]any, []any:
			text, err := json.Marshal(list)
			if err != nil {
				return fmt.Sprint(value) // the code that reads the setting reports what is wrong
			}
			return string(text)
		}
		plain = append(plain, fmt.Sprint(one))
	}
	return strings.Join(plain, ",")
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// defaultDataDir returns $XDG_DATA_HOME/mcp-memory, or the platform's usual directory.
func defaultDataDir(env func(string) string) (string, error) {
	if base := env("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "mcp-memory"), nil
	}
	if base := env("LOCALAPPDATA"); runtime.GOOS == "windows" && base != "" {
		return filepath.Join(base, "mcp-memory"), nil
	}
	home := homeDir(env)
	if home == "" {
		return "", memory.Errorf(memory.CodeInvalidArgument, "there is no home directory to keep data in").
			WithHint("set --data-dir or MCP_MEMORY_DATA_DIR")
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "mcp-memory"), nil
	}
	return filepath.Join(home, ".local", "share", "mcp-memory"), nil
}

// fromHome replaces a leading ~ by the home directory. Only shells do that, and hosts pass on
// values from their files.
func fromHome(path string, env func(string) string) string {
	if rest := strings.TrimPrefix(path, "~"); rest != path && (rest == "" || os.IsPathSeparator(rest[0])) && homeDir(env) != "" {
		return filepath.Join(homeDir(env), rest)
	}
	return path
}

// fullPath is fromHome, and makes a relative path absolute.
func fullPath(path string, env func(string) string) string {
	path = fromHome(path, env)
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// homeDir returns the user's home directory, "" if there is none.
func homeDir(env func(string) string) string {
	if runtime.GOOS == "windows" {
		return env("USERPROFILE")
	}
	return env("HOME")
}

func (p *Program) supersede() (remember.Supersede, error) {
	how := remember.Supersede(p.settings.get("supersede"))
	if !slices.Contains(remember.Supersedes(), how) {
		return how, p.settings.wrong("supersede", "auto, ask or off")
	}
	return how, nil
}

// startBudget returns the limit in tokens of the page with which a session starts.
func (p *Program) startBudget() (int, error) {
	budget, err := p.settings.int("session_start.tokens")
	if err == nil && budget < resources.MinBudget {
		err = p.settings.wrong("session_start.tokens", fmt.Sprintf("a whole number from %d", resources.MinBudget))
	}
	return budget, err
}

func (p *Program) salienceParameters() (salience.Parameters, error) {
	parameters := salience.Default()
	half, err := p.settings.duration("salience.half_life")
	parameters.HalfLife = half
	return parameters, err
}

// setZone sets the clock to the user's time zone, if the setting time.zone is set.
func (p *Program) setZone() error {
	zone, err := p.settings.zone("time.zone")
	if zone != nil {
		clock := p.Clock
		p.Clock = func() time.Time { return clock().In(zone) }
	}
	return err
}
