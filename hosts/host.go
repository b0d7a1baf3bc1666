package hosts

import (
	"os"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Scope says whether a server is installed for the user or for a project.
type Scope string

// Scopes.
const (
	ScopeUser    Scope = "user"    // for all that the user does
	ScopeProject Scope = "project" // for all who work in the project; its files are shared
)

// format is the format of a host's file.
type format int

const (
	strictJSON    format = iota // without comments
	commentedJSON               // with comments, and with commas before closing brackets
	tomlFile
	yamlFile
)

// Host is a program that starts MCP servers.
type Host struct {
	ID   string // as it is named on the command line
	Name string

	also     []string                             // other names on the command line
	traces   []place                              // one of these exists if the host was used
	commands []string                             // one of these is on the PATH if it is installed
	servers  map[Scope][]place                    // file with the servers: the first that exists
	format   format                               // of the file with the servers
	key      []string                             // path of the object that has the servers
	entry    func(Server) object                  // the entry of a server
	prompted []string                             // command before a first message, see Prompted
	call     string                               // default name of the server; "" is memory
	own      *ownCommand                          // nil if there is none, or it does harm
	hooks    *hookFile                            // nil for a host without hooks
	borrows  bool                                 // it runs the hooks in another host's files
	files    func(Server, Scope) []ownFile        // files that are ours alone
	refuses  func(Machine, Options) *memory.Error // why it cannot be installed on this machine
	notes    func(Options) []string               // what a person has to do or know
}

// Server is the server that a host is to start, or to connect to.
type Server struct {
	Name    string   // its name in the host
	Command string   // the program's path
	Args    []string // for the program
	URL     string   // endpoint over HTTP, instead of a command
	Token   string   // for the endpoint; may be ""
	hook    []string // the program and its arguments for a hook
}

// ownCommand is a program of the host that changes the host's servers.
type ownCommand struct {
	name   string
	scopes []Scope
	secret bool // a token may be an argument, because there is no other way
	only   bool // the file must not be changed in any other way
	add    func(Server, Scope, object) []string
	remove func(name string, scope Scope) []string
}

// ownFile is a file that belongs to us as a whole.
type ownFile struct {
	place   place
	text    string
	comment string // its first line, by which it is recognised as ours; may be ""
}

// Prompted returns the command that starts the host, to be followed by a first
// message, or nil if none is known.
func (h *Host) Prompted() []string { return h.prompted }

// ToolsWithoutHooks are the groups of tools offered in a host without hooks:
// there the model reports the conversation itself.
const ToolsWithoutHooks = "core,context,learning"

// All returns the hosts, in the order in which they are listed.
func All() []*Host {
	return slices.Concat(codingHosts(), editorHosts(), otherHosts())
}

// Find returns the host with an id or another of its names. It returns a
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

// Scopes lists the scopes in which the server can be installed in the host.
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

// HasHooks reports whether the host can run our hooks, as at the start of a
// session.
func (h *Host) HasHooks() bool { return h.hooks != nil || h.files != nil }

// reports reports whether only the model's tool calls tell the memory what is
// said in the host.
func (h *Host) reports() bool { return !h.HasHooks() && !h.borrows }

// serverName returns the name of the server in the host: name, or if that is
// empty the host's default.
func (h *Host) serverName(name string) string {
	switch {
	case name != "":
		return name
	case h.call != "":
		return h.call
	}
	return "memory"
}
