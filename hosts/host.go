package hosts

import (
	"os"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Scope is for whom a server is installed.
type Scope string

// Scopes.
const (
	ScopeUser    Scope = "user"    // all that the user does
	ScopeProject Scope = "project" // who works in the project; its files are shared
)

// format is how a file is written.
type format int

const (
	strictJSON    format = iota // the host reads no comments
	commentedJSON               // comments, and commas before closing brackets
	tomlFile
	yamlFile
)

// Host is a program that starts MCP servers.
type Host struct {
	ID   string // as it is named on the command line
	Name string

	also     []string                             // other names on the command line
	traces   []place                              // one of them is there if the host was used
	commands []string                             // one of them is on the PATH if it is installed
	servers  map[Scope][]place                    // the file with the servers: the first that is there
	format   format                               // of that file
	key      []string                             // under which the servers are
	entry    func(Server) object                  // one server; nil for what the host cannot
	prompted []string                             // the command that starts it, before a first message; nil where none is known
	call     string                               // what the server is called, unless --name says it; "" is memory
	own      *ownCommand                          // that adds and removes servers; nil if there is none, or it does harm
	hooks    *hookFile                            // nil for a host without
	borrows  bool                                 // it runs the hooks in another host's files
	files    func(Server, Scope) []ownFile        // that are ours alone
	refuses  func(Machine, Options) *memory.Error // what speaks against it, on this machine
	notes    func(Options) []string               // what a person has to do or know
}

// Server is what a host is to start, or to connect to.
type Server struct {
	Name    string   // as the host calls it
	Command string   // the program's path
	Args    []string // for the program
	URL     string   // instead of a command: an endpoint over HTTP
	Token   string   // for the endpoint; may be ""
	hook    []string // the program and its arguments for a hook of the host
}

// ownCommand is the host's own way to change its servers.
type ownCommand struct {
	name   string
	scopes []Scope
	secret bool // a token may be an argument, for lack of another way
	only   bool // the file must not be changed in any other way
	add    func(Server, Scope, object) []string
	remove func(name string, scope Scope) []string
}

// ownFile is a file that we write whole.
type ownFile struct {
	place   place
	text    string
	comment string // with which it begins, and by which it is known as ours
}

// Prompted is the command, in words, behind which the host is given a first message; nil where none is known.
func (h *Host) Prompted() []string { return h.prompted }

// ToolsWithoutHooks are the groups of tools that a host without hooks is offered: in it the
// model reports the conversation itself.
const ToolsWithoutHooks = "core,context,learning"

// All returns the hosts, in the order in which they are listed.
func All() []*Host {
	return slices.Concat(codingHosts(), editorHosts(), otherHosts())
}

// Find returns the host of an id.
//
// [memory.CodeInvalidArgument] if there is none.
func Find(id string) (*Host, error) {
	var ids []string
	for _, h := range All() {
		if h.ID == id || slices.Contains(h.also, id) {
			return h, nil
		}
		ids = append(ids, h.ID)
	}
	return nil, memory.Errorf(memory.CodeInvalidArgument, "there is no host %q", id).WithHint("one of %s", strings.Join(ids, ", "))
}

// Scopes lists the scopes in which the host can be set up.
func (h *Host) Scopes() []Scope {
	var all []Scope
	for _, s := range []Scope{ScopeUser, ScopeProject} {
		if len(h.servers[s]) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// Found reports whether the host is on the machine.
func (h *Host) Found(m Machine) bool {
	for _, p := range h.traces {
		if _, err := os.Stat(m.path(p)); err == nil {
			return true
		}
	}
	return slices.ContainsFunc(h.commands, func(c string) bool { _, err := m.Look(c); return err == nil })
}

// HasHooks reports whether the host can run a command at the start of a session and the like.
func (h *Host) HasHooks() bool { return h.hooks != nil || h.files != nil }

// reports says that nothing but a tool tells the memory what is said in the host.
func (h *Host) reports() bool { return !h.HasHooks() && !h.borrows }

// serverName is what the host calls the server unless it is told otherwise.
func (h *Host) serverName(name string) string {
	switch {
	case name != "":
		return name
	case h.call != "":
		return h.call
	}
	return "memory"
}
