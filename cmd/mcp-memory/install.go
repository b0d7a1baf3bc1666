package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/hosts"
	"mcp-memory/memory"
)

// installFlags are the flags of install and uninstall.
type installFlags struct {
	hosts.Options
	scope  string
	reader string // who reads the conversations; "" leaves the setting as it is
	dryRun bool
	out    bool // uninstall instead
}

func (p *Program) installCommand() *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "install [HOST...]",
		Short: "Connect hosts such as Claude Code, Codex or Cursor to the memory; without a host, find what is there and ask",
		Long: "Writes the server, and the hooks by which the memory fills itself, into the host's configuration: by the host's own command, else\n" +
			"into its file, of which everything else stays as it is, with a copy beside it at the first change. Done twice, it changes nothing. What cannot be\n" +
			"changed safely is left alone, and what to write there is shown.\n\nHosts: " + hostNames() + ".\n\n" +
			"Settings given as flags, such as --agent or --tools, go into what the host starts.",
	}
	cmd.Flags().StringVar(&f.URL, "http", "", "connect to a server at this `URL` instead of starting one; no hooks then")
	cmd.Flags().StringVar(&f.Token, "token", "", "the token for --http (mcp-memory token create)")
	cmd.Flags().BoolVar(&f.NoHooks, "no-hooks", false, "only the server")
	cmd.Flags().BoolVar(&f.Replace, "replace", false,
		"take the place of an entry of that name that was changed by hand, or is another server's")
	cmd.Flags().StringVar(&f.reader, "reader", "",
		"who finds the facts in conversations: rules, on this machine, or `NAME`, a program that answers on your subscription: "+
			strings.Join(readers(), ", "))
	p.installFlags(cmd, &f)
	return cmd
}

func (p *Program) uninstallCommand() *cobra.Command {
	f := installFlags{out: true}
	cmd := &cobra.Command{
		Use: "uninstall HOST...", Short: "Take the server and the hooks out of a host's configuration again",
		Long: "Takes out what starts this program, and the hooks that run it; nothing else changes, and what was not changed since the installation is\n" +
			"byte for byte as it was before. The memory itself stays.\n\nHosts: " + hostNames() + ".",
		Args: usageArgs(func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the host: mcp-memory uninstall HOST; mcp-memory doctor shows which are connected")
			}
			return nil
		}),
	}
	cmd.Flags().StringVar(&f.URL, "http", "", "the `URL` that was installed, if it was one")
	p.installFlags(cmd, &f)
	return cmd
}

func (p *Program) installFlags(cmd *cobra.Command, f *installFlags) {
	cmd.Flags().StringVar(&f.scope, "scope", "user", "user, or project: the files of the working directory's project, which are shared")
	cmd.Flags().StringVar(&f.Name, "name", "", "what the host calls the server (default memory)")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
	addJSONFlag(cmd)
	cmd.ValidArgs = strings.Split(hostNames(), ", ")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		p.installedCommand(f)
		if len(args) == 0 {
			return p.offerHosts(cmd, f)
		}
		return p.changeHosts(cmd, f, args)
	}
}

// hostNames lists the ids of the hosts.
func hostNames() string {
	var names []string
	for _, h := range hosts.All() {
		names = append(names, h.ID)
	}
	return strings.Join(names, ", ")
}

func (f *installFlags) check() error {
	f.Scope = hosts.Scope(f.scope)
	if f.Scope != hosts.ScopeUser && f.Scope != hosts.ScopeProject {
		return memory.Errorf(memory.CodeInvalidArgument, "scope is %q", f.scope).WithHint("user or project")
	}
	if err := f.checkReader(); err != nil {
		return err
	}
	if f.URL != "" {
		u, err := url.Parse(f.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			return memory.Errorf(memory.CodeInvalidArgument, "http is %q", f.URL).
				WithHint("the URL of a server, such as https://memory.example/mcp")
		}
	}
	return nil
}

// installedCommand sets the command that a host starts. It is the program's path on the PATH if
// that is this program, because a package manager may move the file behind it, and else the file
// itself. Configuration of a project is shared, so it should not have a path of one machine.
func (p *Program) installedCommand(f *installFlags) {
	own, err := os.Executable()
	if err != nil {
		own = "mcp-memory"
	}
	f.Command = own
	if real, err := filepath.EvalSymlinks(own); err == nil {
		f.Command = real
	}
	if found, same := p.onPath(own); same {
		f.Command = found
		if f.Scope == hosts.ScopeProject {
			f.Command = filepath.Base(found)
		}
	}
	f.Serve, f.Hook = p.passedSettings()
	if origin := p.settings.origins["tools"]; origin != "config.yaml" && !strings.HasPrefix(origin, "flag ") {
		f.Tools = hosts.ToolsWithoutHooks
	}
}

