package main

import (
	"slices"

	"github.com/spf13/cobra"

	"mcp-memory/tools"
)

// family is a command with commands below it, for tools that belong together.
// The first of them is what the bare family does.
type family struct {
	name, short string
	commands    []toolCommand
}

// families lists the commands of the tool families beyond the core.
var families = []family{
	{"soul", "Beliefs, values, fears and convictions", []toolCommand{
		{use: "list", short: "Show them", tool: "soul_list"},
		{use: "add [TEXT]", short: "Add one; without TEXT, or with -, from stdin", tool: "soul_add", argument: "content", stdin: true},
		{use: "remove ID", short: "Remove one, with --reason", tool: "soul_remove", argument: "id"},
	}},
	{"episode", "What happened", []toolCommand{
		{use: "save EVENT", short: "Keep an episode", tool: "save_episode", argument: "event"},
	}},
	{"triples", "Facts as subject, predicate and object", []toolCommand{
		{use: "list", short: "Show them, by --subject, --predicate or --object", tool: "query_semantic"},
		{use: "save", short: "Save one, with --subject, --predicate and --object", tool: "save_semantic"},
	}},
	{"procedures", "How to do things", []toolCommand{
		{use: "find QUERY", short: "Find one that works", tool: "find_procedure", argument: "query"},
		{use: "save NAME", short: `Save one, with --steps '[{"action": "..."}]'`, tool: "save_procedure", argument: "name"},
		{use: "run NAME", short: "Note that one was run, with --success", tool: "record_procedure_run", argument: "name"},
	}},
	{"people", "Relationships with agents and people", []toolCommand{
		{use: "list [NAME]", short: "Show them, with --history what changed", tool: "relationship_get", argument: "agent", optional: true},
		{use: "update NAME", short: "Note something about somebody", tool: "relationship_update", argument: "agent"},
	}},
	{"learnings", "Errors and corrections to learn from", []toolCommand{
		{use: "list", short: "Show them", tool: "learning_list"},
		{use: "record TEXT", short: "Keep one, with --kind", tool: "learning_record", argument: "content"},
	}},
	{"diary", "One entry a day", []toolCommand{
		{use: "read [DATE]", short: "Read entries, by date, --since and --until, or --query", tool: "diary_read", argument: "date", optional: true},
		{use: "write [TEXT]", short: "Write today's, or that of --date; without TEXT, or with -, from stdin", tool: "diary_write", argument: "content", stdin: true},
	}},
	{"todo", "Tasks to do", []toolCommand{
		{use: "list", short: "Show them", tool: "list_todo"},
		{use: "add TITLE", short: "Add one", tool: "add_todo", argument: "title"},
		{use: "done ID", short: "Complete one", tool: "complete_todo", argument: "id"},
	}},
	{"calendar", "Events, once or again and again", []toolCommand{
		{use: "show", short: "Show what is planned", tool: "check_calendar"},
		{use: "add TITLE", short: "Add an event, with --starts-at", tool: "add_to_calendar", argument: "title"},
		{use: "remove ID", short: "Remove an event, or one --occurrence of it", tool: "remove_from_calendar", argument: "id"},
	}},
	{"link", "Copy another agent's memory, if it agrees", []toolCommand{
		{use: "pending", short: "Show what waits for an answer", tool: "neural_link", fixed: action("pending")},
		{use: "request AGENT", short: "Ask an agent for its memory", tool: "neural_link", fixed: action("request"), argument: "agent"},
		{use: "share LINK", short: "Agree to a request", tool: "neural_link", fixed: action("share"), argument: "link_id"},
		{use: "decline LINK", short: "Refuse a request", tool: "neural_link", fixed: action("decline"), argument: "link_id"},
		{use: "status LINK", short: "Show the state of a request", tool: "neural_link", fixed: action("status"), argument: "link_id"},
		{use: "revoke LINK", short: "Withdraw your own request", tool: "neural_link", fixed: action("revoke"), argument: "link_id"},
	}},
}

func action(name string) map[string]any { return map[string]any{"action": name} }

// isSettingFlag reports whether the flag of an argument's name is that of a
// setting: --agent says whose bank it is, never whom a question is about.
func isSettingFlag(argument string) bool {
	return slices.ContainsFunc(knownSettings, func(s setting) bool { return s.flag() == flagOf(argument) })
}

// familyCommands makes a command for each family. The bare family does what
// its first command does, where that needs no argument.
func (p *Program) familyCommands(fleet tools.Fleet) []*cobra.Command {
	var commands []*cobra.Command
	for _, f := range families {
		parent := &cobra.Command{Use: f.name, Short: f.short}
		if first := f.commands[0]; first.argument == "" || first.optional {
			p.callTool(parent, fleet, first)
		} else {
			parent.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		parent.Args = usageArgs(cobra.NoArgs) // a mistyped command is none
		for _, t := range f.commands {
			parent.AddCommand(p.toolCommand(fleet, t))
		}
		commands = append(commands, parent)
	}
	return commands
}
