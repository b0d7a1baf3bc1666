package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/tools"
)

// toolCommand is a command that calls a tool. It has the tool's arguments as flags, and prints its
// result as JSON or text, so that it behaves like the tool over MCP.
type toolCommand struct {
	use   string // with the placeholder of the positional argument
	short string
	tool  string
	// argument is the tool's argument whose value is the words after the command. With stdin set,
	// the value is read from stdin if there are no words, or only "-".
	argument string
	stdin    bool
	optional bool // the words may be missing
	// fixed are arguments that the command sets itself.
	fixed map[string]any
	old   []string // aliases: other names that people try, or former names
	// without are arguments of the tool that the command has no flags for, because they make no
	// sense for it.
	without []string
}

func (t toolCommand) name() string {
	name, _, _ := strings.Cut(t.use, " ")
	return name
}

var commandsOfTools = []toolCommand{
	{use: "save [TEXT]", old: []string{"remember", "add"}, short: "Save a memory; without TEXT, or with -, from stdin", tool: "memory_save",
		argument: "content", stdin: true},
	{use: "recall QUERY", old: []string{"ask"}, short: "Recall memories about something", tool: "memory_recall", argument: "query"},
	{use: "search QUERY", old: []string{"find"}, short: "Search memories and conversations", tool: "memory_search", argument: "query"},
	{use: "how WHAT", short: "Show commands that worked for something before", tool: "memory_how", argument: "what"},
	{use: "fix ERROR", short: "Show what was done when an error came before; without ERROR, or with -, from stdin", tool: "memory_fix",
		argument: "error", stdin: true},
	{use: "get ID...", old: []string{"show"}, short: "Show memories whole", tool: "memory_get", argument: "ids"},
	{use: "update ID", old: []string{"edit", "correct"}, short: "Change a memory", tool: "memory_update", argument: "id"},
	{use: "self-care", short: "Condense old memories and conversations; --undo takes it back", tool: "self_care"},
	{use: "forget [ID...]", old: []string{"delete", "remove", "rm"},
		short: "Forget memories, or with --project NAME a whole project, or bring them back with --undo",
		tool:  "memory_forget", argument: "ids", optional: true},
}

// toolCommands makes the commands. Their flags come from the tools' schemas.
func (p *Program) toolCommands(fleet tools.Fleet) []*cobra.Command {
	var commands []*cobra.Command
	for _, t := range commandsOfTools {
		cmd := p.toolCommand(fleet, t)
		commands = append(commands, cmd)
		commands = append(commands, former(cmd, t.old, func() *cobra.Command { return p.toolCommand(fleet, t) })...)
	}
	return append(commands, p.familyCommands(fleet)...)
}

func (p *Program) toolCommand(fleet tools.Fleet, t toolCommand) *cobra.Command {
	cmd := &cobra.Command{Use: t.use, Short: t.short}
	p.callTool(cmd, fleet, t)
	return cmd
}

// callTool makes a command call a tool.
func (p *Program) callTool(cmd *cobra.Command, fleet tools.Fleet, t toolCommand) {
	arguments, open := fleet.Arguments(t.tool), p.open
	if fleet.Effect(t.tool) == tools.Read {
		open = p.openExisting
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.runTool(cmd, open, t, arguments, args) }
	for _, a := range arguments {
		_, fixed := t.fixed[a.Name]
		if a.Name != t.argument && !isSettingFlag(a.Name) && !fixed && !slices.Contains(t.without, a.Name) {
			addFlag(cmd.Flags(), a)
			p.completeArgument(cmd, a)
		}
	}
	if t.tool == "memory_recall" || t.tool == "memory_search" {
		cmd.Flags().Bool(showAll, false, "show also the results that hardly fit")
	}
	addOtherFlags(cmd.Flags())
	switch takes := takesIDs[t.tool]; {
	case len(takes) == 0 || takes[0].name != t.argument:
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	case takes[0].of == memory.IDsOfRecords:
		cmd.ValidArgsFunction = p.completeIDs
	default:
		cmd.ValidArgsFunction = p.completePlans(takes[0].of)
	}
	addJSONFlag(cmd)
}

