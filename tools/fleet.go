package tools

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// MaxDescription is the length in characters that a tool's description must stay below. Hosts cut
// longer ones.
const MaxDescription = 2000

// Fleet is an ordered set of tools that passed inspection. It is immutable and
// safe for concurrent use; the zero value has no tools.
type Fleet struct{ rows []row }

// row is a tool with the shapes of its input and output. JSON schemas are only written for tools
// that are listed: that is most of the work, and start-up waits for it.
type row struct {
	Tool
	in, out *shape
	scopeOf access.ScopeFunc
}

// NewFleet checks the definitions of tools and makes a fleet of them, in the order given. scopeOf
// finds out whose bank a call is about. The error names the first fault of each tool. It means a
// mistake in the program, never in a caller's input.
func NewFleet(scopeOf access.ScopeFunc, tools ...Tool) (Fleet, error) {
	var f Fleet
	var problems []error
	seen := map[string]bool{}
	for _, t := range tools {
		r := row{Tool: t, scopeOf: scopeOf}
		err := r.inspect()
		if seen[t.Name] {
			err = errors.Join(err, errors.New("there are two of this name"))
		}
		seen[t.Name] = true
		if err != nil {
			problems = append(problems, fmt.Errorf("tool %q: %w", t.Name, err))
		}
		f.rows = append(f.rows, r)
	}
	if err := errors.Join(problems...); err != nil {
		return Fleet{}, err
	}
	return f, nil
}

// Saying returns the fleet that also reads times in words, such as "last tuesday". They are
// relative to clock, which returns the current time in the user's zone. It changes the shapes that
// f shares, so it has to be called before the fleet is used.
func (f Fleet) Saying(clock func() time.Time) Fleet {
	for _, r := range f.rows {
		r.in.counting(clock)
	}
	return f
}

// counting sets the clock of a shape and of all shapes inside it.
func (sh *shape) counting(clock func() time.Time) {
	sh.clock = clock
	if sh.elem != nil {
		sh.elem.counting(clock)
	}
	for _, f := range sh.fields {
		f.counting(clock)
	}
}

var toolName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

func (r *row) inspect() error {
	switch {
	case !toolName.MatchString(r.Name) || len(r.Name) > 64:
		return errors.New("the name is not snake_case of up to 64 characters")
	case r.Title == "":
		return errors.New("there is no title")
	case r.Description == "" || len([]rune(r.Description)) >= MaxDescription:
		return fmt.Errorf("the description is empty or has %d characters or more", MaxDescription)
	case !slices.Contains(Groups(), r.Group):
		return fmt.Errorf("there is no group %q", r.Group)
	case r.call == nil:
		return errors.New("it was not made by Define")
	}
	if _, ok := effects[r.Effect]; !ok {
		return fmt.Errorf("there is no effect %q", r.Effect)
	}
	return r.derive()
}

func (r *row) derive() (err error) {
	if r.in, err = shapeOf(r.input, enums, false); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if err := r.in.described(""); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if _, ok := reflect.Zero(r.input).Interface().(projected); ok != r.in.has("project") {
		return errors.New("input: an argument project needs a method project, and the other way round")
	}
	if r.out, err = shapeOf(r.output, enums, true); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

// described checks that an object has no key twice, that each key has a description for the model,
// and that none is both required and has a default.
func (sh *shape) described(path string) error {
	seen := map[string]bool{}
	for _, f := range sh.fields {
		at := join(path, f.name)
		switch {
		case seen[f.name]:
			return fmt.Errorf("%s is there twice", at)
		case f.desc == "":
			return fmt.Errorf("%s has no description", at)
		case f.required && f.absent != nil:
			return fmt.Errorf("%s is required and has a default", at)
		}
		seen[f.name] = true
		inner := f.shape
		for inner.elem != nil {
			inner = inner.elem
		}
		if err := inner.described(at); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether an object has a key.
func (sh *shape) has(name string) bool {
	return slices.ContainsFunc(sh.fields, func(f field) bool { return f.name == name })
}

// Has reports whether the fleet has a tool of this name.
func (f Fleet) Has(tool string) bool {
	return slices.ContainsFunc(f.rows, func(r row) bool { return r.Name == tool })
}

// Specs returns the specs of the tools, in order.
func (f Fleet) Specs() []Spec {
	out := make([]Spec, len(f.rows))
	for i, r := range f.rows {
		out[i] = r.Spec
	}
	return out
}

// Len returns the number of tools.
func (f Fleet) Len() int { return len(f.rows) }

// Select returns the tools that a selection names, in the order of tools. A selection is a list of
// names of groups or tools, separated by commas or blanks, or "all". The empty selection is the
// group core. A name that is neither is [memory.CodeInvalidArgument], with the known names in the
// hint. Call it before [NewFleet], so that only the tools offered are checked.
func Select(tools []Tool, selection string) ([]Tool, error) {
	wanted := map[string]bool{}
	for _, name := range strings.FieldsFunc(selection, func(r rune) bool { return r == ',' || r == ' ' }) {
		isTool := func(t Tool) bool { return t.Name == name }
		if name != "all" && !slices.Contains(Groups(), Group(name)) && !slices.ContainsFunc(tools, isTool) {
			return nil, unknown(name, tools)
		}
		wanted[name] = true
	}
	if len(wanted) == 0 {
		wanted[string(Core)] = true
	}
	var chosen []Tool
	for _, t := range tools {
		if wanted["all"] || wanted[string(t.Group)] || wanted[t.Name] {
			chosen = append(chosen, t)
		}
	}
	return chosen, nil
}

func unknown(name string, tools []Tool) error {
	known := append(names(Groups()), "all")
	groups := strings.Join(known, ", ")
	var each []string
	for _, t := range tools {
		each = append(each, t.Name)
	}
	err := memory.Errorf(memory.CodeInvalidArgument, "there is no tool or group %s", quote(name))
	hint := fmt.Sprintf("groups: %s; tools: %s", groups, strings.Join(each, ", "))
	if near := Nearest(name, append(known, each...)); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return err.WithHint("%s", hint)
}
