package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
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
	for _, size := range []int{1 << 16, 250} {
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
					t.Errorf("%s, %s of %d bytes: an error of %d characters: %.300s", row.Name, at, len(long),
						len([]rune(err.Error())), err)
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

// What leads to nothing is not repeated whole in an answer either.
func TestAnswersAboutNothingAreShort(t *testing.T) {
	r := newFullRig(t)
	long := strings.Repeat("Zwölf ", 1<<16/7)
	n := 0
	for _, row := range r.fleet.rows {
		if row.Group == Context { // whose answers are the conversation that was given
			continue
		}
		row.in.variants("", func(sh *shape) bool { return sh.json == "string" && !sh.isTime && len(sh.enum) == 0 },
			func(*shape) any { return long }, func(at string, args any) {
				data, err := json.Marshal(args)
				if err != nil {
					t.Fatal(err)
				}
				n++
				out, text, err := r.fleet.Call(t.Context(), row.Name, data)
				if err != nil {
					return // see TestErrorsAreShort
				}
				if data, err = json.Marshal(out); err != nil || len(data)+len(text) > 4<<10 {
					t.Errorf("%s, %s: an answer of %d bytes: %.200s", row.Name, at, len(data)+len(text), data)
				}
			})
	}
	if n < 80 {
		t.Errorf("only %d calls were made", n)
	}
}

// A token for projects may name one of them to forget in, and no other.
func TestForgetInAProjectOfTheToken(t *testing.T) {
	r := newRig(t)
	identity := access.Identity{Agent: "ann", Projects: []string{"shop", "yard"}}
	r.use(func(_ context.Context, project *string) (memory.Scope, error) { return identity.Scope(project) })
	var saved saveOutput
	r.must("memory_save", `{"content":"The till is by the door.","project":"shop"}`, &saved)
	for _, args := range []string{
		`{"query":"till","project":"office"}`, `{"project":"office"}`, `{"query":"till","project":""}`, `{"query":"till","project":"*"}`,
		`{"query":"till","project":"office","permanent":true,"confirm":true}`,
		`{"ids":["` + saved.ID + `"],"project":"office","permanent":true,"confirm":true}`,
	} {
		if got := textOf(r.call("memory_forget", args)); !strings.HasPrefix(got, "forbidden: this token is not for that project") {
			t.Errorf("%s: %s", args, got)
		}
	}
	if got := textOf(r.call("memory_forget", `{"query":"till"}`)); !strings.HasPrefix(got, "invalid_argument: project is missing") {
		t.Errorf("without a project: %s", got)
	}
	var out forgetOutput
	if r.must("memory_forget", `{"query":"till","project":"shop"}`, &out); out.Forgotten != 1 {
		t.Errorf("%+v", out)
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