// commandTools returns the tools from which the flags of commands are made: all tools if the
// command line names a command that calls one, else none. Describing tools takes longer than
// opening the database, and a server does not need it.
func (p *Program) commandTools() tools.Fleet {
	if slices.ContainsFunc(p.Args, callsTool) {
		return p.allTools()
	}
	return tools.Fleet{}
}

// callsTool reports whether a word of the command line names a command that calls tools. The word
// may as well be the value of a flag.
func callsTool(word string) bool {
	return word == contextName || word == manualName ||
		slices.ContainsFunc(commandsOfTools, func(t toolCommand) bool { return t.name() == word || slices.Contains(t.old, word) }) ||
		slices.ContainsFunc(families, func(f family) bool { return f.name == word || slices.Contains(f.old, word) })
}

// allTools returns all tools, not connected, only to describe them.
func (p *Program) allTools() tools.Fleet {
	fleet, err := new(app).tools("all")
	if err != nil {
		panic(err) // a mistake in a definition, which a test finds first
	}
	return fleet
}

func addJSONFlag(cmd *cobra.Command) { cmd.Flags().Bool("json", false, "print the result as JSON") }

// otherFlagNames are names that people try for flags, with the flag that they mean.
var otherFlagNames = map[string]string{
	"due": "due-at", "start": "starts-at", "starts": "starts-at", "at": "starts-at", "when": "starts-at",
	"end": "ends-at", "ends": "ends-at", "tag": "tags", "expires": "valid-until", "happened": "occurred-at", "replaces": "supersedes",
}

// addOtherFlags lets the flags in otherFlagNames be given by those names as well.
func addOtherFlags(flags *pflag.FlagSet) {
	there := map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) { there[f.Name] = true })
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if meant := otherFlagNames[name]; there[meant] && !there[name] {
			name = meant
		}
		return pflag.NormalizedName(name)
	})
}

func flagOf(argument string) string { return strings.ReplaceAll(argument, "_", "-") }

// addFlag adds a flag for an argument. Its value goes to the tool as it was typed, because the
// tool's decoder reports best what is wrong with it.
func addFlag(flags *pflag.FlagSet, a tools.Argument) {
	switch a.Type {
	case "boolean":
		flags.Bool(flagOf(a.Name), false, usageOf(a))
	case "array":
		flags.StringSlice(flagOf(a.Name), nil, usageOf(a))
	default:
		flags.Var(&typedText{kind: kindOf(a)}, flagOf(a.Name), usageOf(a))
	}
}

// kindOf returns the type of an argument as the help shows it.
func kindOf(a tools.Argument) string {
	switch {
	case a.Format == "date-time":
		return "time"
	case a.Type == "integer":
		return "int"
	case a.Type == "object" || a.Type == "objects":
		return "json"
	}
	return a.Type
}

// usageOf describes an argument for the help of its flag, with its values and its default.
func usageOf(a tools.Argument) string {
	usage := strings.TrimSuffix(a.Description, ".")
	if here, other := saidOfTimes[a.Name]; other {
		usage = here
	}
	if len(a.Choices) > 0 {
		usage += ": " + strings.Join(a.Choices, ", ")
	}
	if a.Default != "" {
		usage += " (default " + a.Default + ")"
	}
	return usage
}

func (p *Program) runTool(cmd *cobra.Command, open opener, t toolCommand, arguments []tools.Argument, args []string) error {
	return t.inFlags(p.callTheTool(cmd, open, t, arguments, args), arguments)
}

