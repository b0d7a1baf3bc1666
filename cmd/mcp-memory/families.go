package main

import (
	"sync"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
	"mcp-memory/tools"
)

// family is a command with subcommands, for tools that belong together. Without a subcommand it
// runs the first one.
type family struct {
	name, short string
	commands    []toolCommand
	old         []string // aliases that people try
}

// removed forgets members of a family, only by their ids.
var removed = toolCommand{
	use: "remove ID...", short: "Forget some of them; undo brings them back", tool: "memory_forget", argument: "ids",
	without: []string{"query", "session", "link_id", "undo"},
}

// families are the families of tools beyond the core, with their commands.
var families = []family{
	{"soul", "Beliefs, values, fears and convictions", []toolCommand{
		{use: "list", short: "Show them", tool: "soul_list"},
		{use: "add [TEXT]", short: "Add one; without TEXT, or with -, from stdin", tool: "soul_add", argument: "content", stdin: true},
		{use: "show ID...", short: "Show some of them whole", tool: "memory_get", argument: "ids"},
		{use: "remove ID", short: "Remove one, with --reason", tool: "soul_remove", argument: "id"},
	}, nil},
	{"episode", "What happened", []toolCommand{
		{use: "list [WORDS]", short: "Show them, the newest first, or those about something", tool: "memory_search", argument: "query",
			optional: true,
			fixed:    map[string]any{"kinds": []string{string(memory.KindEpisode)}, "query": ""}},
		{use: "show ID...", short: "Show some of them whole", tool: "memory_get", argument: "ids"},
		{use: "add EVENT", short: "Keep an episode", tool: "save_episode", argument: "event", old: []string{"save"}},
		{use: "edit ID", short: "Change one", tool: "memory_update", argument: "id"},
		removed,
	}, []string{"episodes"}},
	{"triples", "Facts as subject, predicate and object", []toolCommand{
		{use: "list", short: "Show them, by --subject, --predicate or --object", tool: "query_semantic"},
		{use: "show ID...", short: "Show some of them whole", tool: "memory_get", argument: "ids"},
		{use: "add", short: "Save one, with --subject, --predicate and --object; a new object takes the place of the old",
			tool: "save_semantic", old: []string{"save"}},
		removed,
	}, []string{"triple"}},
	{"procedures", "How to do things", []toolCommand{
		{use: "list [WORDS]", short: "Show them, the newest first, or those about something", tool: "memory_search", argument: "query",
			optional: true,
			fixed:    map[string]any{"kinds": []string{string(memory.KindProcedure)}, "query": ""}},
		{use: "find QUERY", short: "Find one that works", tool: "find_procedure", argument: "query"},
		{use: "show ID...", short: "Show some of them whole", tool: "memory_get", argument: "ids"},
		{use: "add NAME", short: `Save one, or its new steps, with --steps '[{"action": "..."}]'`, tool: "save_procedure", argument: "name",
			old: []string{"save"}},
		removed,
		{use: "run NAME", short: "Note that one was run, with --success", tool: "record_procedure_run", argument: "name"},
	}, []string{"procedure"}},
	{"people", "Relationships with agents and people", []toolCommand{
		{use: "list [NAME]", short: "Show them, with --history what changed", tool: "relationship_get", argument: "agent", optional: true},
		{use: "show ID...", short: "Show some of them whole", tool: "memory_get", argument: "ids"},
		{use: "add NAME", short: "Note something about somebody", tool: "relationship_update", argument: "agent",
			old: []string{"update", "edit"}},
		removed,
	}, []string{"person"}},
	{"learnings", "Errors and corrections to learn from", []toolCommand{
		{use: "list", short: "Show them", tool: "learning_list"},
		{use: "show ID...", short: "Show some of them whole", tool: "memory_get", argument: "ids"},
		{use: "add TEXT", short: "Keep one, with --kind", tool: "learning_record", argument: "content", old: []string{"record"}},
		{use: "edit ID", short: "Change one", tool: "memory_update", argument: "id"},
		removed,
	}, []string{"learning"}},
	{"diary", "One entry a day", []toolCommand{
		{use: "list [DATE]", short: "Read entries, by date, --since and --until, or --query", tool: "diary_read", argument: "date",
			optional: true, old: []string{"read", "show"}},
		{use: "add [TEXT]", short: "Write today's, or that of --date; without TEXT, or with -, from stdin", tool: "diary_write",
			argument: "content", stdin: true, old: []string{"write"}},
	}, nil},
	{"todo", "Tasks to do", []toolCommand{
		{use: "list", short: "Show them", tool: "list_todo"},
		{use: "add TITLE", short: "Add one", tool: "add_todo", argument: "title"},
		{use: "done ID", old: []string{"complete"}, short: "Complete one", tool: "complete_todo", argument: "id"},
	}, []string{"todos"}},
	{"calendar", "Events, once or again and again", []toolCommand{
		{use: "list", short: "Show what is planned", tool: "check_calendar", old: []string{"show", "check"}},
		{use: "add TITLE", short: "Add an event, with --starts-at", tool: "add_to_calendar", argument: "title"},
		{use: "remove ID", short: "Remove an event, or one --occurrence of it", tool: "remove_from_calendar", argument: "id"},
	}, []string{"events", "event"}},
	{"link", "Copy another agent's memory, if it agrees", []toolCommand{
		{use: "list", short: "Show what waits for an answer", tool: "neural_link", fixed: action("pending"),
			without: []string{"link_id", "kinds", "message", "note", "since"}, old: []string{"pending"}},
		{use: "request AGENT", short: "Ask an agent for its memory", tool: "neural_link", fixed: action("request"),
			without: []string{"link_id", "note"}, argument: "agent"},
		{use: "share LINK", short: "Agree to a request", tool: "neural_link", fixed: action("share"), without: []string{"message"},
			argument: "link_id"},
		{use: "decline LINK", short: "Refuse a request", tool: "neural_link", fixed: action("decline"),
			without: []string{"kinds", "message", "since"}, argument: "link_id"},
		{use: "show LINK", short: "Show the state of a request", tool: "neural_link", fixed: action("status"),
			without: []string{"kinds", "message", "note", "since"}, argument: "link_id", old: []string{"status"}},
		{use: "revoke LINK", short: "Withdraw your own request", tool: "neural_link", fixed: action("revoke"),
			without: []string{"kinds", "message", "note", "since"}, argument: "link_id"},
	}, []string{"links"}},
}