// onPath returns the path of the program on the PATH, and whether it is the same file as own.
func (p *Program) onPath(own string) (path string, same bool) {
	path, err := p.machine().Look(filepath.Base(own))
	if err != nil || !filepath.IsAbs(path) {
		return "", false
	}
	here, err := os.Stat(own)
	there, err2 := os.Stat(path)
	return path, err == nil && err2 == nil && os.SameFile(here, there)
}

// passedSettings returns the flags for the server and the hook that a host starts, because it
// starts them in another environment: settings given as flags, and from the environment the data
// directory and the agent.
func (p *Program) passedSettings() (serve, hook []string) {
	for _, s := range knownSettings {
		origin, value := p.settings.origins[s.key], p.settings.get(s.key)
		place := s.key == "data_dir" || s.key == "agent"
		hooks := place || strings.HasPrefix(s.key, "llm.")
		if s.secret || !(strings.HasPrefix(origin, "flag ") || place && origin == s.env()) {
			continue
		}
		if s.key == "data_dir" {
			if whole, err := filepath.Abs(value); err == nil {
				value = whole
			}
		}
		serve = append(serve, "--"+s.flag(), value)
		if hooks {
			hook = append(hook, "--"+s.flag(), value)
		}
	}
	return serve, hook
}

// hostResult is the result for one host.
type hostResult struct {
	Host    string         `json:"host"`
	Done    []string       `json:"done,omitempty"`
	Changes []hosts.Change `json:"changes,omitempty"` // of a dry run
	Notes   []string       `json:"notes,omitempty"`
	Error   string         `json:"error,omitempty"`
	Snippet string         `json:"snippet,omitempty"` // what to write by hand if the change was refused

	name string
	err  error
}

// changeHosts installs or uninstalls the hosts with these ids.
func (p *Program) changeHosts(cmd *cobra.Command, f *installFlags, ids []string) error {
	var chosen []*hosts.Host
	for _, id := range ids {
		h, err := hosts.Find(id)
		if err != nil {
			return err
		}
		chosen = append(chosen, h)
	}
	if name := filepath.Base(f.Command); !f.out && f.URL == "" && !strings.HasPrefix(name, "mcp-memory") {
		return memory.Errorf(memory.CodeInvalidArgument, "this program is called %s", name).
			WithHint("call it mcp-memory: by that name its entries are known again")
	}
	p.warnOfPath(f)
	var results []hostResult
	var text strings.Builder
	var failed []error
	for _, h := range chosen {
		r := p.changeHost(cmd.Context(), f, h)
		results = append(results, r)
		text.WriteString(r.text(f))
		if r.err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", h.Name, r.err))
		}
	}
	reads, err := p.setReader(f)
	if err != nil {
		failed = append(failed, err)
	}
	text.WriteString(reads)
	if err := p.print(cmd, results, strings.TrimSuffix(text.String(), "\n")); err != nil {
		return err
	}
	if len(failed) == 1 {
		return failed[0]
	}
	return errors.Join(failed...)
}

func (p *Program) changeHost(ctx context.Context, f *installFlags, h *hosts.Host) hostResult {
	r := hostResult{Host: h.ID, name: h.Name}
	plan, err := h.Install(p.machine(), f.Options)
	if f.out {
		plan, err = h.Uninstall(p.machine(), f.Options)
	}
	switch {
	case err != nil:
	case f.dryRun:
		r.Changes, err = plan.Preview()
	default:
		r.Done, err = plan.Apply(ctx)
		if err == nil || len(r.Done) > 0 { // the hooks may be installed even if the host's own command has failed
			r.Notes = append(plan.Notes, p.firstImport(f, h, r.Done)...)
		}
	}
	if err == nil {
		return r
	}
	r.err, r.Error = err, message(err)
	var refusal *hosts.Refusal
	if errors.As(err, &refusal) && !f.out {
		r.Snippet = refusal.Snippet
	}
	return r
}