func (p *Program) callTheTool(cmd *cobra.Command, open opener, t toolCommand, arguments []tools.Argument, args []string) error {
	call, err := p.callOf(cmd, t, arguments, args)
	if err != nil {
		return err
	}
	a, err := open(cmd.Context())
	if asksBeforeUse(cmd, t) && memory.CodeOf(err) == memory.CodeNotFound { // nothing was learned yet
		return p.print(cmd, json.RawMessage(`{"items":[],"total":0}`), "")
	}
	if err != nil {
		return err
	}
	fleet, err := a.toolsOfCommands(t.tool)
	if err != nil {
		return errors.Join(err, a.close())
	}
	call, err = a.wholeIDs(cmd, t.tool, call)
	var result json.RawMessage
	text := ""
	if err == nil {
		result, text, err = fleet.Call(cmd.Context(), t.tool, call)
	}
	if err == nil && t.tool == "memory_save" {
		err = p.embedSaved(cmd.Context(), a)
	}
	if err == nil && t.tool == "context_compact" {
		err = a.window.WaitUpTo(cmd.Context(), patience)
	}
	show := func() error { return nil }
	laid := err == nil && !isSet(cmd, "json") && !asksBeforeUse(cmd, t) && layouts[t.tool] != nil
	if laid {
		show, err = layouts[t.tool](p, cmd, a, result, text)
	}
	if closing := a.close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	if laid {
		return show()
	}
	if asksBeforeUse(cmd, t) && !strings.HasPrefix(text, "- ") {
		text = ""
	}
	return p.print(cmd, result, text)
}

// embeddingTime is how long a command computes vectors after it has saved. The rest is left to
// other processes, if many memories wait for a slow model.
var embeddingTime = 10 * time.Second

// embedSaved computes the vectors of what was saved, because no server may be running that would.
func (p *Program) embedSaved(ctx context.Context, a *app) error {
	limited, cancel := context.WithTimeout(ctx, embeddingTime)
	defer cancel()
	_, err := a.worker.Drain(limited)
	if memory.CodeOf(err) == memory.CodeUnavailable || ctx.Err() == nil && limited.Err() != nil {
		p.log.WarnContext(ctx, "the memory is saved; its vector follows", "error", err)
		return nil
	}
	return err
}

// asksBeforeUse reports whether a command asks what was learned about a tool. Hooks of hosts run it
// before the tool is used and put its output into a prompt, so it prints nothing if there is
// nothing.
func asksBeforeUse(cmd *cobra.Command, t toolCommand) bool {
	tool := cmd.Flags().Lookup("tool")
	return t.tool == "learning_list" && tool != nil && tool.Value.String() != ""
}

func isSet(cmd *cobra.Command, flag string) bool {
	set, err := cmd.Flags().GetBool(flag)
	return err == nil && set
}

// answer opens the program by open, calls ask and prints the result: as JSON with --json, else the
// text.
func (p *Program) answer(cmd *cobra.Command, open opener, ask func(a *app) (result any, text string, err error)) (err error) {
	a, err := open(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	result, text, err := ask(a)
	if err != nil {
		return err
	}
	return p.print(cmd, result, text)
}

// print prints a result: JSON with --json, else the text, and nothing for an empty text.
func (p *Program) print(cmd *cobra.Command, result any, text string) error {
	s := p.screen()
	data, made := result.(json.RawMessage) // as a tool made it
	if !made {
		var err error
		if data, err = json.Marshal(result); err != nil {
			return err
		}
	}
	if isSet(cmd, "json") || text == string(data) {
		s = screen.Screen{} // output for programs does not depend on the terminal
		var indented bytes.Buffer
		if err := json.Indent(&indented, data, "", "  "); err != nil {
			return err
		}
		text = indented.String()
	}
	if text == "" {
		return nil
	}
	return p.show(strings.Join(s.Wrap(visible(text)), "\n"), s)
}

// callOf makes the tool's arguments of words and flags.
func (p *Program) callOf(cmd *cobra.Command, t toolCommand, arguments []tools.Argument, args []string) (json.RawMessage, error) {
	call := maps.Clone(t.fixed)
	if call == nil {
		call = map[string]any{}
	}
	var wrong error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, a := range arguments {
			if flagOf(a.Name) != f.Name || isSettingFlag(a.Name) {
				continue
			}
			switch a.Type {
			case "boolean":
				call[a.Name] = f.Value.String() == "true"
			case "array":
				call[a.Name], _ = cmd.Flags().GetStringSlice(f.Name)
			case "object", "objects":
				call[a.Name] = json.RawMessage(f.Value.String())
			default:
				typed, err := p.timeArgument(a, f.Value.String())
				if call[a.Name] = typed; err != nil {
					wrong = err
				}
			}
		}
	})
	if wrong != nil {
		return nil, wrong
	}
	p.inOwnZone(call, arguments)
	if _, said := call["source"]; !said && t.tool == "memory_save" && isTerminal(p.Stdin) { // a person typed it
		call["source"] = string(memory.SourceUser)
	}
	if err := p.positional(cmd.Context(), commandName(cmd), call, t, args); err != nil {
		return nil, err
	}
	for _, a := range arguments {
		if said, ok := call[a.Name].(string); ok && a.Name == t.argument {
			if call[a.Name], wrong = p.timeArgument(a, said); wrong != nil {
				return nil, wrong
			}
		}
	}
	if f := cmd.Flags().Lookup("project"); f.Changed && (t.tool == "memory_update" || t.tool == "memory_forget" && !selects(call)) {
		call["project"] = f.Value.String()
	}
	if err := checkUTF8(call, arguments); err != nil {
		return nil, err
	}
	data, err := json.Marshal(call)
	if err != nil {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "an argument is not valid JSON").WithHint("an object such as {\"key\": 1}")
	}
	return data, nil
}

