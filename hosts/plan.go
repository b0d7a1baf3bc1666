package hosts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Options are what a person chose.
type Options struct {
	Scope   Scope
	Name    string   // of the server; "" is the host's usual one
	Command string   // the program's path
	Serve   []string // settings that the program gets as a server
	Tools   string   // that it offers in a host without hooks; "" leaves it to Serve and the settings
	Hook    []string // settings that it gets as a hook
	URL     string   // the endpoint over HTTP, instead of starting the program
	Token   string   // for the endpoint; may be ""
	NoHooks bool
	Replace bool // take the place of an entry that is not ours, or was changed
}

// withHooks reports whether hooks are wanted: they need the bank on this machine.
func (o Options) withHooks() bool { return !o.NoHooks && o.URL == "" }

// Plan is what is to be done to a host's files. Nothing is written before [Plan.Apply].
type Plan struct {
	Host  *Host
	Notes []string // what the person has to do or know
	steps []step
	out   bool // it removes
	m     Machine
}

// step is one change of one file.
type step struct {
	spot
	what    string                      // "server", "hooks" or "plugin"
	runs    func(old []byte) [][]string // commands of the host that do it; nil where there are none
	only    bool                        // the file must not be changed in any other way
	set     func(old []byte) ([]byte, error)
	unset   func(old []byte, keep func(path []string) bool) ([]byte, error) // the text without what is ours
	same    func(a, b []byte) bool                                          // but for white space
	empty   func(text []byte) bool                                          // nothing is in it
	snippet string
}

// Refusal is that a file was left alone.
type Refusal struct {
	Path    string
	Snippet string // what a person can put there, or do
	Err     error
}

// Error implements error.
func (r *Refusal) Error() string { return r.Path + ": " + r.Err.Error() }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Err }

// Install plans to put the server, and the hooks, into the host's files.
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

// Uninstall plans to take out what Install put in; of the options only Scope, Name and URL count.
func (h *Host) Uninstall(m Machine, o Options) (*Plan, error) {
	if err := h.check(o); err != nil {
		return nil, err
	}
	o.NoHooks = false
	p := &Plan{Host: h, m: m, out: true}
	p.addSteps(o)
	return p, nil
}

// nameRule is what every host takes as a name.
func nameRule(name string) bool {
	return name != "" && len(name) <= 64 && strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) < 0
}

// reservedNames are taken by hosts themselves.
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

// addSteps plans what is to be changed.
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

// serverStep is the entry of the server.
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

// useOwnCommand lets the host's command do a step, where it is there.
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

// hookStep is the hooks of the host.
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

// fileStep is a file that is ours alone.
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

// Apply does what is planned and says what was done, a line each. It refuses, with a [Refusal], before anything is written
// if any of the files cannot be changed; but a file that only the host's command may change, where that is not there, is left
// to the user by the Refusal beside what was done.
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
