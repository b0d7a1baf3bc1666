package contextwindow

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
)

//go:embed rules.json
var defaultRules []byte

// Rule gives a class to the turns that fit it. Empty conditions fit every
// turn; of several all have to fit. The first rule that fits counts.
type Rule struct {
	Class memory.TurnClass `json:"class"`
	// Tools fits a turn that calls one of these tools, or answers such a call.
	// A name is compared by its words wherever they stand in the tool's name, so
	// "git commit" fits git_commit, GitCommitAll and mcp__git__commit.
	Tools []string `json:"tools,omitempty"`
	// Roles are the speakers it is for; "" is a person among people.
	Roles []memory.Role `json:"roles,omitempty"`
	// Result is a regular expression (RE2) that the result of a call, or the
	// content of a tool's message, contains.
	Result string `json:"result,omitempty"`
	// Error fits a turn with a call that failed.
	Error bool `json:"error,omitempty"`
	// Calls of "none" fits a turn without calls.
	Calls string `json:"calls,omitempty"`
	// ThinkingUnder fits a turn that thought fewer characters than that.
	ThinkingUnder int `json:"thinking_under,omitempty"`

	tools  [][]string
	result *regexp.Regexp
}

// Rules classify turns: the first rule that fits counts. They also name the tools that only
// return what is remembered, such as a search of memories.
type Rules struct {
	rules     []Rule
	recalling [][]string
}

// DefaultRules returns the rules that are built in, of rules.json.
func DefaultRules() *Rules {
	r, err := new(Rules).With(defaultRules)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return r
}

// With returns rules that ask those of a JSON document first: {"rules": [Rule],
// "recalling": [names of tools]}. [memory.CodeInvalidArgument] says what is
// wrong with it.
func (r *Rules) With(document []byte) (*Rules, error) {
	var file struct {
		Rules     []Rule   `json:"rules"`
		Recalling []string `json:"recalling"`
	}
	decoder := json.NewDecoder(strings.NewReader(string(document)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "the rules of turn classes cannot be read: %v", err).
			WithHint(`such as {"rules": [{"class": "productive", "tools": ["render video"]}]}`)
	}
	for i := range file.Rules {
		if err := file.Rules[i].compile(); err != nil {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "rule %d of turn classes: %v", i+1, err).
				WithHint("class is one of %v", memory.TurnClasses())
		}
	}
	return &Rules{
		rules:     append(file.Rules, r.rules...),
		recalling: append(allWords(file.Recalling), r.recalling...),
	}, nil
}

func (r *Rule) compile() (err error) {
	if !slices.Contains(memory.TurnClasses(), r.Class) {
		return fmt.Errorf("class %q does not exist", r.Class)
	}
	if r.Calls != "" && r.Calls != "none" {
		return fmt.Errorf(`calls is %q, only "none" is known`, r.Calls)
	}
	r.tools = allWords(r.Tools)
	if r.Result != "" {
		if r.result, err = regexp.Compile(r.Result); err != nil {
			return fmt.Errorf("result: %v", err)
		}
	}
	return nil
}

// allWords returns the words of each name (see nameWords), without names that have none.
func allWords(names []string) (list [][]string) {
	for _, name := range names {
		if words := nameWords(name); len(words) > 0 {
			list = append(list, words)
		}
	}
	return list
}

// Classify returns the class of a turn. tool is the name of the tool that a
// tool's message is from, if it is known.
func (r *Rules) Classify(t memory.Turn, tool string) memory.TurnClass {
	var calls []memory.ToolCall
	thinking := ""
	if t.Details != nil {
		calls, thinking = t.Details.ToolCalls, t.Details.Thinking
	}
	names := make([][]string, 0, len(calls)+1)
	for _, c := range calls {
		names = append(names, nameWords(c.Name))
	}
	if tool != "" {
		names = append(names, nameWords(tool))
	}
	for _, rule := range r.rules {
		if rule.fits(t, calls, thinking, names) {
			return rule.Class
		}
	}
	return memory.ClassMaintenance
}

func (r *Rule) fits(t memory.Turn, calls []memory.ToolCall, thinking string, names [][]string) bool {
	failed := func(c memory.ToolCall) bool { return c.Error != "" }
	switch {
	case len(r.Roles) > 0 && !slices.Contains(r.Roles, t.Role):
	case r.Error && !slices.ContainsFunc(calls, failed):
	case r.Calls == "none" && len(calls) > 0:
	case r.ThinkingUnder > 0 && utf8.RuneCountInString(thinking) >= r.ThinkingUnder:
	case len(r.tools) > 0 && !anyNamed(names, r.tools):
	case r.result != nil && !r.resultFits(t, calls):
	default:
		return true
	}
	return false
}

func (r *Rule) resultFits(t memory.Turn, calls []memory.ToolCall) bool {
	return t.Role == memory.RoleTool && r.result.MatchString(t.Content) ||
		slices.ContainsFunc(calls, func(c memory.ToolCall) bool { return r.result.MatchString(c.Result) })
}

// Recalls reports whether a tool of that name only returns what is remembered, so that nothing in
// its result is new.
func (r *Rules) Recalls(tool string) bool {
	return anyNamed([][]string{nameWords(tool)}, r.recalling)
}

// anyNamed reports whether one of the names contains all words of one of the patterns, next to
// each other and in order.
func anyNamed(names, patterns [][]string) bool {
	for _, name := range names {
		for _, p := range patterns {
			for i := 0; i+len(p) <= len(name); i++ {
				if slices.Equal(name[i:i+len(p)], p) {
					return true
				}
			}
		}
	}
	return false
}

// nameWords returns the words of a name in lower case: "mcp__git__createPR2" is
// mcp, git, create, pr2.
func nameWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	letters := []rune(name)
	for i, c := range letters {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) {
			flush()
			continue
		}
		next := i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if unicode.IsUpper(c) && len(word) > 0 && (next || !unicode.IsUpper(word[len(word)-1])) {
			flush()
		}
		word = append(word, c)
	}
	flush()
	return words
}
