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

// commandGroups are the groups of the help, and which commands are in them.
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

// group puts the commands of a program into the groups of its help.
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

// placeholder is a word of a command's use that stands for an argument.
var placeholder = lazyregexp.New(`\[?[A-Z][A-Z|]*\]?`)

// misuse says of the wrong number of arguments what is missing or too much, in one
// form for all commands.
func misuse(cmd *cobra.Command, args []string, err error) error {
	if text := err.Error(); !strings.Contains(text, " arg(s)") && !strings.HasPrefix(text, "unknown command") {
		return usageError{err} // a command that says itself what it takes
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

// commandName is how a command is called, without the program.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// nearestCommand is the visible command that a mistyped one is likely to mean, "" if
// none is near.
func nearestCommand(cmd *cobra.Command, typed string) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return tools.Nearest(typed, names)
}

// nearestFlag is the flag that a mistyped one is likely to mean.
func nearestFlag(cmd *cobra.Command, typed string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return tools.Nearest(typed, names)
}

// former makes commands for the names that a command had before: they go on working,
// and no help shows them.
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

// inFlags is an error of a tool that is about an argument of its call, in the words of a
// command line: that names flags, and what stands in its help.
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

// typedText is a flag's value as it was typed, with the type that the help shows.
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