// firstImport suggests importing the sessions that the host has kept, which it deletes after a
// while.
func (p *Program) firstImport(f *installFlags, h *hosts.Host, done []string) []string {
	if f.out || len(done) == 0 || f.URL != "" {
		return nil
	}
	transcripts := map[string]string{"claude-code": filepath.Join(homeDir(p.Env), ".claude", "projects"),
		"codex": filepath.Join(homeDir(p.Env), ".codex", "sessions")}
	if entries, err := os.ReadDir(transcripts[h.ID]); err != nil || len(entries) == 0 {
		return nil
	}
	return []string{"Earlier sessions are in " + transcripts[h.ID] + ": mcp-memory import --from " + h.ID +
		" --dry-run shows what they would bring."}
}

// text describes the result for a person.
func (r hostResult) text(f *installFlags) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.name)
	for _, c := range r.Changes {
		if c.Diff == "" {
			fmt.Fprintf(&b, "  %s: nothing to change for the %s\n", c.Path, c.What)
			continue
		}
		for _, argv := range c.Runs {
			fmt.Fprintf(&b, "  would run, for the %s: %s\n", c.What, strings.Join(argv, " "))
		}
		if len(c.Runs) == 0 {
			fmt.Fprintf(&b, "  would write the %s:\n%s", c.What, c.Diff)
		}
	}
	for _, line := range r.Done {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	if len(r.Done) == 0 && len(r.Changes) == 0 && r.err == nil {
		what := "it is installed already, nothing was changed"
		if f.out {
			what = "there is nothing of ours, nothing was changed"
		}
		fmt.Fprintf(&b, "  %s\n", what)
	}
	for _, line := range r.Notes {
		fmt.Fprintf(&b, "  → %s\n", line)
	}
	if r.Snippet != "" {
		what := "nothing was changed; to do it by hand"
		if len(r.Done)+len(r.Changes) > 0 {
			what = "the rest is to be done by hand"
		}
		fmt.Fprintf(&b, "  %s:\n\n%s\n\n", what, r.Snippet)
	}
	return b.String()
}

// warnOfPath warns if the command that the host starts will not stay where it is.
func (p *Program) warnOfPath(f *installFlags) {
	if f.out || f.URL != "" {
		return
	}
	if f.Scope == hosts.ScopeProject && filepath.IsAbs(f.Command) {
		fmt.Fprintln(p.Stderr, visible("mcp-memory: the files of a project are shared, and "+f.Command+
			" is a path of this machine: with the program on the PATH, where the others have it too, do this again."))
	}
	slashes := filepath.ToSlash(f.Command)
	temporary := strings.HasPrefix(f.Command, os.TempDir()+string(filepath.Separator)) || strings.Contains(slashes, "/go-build") ||
		strings.Contains(slashes, "/_npx/")
	if temporary {
		fmt.Fprintln(p.Stderr, visible("mcp-memory: "+f.Command+
			" is in a temporary directory: once it is gone, the host has no memory. Install the program first, then do this again."))
	}
}

// offerHosts lists the hosts found on this machine, and asks a person at a terminal for each. A dry
// run shows what would change in all of them.
func (p *Program) offerHosts(cmd *cobra.Command, f *installFlags) error {
	var found []string
	for _, h := range hosts.All() {
		if h.Found(p.machine()) {
			found = append(found, h.ID)
		}
	}
	if len(found) == 0 {
		return p.print(cmd, json.RawMessage("[]"),
			"None of the known hosts was found. mcp-memory install HOST prepares one all the same:\n"+hostNames())
	}
	if f.dryRun { // a dry run changes nothing, so it does not ask
		return p.changeHosts(cmd, f, found)
	}
	if !isTerminal(p.Stdin) || isSet(cmd, "json") {
		return p.print(cmd, found, "Found: "+strings.Join(found, ", ")+"\nTo connect them: mcp-memory install "+strings.Join(found, " "))
	}
	var chosen []string
	in := bufio.NewReader(p.input(cmd.Context()))
	for _, id := range found {
		fmt.Fprintf(p.Stdout, "Connect %s to the memory? [Y/n] ", id)
		answer, err := in.ReadString('\n')
		if err != nil {
			fmt.Fprintln(p.Stdout)
			return nil // the person closed stdin, so nothing is done
		}
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "" || strings.HasPrefix(answer, "y") {
			chosen = append(chosen, id)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	p.askReader(f, in)
	return p.changeHosts(cmd, f, chosen)
}
