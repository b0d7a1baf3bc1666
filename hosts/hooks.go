package hosts

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-memory/memory"
)

// hookFile describes the file in which a host keeps its hooks: the commands
// that it runs for events.
type hookFile struct {
	places  map[Scope][]place
	format  format
	version bool // the file has "version": 1
	events  []hookEvent
	// element returns the element for the array of an event.
	element func(Machine, Server, hookEvent) object
}

// hookEvent is an event for which a host runs hooks.
type hookEvent struct {
	name       string
	timeout    int  // in seconds
	background bool // the host need not wait for it, if it can do that
}

// hooksKey is the member with the events in all these files.
const hooksKey = "hooks"

// group returns a group with one handler, as most hosts want it.
func group(handler object) object { return object{{hooksKey, list{handler}}} }

// setHooks adds our hook to the array of each event. A hook of ours that is there
// gets the new command, see update.
func (h *hookFile) setHooks(m Machine, s Server, src []byte) ([]byte, error) {
	t, err := parseJSON(src, h.format == strictJSON)
	if err != nil {
		return nil, err
	}
	if h.version {
		if v, err := t.find("version"); err == nil && v == nil {
			if err := t.set(1, "version"); err != nil {
				return nil, err
			}
		}
	}
	if err := h.removeOther(t); err != nil {
		return nil, err
	}
	for _, e := range h.events {
		own, err := ownHooks(t, e.name)
		if err != nil {
			return nil, err
		}
		wanted := h.element(m, s, e)
		switch len(own) {
		case 0:
			err = t.add(wanted, hooksKey, e.name)
		case 1:
			err = own[0].update(t, wanted)
		default:
			err = memory.Errorf(memory.CodeConflict, "our hook is in %s.%s twice", hooksKey, e.name).WithHint("remove one of them")
		}
		if err != nil {
			return nil, err
		}
	}
	if bytes.Equal(t.bytes(), src) || len(bytes.TrimSpace(src)) > 0 && reflect.DeepEqual(t.decode(&t.root), decodeJSON(src)) {
		return src, nil
	}
	return t.bytes(), nil
}

// HookFile returns a file of hooks for the host as a plugin has it: with our
// hooks only, which run command, found on the PATH. It returns a
// [memory.CodeInvalidArgument] if the host has no such file.
func (h *Host) HookFile(command ...string) ([]byte, error) {
	if h.hooks == nil {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "%s has no file of hooks", h.ID)
	}
	return h.hooks.setHooks(Machine{}, Server{hook: command}, nil)
}

