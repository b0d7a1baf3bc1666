package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/tools"
)

// commandGroups are the groups of the help, with the names of their commands.
var commandGroups = []struct{ id, title, commands string }{
	{"memory", "Memory:",
		"save recall search how fix blame handoff list get update move forget history log undo redo self-care import export notes browse"},
	{"agent", "The agent:", "soul episode triples procedures people learnings diary"},
	{"plans", "Plans:", "todo calendar"},
	{"context", "Context:", "context workspace memory-tool hook"},
	{"sharing", "Sharing:", "link agent token project"},
	{"server", "Server:", "serve web ping"},
	{"maintenance", "Maintenance:", "stats doctor backup restore copy"},
	{"setup", "Setup:", "install uninstall model settings demo tools version licenses completion help"},
}

// group puts the commands into the groups of the help.
func group(root *cobra.Command) {
	of := map[string]string{}
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for name := range strings.FieldsSeq(g.commands) {
			of[name] = g.id
		}
	}
	for _, cmd := range root.Commands() {
		cmd.GroupID = of[cmd.Name()]
	}
	root.SetHelpCommandGroupID("setup")
	root.SetCompletionCommandGroupID("setup")
}

// placeholder matches a word of a command's use that stands for an argument.
var placeholder = lazyregexp.New(`\[?[A-Z][A-Z|]*\]?`)

// misuse turns an error about the number of arguments into one that names what is missing or too
// much, in the same form for all commands.
func misuse(cmd *cobra.Command, args []string, err error) error {
	if text := err.Error(); !strings.Contains(text, " arg(s)") && !strings.HasPrefix(text, "unknown command") {
		return usageError{err} // the command has checked its arguments itself
	}
	words := placeholder().FindAllString(strings.TrimPrefix(cmd.Use, cmd.Name()), -1)
	if len(args) < len(words) && !strings.HasPrefix(words[len(args)], "[") {
		return usageError{fmt.Errorf("%s: %s is missing", commandName(cmd), strings.Trim(words[len(args)], "[]"))}
	}
	if len(args) > len(words) {
		extra := args[len(words)]
		text := fmt.Sprintf("%s: %q is not understood", commandName(cmd), extra)
		if cmd.HasAvailableSubCommands() {
			text = fmt.Sprintf("unknown command %q for %q", extra, cmd.CommandPath())
			if near := nearestCommand(cmd, extra); near != "" {
				text += fmt.Sprintf("; did you mean %s?", near)
			}
		}
		return usageError{errors.New(text)}
	}
	return usageError{err}
}

// commandName returns the full name of a command, without the program.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// nearestCommand returns the visible command that a mistyped one most likely means, "" if none is
// near.
func nearestCommand(cmd *cobra.Command, typed string) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return tools.Nearest(typed, names)
}

// nearestFlag returns the flag that a mistyped one most likely means, "" if none is near.
func nearestFlag(cmd *cobra.Command, typed string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return tools.Nearest(typed, names)
}

// former makes hidden commands for the old names of a command, so that they still work.
func former(cmd *cobra.Command, names []string, again func() *cobra.Command) []*cobra.Command {
	var old []*cobra.Command
	for _, name := range names {
		one := again()
		one.Use = name + strings.TrimPrefix(cmd.Use, cmd.Name())
		one.Hidden = true
		old = append(old, one)
	}
	return old
}

// inFlags rewrites a tool's error about an argument in the terms of the command line: it names the
// flag, and the values that its help shows.
func (t toolCommand) inFlags(err error, arguments []tools.Argument) error {
	var e *memory.Error
	if memory.CodeOf(err) != memory.CodeInvalidArgument || !errors.As(err, &e) {
		return err
	}
	name, _, _ := strings.Cut(strings.Map(func(r rune) rune {
		if r == '[' {
			return ' '
		}
		return r
	}, e.Message), " ")
	for _, a := range arguments {
		if a.Name != name {
			continue
		}
		shown := "--" + flagOf(name)
		if name == t.argument {
			shown = strings.Trim(placeholder().FindString(strings.TrimPrefix(t.use, t.name())), "[]")
		}
		typed := *e
		typed.Message = shown + strings.TrimPrefix(e.Message, name)
		return usageError{errors.New(message(&typed))}
	}
	return err
}

// typedText is the value of a flag as it was typed, and the type that the help shows.
type typedText struct{ text, kind string }

// String implements [pflag.Value].
func (t *typedText) String() string { return t.text }

// Set implements [pflag.Value].
func (t *typedText) Set(text string) error {
	t.text = text
	return nil
}

// Type implements [pflag.Value].
func (t *typedText) Type() string { return t.kind }
