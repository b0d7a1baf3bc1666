package hosts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Options are the options of an installation.
type Options struct {
	Scope   Scope
	Name    string   // of the server; "" is the host's default
	Command string   // the program's path
	Serve   []string // options for the program as a server
	Tools   string   // for a host without hooks; "" leaves them to Serve and the settings
	Hook    []string // options for the program as a hook
	URL     string   // endpoint over HTTP, instead of starting the program
	Token   string   // for the endpoint; may be ""
	NoHooks bool
	Replace bool // overwrite an entry that is not ours, or was changed
}

// withHooks reports whether hooks are to be installed. They need the bank on
// this machine.
func (o Options) withHooks() bool { return !o.NoHooks && o.URL == "" }

// Plan is a list of changes to a host's files. Nothing is written before
// [Plan.Apply].
type Plan struct {
	Host  *Host
	Notes []string // what the person has to do or know
	steps []step
	out   bool // it uninstalls
	m     Machine
}

// step is one change of one file.
type step struct {
	spot
	what    string                      // "server", "hooks" or "plugin"
	runs    func(old []byte) [][]string // commands of the host that make the change; may be nil
	only    bool                        // the file must not be changed in any other way
	set     func(old []byte) ([]byte, error)
	unset   func(old []byte, keep func(path []string) bool) ([]byte, error) // without our entries
	same    func(a, b []byte) bool                                          // but for white space
	empty   func(text []byte) bool                                          // has nothing in it
	snippet string                                                          // for a person to add
}

// Refusal is the error that a file was not changed.
type Refusal struct {
	Path    string
	Snippet string // what a person can put there, or do
	Err     error
}

// Error implements error.
func (r *Refusal) Error() string { return r.Path + ": " + r.Err.Error() }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Err }

// Install plans to add the server, and the hooks, to the host's files.
func (h *Host) Install(m Machine, o Options) (*Plan, error) {
	if err := h.check(o); err != nil {
		return nil, err
	}
	if h.refuses != nil {
		if err := h.refuses(m, o); err != nil {
			return nil, err
		}
	}
	p := &Plan{Host: h, m: m}
	p.addSteps(o)
	if h.notes != nil {
		p.Notes = h.notes(o)
	}
	if o.Tools != "" && o.URL == "" && h.reports() {
		p.Notes = append(p.Notes,
			"This host has no hooks: the tools "+o.Tools+" let the model report the conversation itself. --tools core leaves that out.")
	}
	if o.URL != "" && h.HasHooks() && !o.NoHooks {
		p.Notes = append(p.Notes, "No hooks were written: they work on a bank of this machine, not over HTTP.")
	}
	return p, nil
}

// Uninstall plans to remove what Install has added. Of the options only Scope,
// Name and URL matter.
func (h *Host) Uninstall(m Machine, o Options) (*Plan, error) {
	if err := h.check(o); err != nil {
		return nil, err
	}
	o.NoHooks = false
	p := &Plan{Host: h, m: m, out: true}
	p.addSteps(o)
	return p, nil
}

// nameRule reports whether every host accepts the name of a server.
func nameRule(name string) bool {
	return name != "" && len(name) <= 64 && strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) < 0
}

// reservedNames are names that hosts use themselves.
var reservedNames = []string{"workspace", "claude-in-chrome", "computer-use"}