// removeOther removes our hook from events that are no longer in h.events.
func (h *hookFile) removeOther(t *jsonText) error {
	for _, name := range eventsOf(t) {
		if !slices.ContainsFunc(h.events, func(e hookEvent) bool { return e.name == name }) {
			if err := removeHook(t, name, func([]string) bool { return false }); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeHooks removes our hooks from a file, and parents that become empty
// unless keep is true for them.
func (h *hookFile) removeHooks(src []byte, keep func(path []string) bool) ([]byte, error) {
	t, err := parseJSON(src, false)
	if err != nil {
		return nil, err
	}
	before := t.bytes()
	for _, name := range eventsOf(t) {
		if err := removeHook(t, name, keep); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(t.bytes(), before) {
		return src, nil
	}
	left := parts(t.root)
	alone := len(left) == 1 && left[0].name == "version"
	if h.version && (alone || keep(nil)) && !keep([]string{"version"}) { // it came with our hooks
		if err := t.remove(keep, "version"); err != nil {
			return nil, err
		}
	}
	return t.bytes(), nil
}

// eventsOf lists the events that have an array of hooks in a file.
func eventsOf(t *jsonText) []string {
	hooks, err := t.find(hooksKey)
	if err != nil || hooks == nil {
		return nil
	}
	var names []string
	for _, p := range parts(*hooks) {
		if p.value.Value.Kind() == '[' {
			names = append(names, p.name)
		}
	}
	return names
}

// ownHook is the place of a hook of ours in the array of an event.
type ownHook struct {
	array   hujson.Value
	element int          // its index in the array
	handler hujson.Value // the element, or one of its handlers
	inner   int          // index of the handler in the element, or -1 if it is the element
	alone   bool         // the element has no other handler
}

// ownHooks returns our hooks among those of an event.
func ownHooks(t *jsonText, event string) ([]ownHook, error) {
	array, err := t.find(hooksKey, event)
	if err != nil || array == nil {
		return nil, err
	}
	var own []ownHook
	for i, element := range parts(*array) {
		if ownHandler(t.decode(&element.value)) {
			own = append(own, ownHook{*array, i, element.value, -1, true})
		}
		for _, p := range parts(element.value) {
			if p.name != hooksKey {
				continue
			}
			handlers := parts(p.value)
			for j, handler := range handlers {
				if ownHandler(t.decode(&handler.value)) {
					own = append(own, ownHook{*array, i, handler.value, j, len(handlers) == 1})
				}
			}
		}
	}
	return own, nil
}

// ownHandler reports whether a handler runs this program's hook.
func ownHandler(v any) bool { return hookProgram(v) != "" }

// hookProgram returns the program that a handler of ours starts, "" if the handler is not ours.
func hookProgram(v any) string {
	handler, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	for _, key := range []string{"command", "bash", "powershell"} {
		line, _ := handler[key].(string)
		if args, ok := handler["args"].([]any); ok && isProgram(line) && len(args) > 0 && args[0] == "hook" {
			return line
		}
		if words := shellWords(strings.TrimPrefix(line, "& ")); len(words) > 1 && isProgram(words[0]) && words[1] == "hook" {
			return words[0]
		}
	}
	return ""
}

// commandKeys are the members of a handler with the command.
var commandKeys = []string{"command", "args", "bash", "powershell"}

// update replaces a hook whose command is not the wanted one. Other members stay
// as they are: a person may have set them.
func (o ownHook) update(t *jsonText, wanted object) error {
	if inner, ok := wanted.get(hooksKey).(list); ok {
		wanted = inner[0].(object)
	}
	had, _ := t.decode(&o.handler).(map[string]any)
	same := true
	for _, key := range commandKeys {
		same = same && reflect.DeepEqual(had[key], plain(wanted.get(key)))
	}
	if same {
		return nil
	}
	var handler object
	for _, m := range wanted {
		if old, ok := had[m.name]; ok && !slices.Contains(commandKeys, m.name) {
			m.value = old
		}
		handler = append(handler, m)
	}
	for _, name := range slices.Sorted(maps.Keys(had)) {
		if !slices.Contains(commandKeys, name) && wanted.get(name) == nil {
			handler = append(handler, member{name, had[name]})
		}
	}
	return t.replace(o.handler, handler)
}

// removeHook removes all our hooks from those of an event.
func removeHook(t *jsonText, event string, keep func(path []string) bool) error {
	for {
		own, err := ownHooks(t, event)
		if err != nil {
			return err
		}
		if len(own) == 0 {
			return nil
		}
		o := own[0]
		if o.alone {
			err = t.cut(o.array, o.element)
		} else {
			for _, p := range parts(parts(o.array)[o.element].value) {
				if p.name == hooksKey {
					err = t.cut(p.value, o.inner)
				}
			}
		}
		if err != nil {
			return err
		}
		array, err := t.find(hooksKey, event)
		if err != nil {
			return err
		}
		if path := []string{hooksKey, event}; t.empty(*array) && !keep(path) {
			return t.remove(keep, path...)
		}
	}
}

// decodeJSON decodes JSON with comments; nil if it is invalid.
func decodeJSON(src []byte) any {
	t, err := parseJSON(src, false)
	if err != nil {
		return nil
	}
	return t.decode(&t.root)
}
