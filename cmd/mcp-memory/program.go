package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"mcp-memory/embed/hub"
	"mcp-memory/memory"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// exitCodes has the exit code for each error code. A test keeps it complete.
var exitCodes = map[memory.Code]int{
	memory.CodeInvalidArgument: exitUsage,
	memory.CodeNotFound:        exitFailed,
	memory.CodeConflict:        exitFailed,
	memory.CodeForbidden:       exitFailed,
	memory.CodeTooLarge:        exitUsage,
	memory.CodeExpired:         exitFailed,
	memory.CodeUnavailable:     exitFailed,
	memory.CodeInternal:        exitFailed,
}

// Program is one run of the command line. Tests run it in the same way as main.
type Program struct {
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer // only results, or the protocol
	Stderr io.Writer
	Env    func(name string) string
	Clock  memory.Clock // nil is the system's clock
	Models []hub.Model  // models for `model pull`; nil is the built-in list

	settings settings
	log      *slog.Logger
	ahead    func() time.Duration // how far a shared store's clock is ahead of this machine's; nil is not at all
	serving  bool                 // for a process that handles many calls
	forHost  bool                 // for a server started by a host, which would not show an error at the start
	astray   error                // why a server for a host could not find the project
	calling  bool                 // for a hook: it calls no embedding endpoint, and a model only in its background process
	patience time.Duration        // how long the host of a hook waits, 0 if unknown
	behind   time.Duration        // how long a hook's background process goes on to encode at its end; 0 for all else
	loading  bool                 // for an import, after which the process ends
	place    place                // the project of the working directory, once it was looked up
	color    string               // value of --color
	create   bool                 // make a new database even if there are signs of an earlier one
}

// Run executes the command and returns the exit code.
func (p *Program) Run(ctx context.Context) int {
	if p.Clock == nil {
		p.Clock = machineClock()
	}
	machine := p.Clock
	p.Clock = func() time.Time {
		if p.ahead == nil {
			return machine()
		}
		return machine().Add(p.ahead())
	}
	root := p.root()
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	ran, err := root.ExecuteContextC(ctx)
	if p.hooking() {
		return exitDone
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, syscall.EPIPE):
		return exitFailed // whoever closed the pipe, such as head, knows it
	}
	if errors.Is(err, errLeft) {
		fmt.Fprintln(p.Stderr, "Nothing was changed.")
		return exitDone
	}
	if errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = failedError{errInterrupted}
	}
	fmt.Fprintln(p.Stderr, "mcp-memory: "+visible(message(err)))
	var usage usageError
	var failure failedError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(p.Stderr, "Try: %s --help\n", ran.CommandPath())
		return exitUsage
	case errors.As(err, &failure):
		return exitFailed
	}
	return exitCodes[memory.CodeOf(err)]
}

// message returns an error's text for a person. Unlike over MCP, the text of an unknown error may
// be shown, because it stays on the user's own terminal.
func message(err error) string {
	var e *memory.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := memory.InCommands(err)
	if e.Err != nil && e.Code == memory.CodeUnavailable {
		text += ": " + e.Err.Error()
	}
	return text
}

// usageError means that the command line is wrong.
type usageError struct{ error }

// failedError is a failure with exit code 1, whatever its code.
type failedError struct{ error }

// Unwrap returns the failure.
func (e failedError) Unwrap() error { return e.error }