// selects reports whether a call of memory_forget already names what to forget, other than by a
// query. If not, --project limits the query to that project, or without a query selects all of it.
func selects(call map[string]any) bool {
	for _, name := range []string{"ids", "session", "link_id", "undo"} {
		if _, there := call[name]; there {
			return true
		}
	}
	return false
}

// checkUTF8 refuses text that encoding/json would silently change.
func checkUTF8(call map[string]any, arguments []tools.Argument) error {
	for _, a := range arguments {
		var texts []string
		switch v := call[a.Name].(type) {
		case string:
			texts = []string{v}
		case []string:
			texts = v
		}
		for _, text := range texts {
			if !utf8.ValidString(text) {
				return memory.Errorf(memory.CodeInvalidArgument, "%s is not valid UTF-8", a.Name).WithHint("convert it to UTF-8 first")
			}
		}
	}
	return nil
}

func (p *Program) positional(ctx context.Context, path string, call map[string]any, t toolCommand, args []string) error {
	switch {
	case t.argument == "":
		if len(args) > 0 {
			return usageError{fmt.Errorf("%s: %q is not understood", path, args[0])}
		}
	case t.stdin && (len(args) == 0 || len(args) == 1 && args[0] == "-"):
		if len(args) == 0 && isTerminal(p.Stdin) {
			return usageError{fmt.Errorf("%s: %s is missing", path, placeholder().FindString(strings.TrimPrefix(t.use, t.name())))}
		}
		const room = 2 * memory.MaxContentBytes // blanks around the text do not count
		text, err := io.ReadAll(io.LimitReader(p.input(ctx), room+1))
		if err != nil {
			return fmt.Errorf("read stdin: %w", err)
		}
		whole := len(text) <= room
		if text = bytes.TrimSpace(text); !whole || len(text) > memory.MaxContentBytes {
			return memory.Errorf(memory.CodeTooLarge, "stdin has more than %d bytes", memory.MaxContentBytes).
				WithHint("a memory is a fact; use import for files")
		}
		call[t.argument] = string(text)
	case len(args) == 0 && t.optional:
	case len(args) == 0:
		return usageError{fmt.Errorf("%s: %s is missing", path, placeholder().FindString(strings.TrimPrefix(t.use, t.name())))}
	case strings.HasSuffix(strings.TrimSuffix(t.use, "]"), "..."):
		call[t.argument] = args
	default:
		call[t.argument] = strings.Join(args, " ")
	}
	return nil
}