func (h *Host) check(o Options) error {
	name := h.serverName(o.Name)
	switch {
	case !slices.Contains(h.Scopes(), o.Scope):
		return memory.Errorf(memory.CodeInvalidArgument, "%s has no servers for the scope %q", h.Name, o.Scope).
			WithHint("--scope %s", h.Scopes()[0])
	case !nameRule(name) || slices.Contains(reservedNames, name):
		return memory.Errorf(memory.CodeInvalidArgument, "a server cannot be called %q", name).WithHint("letters, digits, - and _")
	case o.Token != "" && o.URL == "":
		return memory.Errorf(memory.CodeInvalidArgument, "a token is for an endpoint").WithHint("--http URL --token TOKEN")
	case o.Token != "" && o.Scope == ScopeProject:
		return memory.Errorf(memory.CodeInvalidArgument, "a token does not belong in a file that is shared").WithHint("--scope user")
	case strings.IndexFunc(o.Token, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0:
		return memory.Errorf(memory.CodeInvalidArgument, "a token has only letters, digits and signs")
	}
	return nil
}

// addSteps adds the steps for the server, the hooks and our own files.
func (p *Plan) addSteps(o Options) {
	h := p.Host
	s := Server{
		Name: h.serverName(o.Name), Command: o.Command, Args: append([]string{"serve"}, o.Serve...), URL: o.URL, Token: o.Token,
		hook: append([]string{o.Command, "hook", "--host", h.ID}, o.Hook...),
	}
	if o.Tools != "" && h.reports() {
		s.Args = append(s.Args, "--tools", o.Tools)
	}
	p.steps = append(p.steps, p.serverStep(s, o))
	if !o.withHooks() && !p.out {
		return
	}
	if h.hooks != nil && len(h.hooks.places[o.Scope]) > 0 {
		p.steps = append(p.steps, p.hookStep(s, o))
	}
	if h.files != nil {
		for _, f := range h.files(s, o.Scope) {
			p.steps = append(p.steps, fileStep(p.m.spot(o.Scope, p.m.path(f.place)), f))
		}
	}
}

// serverStep returns the step for the entry of the server.
func (p *Plan) serverStep(s Server, o Options) step {
	h := p.Host
	entry := h.entry(s)
	st := step{what: "server", spot: p.m.spot(o.Scope, p.m.choose(h.servers[o.Scope]))}
	switch h.format {
	case tomlFile:
		st.set = func(old []byte) ([]byte, error) { return setTOML(old, s.Name, entry, o.Replace) }
		st.unset = func(old []byte, _ func([]string) bool) ([]byte, error) { return removeTOML(old, s.Name, o.URL) }
		st.same, st.empty = sameLines, func(text []byte) bool { return len(filled(text)) == 0 }
		st.snippet = strings.TrimSuffix(tomlBlock(s.Name, entry, "\n"), "\n")
	case yamlFile:
		st.set = func(old []byte) ([]byte, error) { return setYAML(old, h.key[0], s.Name, entry, o.Replace) }
		st.unset = func(old []byte, keep func([]string) bool) ([]byte, error) {
			return removeYAML(old, h.key[0], s.Name, o.URL, keep(h.key))
		}
		st.same, st.empty = sameYAML, func(text []byte) bool { return len(filled(text)) == 0 }
		st.snippet = h.key[0] + ":\n" + strings.Join(yamlEntry(s.Name, entry, "  ", "\n"), "")
	default:
		path := append(slices.Clone(h.key), s.Name)
		st.set = func(old []byte) ([]byte, error) {
			return setJSON(old, h.format == strictJSON, path, entry, o.Replace)
		}
		st.unset = func(old []byte, keep func([]string) bool) ([]byte, error) {
			return removeJSON(old, path, o.URL, keep)
		}
		st.same, st.empty, st.snippet = sameJSON, emptyJSON, jsonSnippet(path, entry)
	}
	p.useOwnCommand(&st, s, o, entry)
	return st
}

// useOwnCommand lets the host's own command do a step, if the host has one and
// it is on the PATH.
func (p *Plan) useOwnCommand(st *step, s Server, o Options, entry object) {
	own := p.Host.own
	if own == nil || !slices.Contains(own.scopes, o.Scope) || s.Token != "" && !own.secret {
		return
	}
	st.only = own.only
	if own.only && !p.out {
		st.snippet = p.m.shellLine(own.add(s, o.Scope, entry))
	}
	if own.only && p.out {
		st.snippet = p.m.shellLine(own.remove(s.Name, o.Scope))
	}
	if _, err := p.m.Look(own.name); err != nil {
		return
	}
	st.runs = func(old []byte) [][]string {
		var all [][]string
		without, err := st.unset(old, func([]string) bool { return true })
		if ours := err == nil && string(without) != string(old); (ours || o.Replace && !p.out && own.only) && own.remove != nil {
			all = append(all, own.remove(s.Name, o.Scope))
		}
		if !p.out {
			all = append(all, own.add(s, o.Scope, entry))
		}
		return all
	}
}

// hookStep returns the step for the host's hooks.
func (p *Plan) hookStep(s Server, o Options) step {
	m, h, snippet := p.m, p.Host, object{}
	for _, e := range h.hooks.events {
		snippet = append(snippet, member{e.name, list{h.hooks.element(m, s, e)}})
	}
	return step{
		what: "hooks", spot: m.spot(o.Scope, m.choose(h.hooks.places[o.Scope])),
		set:   func(old []byte) ([]byte, error) { return h.hooks.setHooks(m, s, old) },
		unset: h.hooks.removeHooks,
		same:  sameJSON, empty: emptyJSON, snippet: jsonSnippet([]string{hooksKey}, snippet),
	}
}

// fileStep returns the step for a file that is ours alone.
func fileStep(at spot, f ownFile) step {
	text := f.comment + "\n" + f.text
	if f.comment == "" {
		text = f.text
	}
	return step{
		what: "plugin", spot: at, snippet: text,
		set: func(old []byte) ([]byte, error) {
			if len(old) > 0 && !f.ours(old) {
				return nil, memory.Errorf(memory.CodeConflict, "it is there and was not written by this program").WithHint("move it away")
			}
			return []byte(text), nil
		},
		unset: func(old []byte, _ func([]string) bool) ([]byte, error) {
			if f.ours(old) {
				return nil, nil
			}
			return old, nil
		},
		same: sameLines, empty: func(text []byte) bool { return len(text) == 0 },
	}
}

// ours reports whether a text was written by this program.
func (f ownFile) ours(text []byte) bool {
	if f.comment != "" {
		return strings.HasPrefix(string(text), f.comment)
	}
	return strings.Contains(string(text), program)
}

// Apply makes the changes of the plan and returns a line for each. If a file
// cannot be changed, it returns a [Refusal] before anything is written. A file
// that only the host's command may change is left out if that command is not on
// the PATH: the other changes are made, and the Refusal says what the user has
// to do.
func (p *Plan) Apply(ctx context.Context) (done []string, err error) {
	free, err := p.m.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, free()) }()
	changes, err := p.preview()
	if err != nil {
		return nil, err
	}
	touched := map[string]bool{}
	var left error
	for i, st := range p.steps {
		left = cmp.Or(left, changes[i].left)
		if !changes[i].needed() {
			continue
		}
		line, err := p.do(ctx, st, changes[i])
		if err != nil {
			return done, p.refuse(st, err)
		}
		touched[st.path] = true
		done = append(done, line)
	}
	if !p.out {
		return done, left
	}
	for i, st := range p.steps {
		if touched[st.path] && !slices.ContainsFunc(p.steps[i+1:], func(s step) bool { return s.path == st.path }) {
			var line string
			err := anew(ctx, func() (err error) {
				line, err = p.finish(st)
				return err
			})
			if err != nil {
				return done, p.refuse(st, err)
			}
			if line != "" {
				done = append(done, line)
			}
		}
	}
	return done, left
}

func (p *Plan) refuse(st step, err error) error {
	return &Refusal{Path: st.path, Snippet: st.snippet, Err: err}
}