func action(name string) map[string]any { return map[string]any{"action": name} }

// isSettingFlag reports whether the flag of an argument's name is the flag of a setting. --agent is
// whose bank it is, never an argument about another agent.
func isSettingFlag(argument string) bool { return settingFlags()[flagOf(argument)] }

var settingFlags = sync.OnceValue(func() map[string]bool {
	flags := map[string]bool{}
	for _, s := range knownSettings {
		flags[s.flag()] = true
	}
	return flags
})

// familyCommands makes the command of each family. Without a subcommand it runs the first one, if
// that needs no argument, and else shows the help.
func (p *Program) familyCommands(fleet tools.Fleet) []*cobra.Command {
	var commands []*cobra.Command
	for _, f := range families {
		parent := &cobra.Command{Use: f.name, Short: f.short}
		if first := f.commands[0]; first.argument == "" || first.optional {
			p.callTool(parent, fleet, first)
		} else {
			parent.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		parent.Args = usageArgs(cobra.NoArgs) // so that a mistyped subcommand is an error
		if f.commands[0].argument == "date" { // which no such word is
			parent.Use, parent.Args = f.name+" [DATE]", usageArgs(cobra.MaximumNArgs(1))
		}
		parent.Aliases = f.old
		for _, t := range f.commands {
			cmd := p.toolCommand(fleet, t)
			parent.AddCommand(cmd)
			parent.AddCommand(former(cmd, t.old, func() *cobra.Command { return p.toolCommand(fleet, t) })...)
		}
		commands = append(commands, parent)
	}
	return commands
}
