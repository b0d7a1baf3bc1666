package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/consolidate"
	"mcp-memory/contextwindow"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/planning"
)

// newFullRig is a rig of every service.
func newFullRig(t testing.TB) *rig {
	t.Helper()
	r := newRig(t)
	r.using.Cognition = cognition.New(r.bank.CognitionOptions())
	r.using.Consolidate = consolidate.New(r.bank.ConsolidateOptions())
	r.using.Link = link.New(r.bank.LinkOptions())
	r.using.Window = contextwindow.New(r.bank.WindowOptions())
	r.using.Planning = planning.New(planning.Options{Store: r.store, Clock: r.bank.Clock, IDs: r.bank.IDs})
	r.use(sampleScopeOf)
	return r
}

// plainValue is a value that a shape takes.
func plainValue(sh *shape) any {
	switch {
	case sh.isTime:
		return "2026-03-01"
	case len(sh.enum) > 0:
		return sh.enum[0]
	case sh.free:
		return map[string]any{}
	case sh.json == "string":
		return "x"
	case sh.json == "boolean":
		return true
	case sh.json == "array":
		return []any{plainValue(sh.elem)}
	case sh.json == "object":
		return plainObject(sh)
	case sh.min != nil:
		return *sh.min
	}
	return 1
}

func plainObject(sh *shape) map[string]any {
	object := map[string]any{}
	for _, f := range sh.fields {
		if f.required {
			object[f.name] = plainValue(f.shape)
		}
	}
	return object
}

// variants calls fn with arguments in which one value of those that fit, at any
// depth, is another; at names it.
func (sh *shape) variants(at string, fits func(*shape) bool, value func(*shape) any, fn func(at string, whole any)) {
	if fits(sh) {
		fn(at, value(sh))
	}
	if sh.elem != nil {
		sh.elem.variants(at+"[]", fits, value, func(at string, one any) { fn(at, []any{one}) })
	}
	for _, f := range sh.fields {
		f.variants(join(at, f.name), fits, value, func(at string, one any) {
			object := plainObject(sh)
			object[f.name] = one
			fn(at, object)
		})
	}
}

// maxErrorLength is how long an error may be that repeats 200 characters of what
// was sent and says what is allowed.
const maxErrorLength = 1500

// tried calls a tool and returns its error as the caller sees it.
func (r *rig) tried(tool string, args any) error {
	r.t.Helper()
	data, err := json.Marshal(args)
	if err != nil {
		r.t.Fatal(err)
	}
	_, _, err = r.fleet.Call(r.t.Context(), tool, data)
	if err == nil {
		return nil
	}
	return memory.Public(err)
}

// Errors do not repeat what they are about: a client shows them to a model.
func TestErrorsAreShort(t *testing.T) {
	r := newFullRig(t)
	texts := func(sh *shape) bool { return sh.json == "string" || sh.free }
	n := 0
	for _, size := range []int{1 << 20, 250} {
		long := strings.Repeat("Zwölf ", size/6)
		for _, row := range r.fleet.rows {
			row.in.variants("", texts, func(sh *shape) any {
				if sh.free {
					return map[string]any{"key": long}
				}
				return long
			}, func(at string, args any) {
				n++
				err := r.tried(row.Name, args)
				if err != nil && (len([]rune(err.Error())) > maxErrorLength || memory.CodeOf(err) == memory.CodeInternal) {
					t.Errorf("%s, %s of %d bytes: an error of %d characters: %.300s", row.Name, at, len(long), len([]rune(err.Error())), err)
				}
			})
			if err := r.tried(row.Name, map[string]any{long: 1}); err == nil || len([]rune(err.Error())) > maxErrorLength {
				t.Errorf("%s: an unknown argument of %d bytes: %.300v", row.Name, len(long), err)
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d calls were made", n)
	}
}

// A list of any length is taken or refused by its name.
func TestListsAreBounded(t *testing.T) {
	r := newFullRig(t)
	lists := func(sh *shape) bool { return sh.json == "array" }
	found := 0
	for _, size := range []int{40_000, 101, 100} {
		for _, row := range r.fleet.rows {
			row.in.variants("", lists, func(sh *shape) any {
				list := make([]any, size)
				for i := range list {
					if list[i] = plainValue(sh.elem); list[i] == "x" && len(sh.elem.enum) == 0 {
						list[i] = fmt.Sprintf("x%d", i)
					}
				}
				return list
			}, func(at string, args any) {
				found++
				start := time.Now()
				err := r.tried(row.Name, args)
				code := memory.CodeOf(err)
				switch {
				case code == memory.CodeInternal, code == memory.CodeUnavailable, time.Since(start) > 20*time.Second:
					t.Errorf("%s, %s of %d elements after %v: %v", row.Name, at, size, time.Since(start), err)
				case size == 40_000 && code != memory.CodeTooLarge && code != memory.CodeInvalidArgument:
					t.Errorf("%s, %s of %d elements is taken: %v", row.Name, at, size, err)
				case size == 40_000 && !strings.Contains(err.Error(), strings.TrimSuffix(at[strings.LastIndex(at, ".")+1:], "[]")):
					t.Errorf("%s, %s: the error does not name it: %v", row.Name, at, err)
				}
			})
		}
	}
	if found < 60 {
		t.Errorf("only %d lists were tried", found)
	}
}