func (p *Program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcp-memory",
		Short: "Memory for AI agents, as an MCP server",
		Long: "mcp-memory gives AI agents a memory that outlives the context window.\n\n" +
			"Without a command it is an MCP server over stdin and stdout, which is how hosts start it.",
		SilenceErrors: true, SilenceUsage: true,
		Args: usageArgs(cobra.NoArgs),
	}
	asked := root.Flags().BoolP("version", "v", false, "say which version this is")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *asked {
			_, err := fmt.Fprintln(p.Stdout, "mcp-memory "+version())
			return err
		}
		return p.serveOrExplain(cmd, args)
	}
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return p.prepare(cmd) }
	addSettingFlags(root)
	root.PersistentFlags().BoolVar(&p.create, "create", false, "begin a new database although there are signs of one that is gone")
	addColorFlag(root, p)
	shortenHelp(root)
	fleet := p.commandTools()
	root.AddCommand(
		p.serveCommand(), p.importCommand(), p.exportCommand(), p.notesCommand(), p.statsCommand(), p.demoCommand(),
		p.versionCommand(), p.toolsCommand(), p.settingsCommand(), p.licensesCommand(), p.contextCommand(fleet), p.pingCommand(),
		p.tokenCommand(), p.agentCommand(), p.modelCommand(), p.projectCommand(), p.workspaceCommand(), p.memoryToolCommand(),
		p.logCommand(), p.undoCommand(), p.redoCommand(), p.moveCommand(), p.listCommand(), p.historyCommand(), p.browseCommand(),
		p.backupCommand(), p.restoreCommand(), p.copyCommand(),
		p.doctorCommand(), p.installCommand(), p.uninstallCommand(), p.hookCommand(),
		p.pageCommand(), p.blameCommand(), p.handoffCommand(),
	)
	root.AddCommand(p.manualCommand())
	root.AddCommand(p.toolCommands(fleet)...)
	group(root)
	p.completeSettings(root)
	return root
}

// flagError adds to an error about an unknown flag how text that begins with "-" can be given.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var malformed *pflag.InvalidSyntaxError
	if errors.As(err, &unknown) {
		if near := nearestFlag(cmd, unknown.GetSpecifiedName()); near != "" {
			return usageError{fmt.Errorf("%w; did you mean --%s?", err, near)}
		}
	}
	if (errors.As(err, &unknown) || errors.As(err, &malformed)) && strings.Contains(cmd.Use, " ") {
		err = fmt.Errorf("%w (what begins with - and is no flag comes behind --: %s -- \"- milk\")", err, cmd.CommandPath())
	}
	return usageError{err}
}

// shortenHelp hides the settings, which are flags of every command, from the help, because there
// are many. `mcp-memory --help --all` shows them.
func shortenHelp(root *cobra.Command) {
	all := root.Flags().Bool("all", false, "with --help: also the settings, which are flags of every command")
	usage := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		if cmd == root && *all {
			return usage(cmd)
		}
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = true })
		cmd.Example = exampleOf(cmd)
		if err := usage(cmd); err != nil {
			return err
		}
		_, err := fmt.Fprintln(cmd.OutOrStderr(),
			"\nEvery setting is a flag too, such as --agent, --project and --data-dir; \"mcp-memory --help --all\" lists them.")
		return err
	})
}

// usageArgs turns a wrong number of arguments into a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return misuse(cmd, args, err)
		}
		return nil
	}
}

// prepare reads the settings and makes the log. It runs before every command but hook.
func (p *Program) prepare(cmd *cobra.Command) (err error) {
	if err := p.checkColor(); err != nil {
		return err
	}
	if p.settings, err = loadSettings(cmd.Flags(), p.Env); err != nil {
		return err
	}
	if err := p.checkDatabase(); err != nil {
		return err
	}
	p.log, err = newLogger(p.Stderr, p.settings.get("log.level"), p.settings.get("log.format"))
	if err != nil && strings.HasPrefix(cmd.CommandPath(), cmd.Root().Name()+" settings") { // this command can correct log.level
		p.log, err = newLogger(p.Stderr, "warn", "text")
	}
	if err == nil && p.settings.exposed != "" {
		p.log.Warn(p.settings.exposed)
	}
	return err
}

func newLogger(w io.Writer, level, format string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "log.level is %q", level).WithHint("debug, info, warn or error")
	}
	options := &slog.HandlerOptions{Level: l}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, memory.Errorf(memory.CodeInvalidArgument, "log.format is %q", format).WithHint("text or json")
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
