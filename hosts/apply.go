package hosts

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"mcp-memory/memory"
)

// change is what a step would do to its file, computed in memory.
type change struct {
	step
	before, after []byte
	there         bool       // the file exists
	runs          [][]string // commands of the host that make the change
	left          error      // why this step is left out while the others are done
}

// needed reports whether the step has anything to do.
func (c change) needed() bool {
	return c.left == nil && (!bytes.Equal(c.before, c.after) || !c.there && len(c.after) > 0)
}

// Change describes the change of a file for a person.
type Change struct {
	What string     `json:"what"`           // "server", "hooks" or "plugin"
	Path string     `json:"path"`           // of the file
	Runs [][]string `json:"runs,omitempty"` // commands of the host that make the change
	Diff string     `json:"diff,omitempty"` // unified; "" if there is nothing to do
}

// Preview returns what [Plan.Apply] would do. It returns a [Refusal] if Apply
// would refuse, or would leave something out; in the second case beside the
// changes.
func (p *Plan) Preview() ([]Change, error) {
	changes, err := p.preview()
	if err != nil {
		return nil, err
	}
	all := make([]Change, len(changes))
	for i, c := range changes {
		all[i] = Change{What: c.what, Path: c.path}
		if c.needed() {
			all[i].Runs, all[i].Diff = c.runs, diff(c.path, c.before, c.after)
		}
		err = cmp.Or(err, c.left)
	}
	return all, err
}

// preview computes all changes in memory.
func (p *Plan) preview() ([]change, error) {
	now := map[string]*file{}
	changes := make([]change, len(p.steps))
	for i, st := range p.steps {
		f := now[st.path]
		if f == nil {
			var err error
			if f, err = p.read(st.spot); err != nil {
				return nil, p.refuse(st, err)
			}
			now[st.path] = f
		}
		after, err := p.apply(st, f)
		if err != nil {
			return nil, p.refuse(st, err)
		}
		c := change{step: st, before: f.text, after: after, there: f.there}
		if st.runs != nil {
			c.runs = st.runs(f.text)
		}
		if c.needed() && len(c.runs) == 0 && st.only {
			c.left = p.refuse(st,
				memory.Errorf(memory.CodeConflict, "%s keeps this file itself, and its command %s is not on the PATH", p.Host.Name,
					p.Host.own.name).
					WithHint("where it is, run: %s", st.snippet))
		}
		if c.needed() && len(c.runs) == 0 && f.there && f.mode&0o200 == 0 {
			return nil, p.refuse(st, memory.Errorf(memory.CodeConflict, "it is read-only"))
		}
		changes[i] = c
		after2 := *f
		after2.text, after2.there = after, f.there || len(after) > 0
		now[st.path] = &after2
	}
	return changes, nil
}

// apply returns the text of a file after a step.
func (p *Plan) apply(st step, f *file) ([]byte, error) {
	if p.out {
		if !f.there {
			return nil, nil
		}
		return st.unset(f.text, f.keep)
	}
	return st.set(f.text)
}

// read reads a file that the plan is about to change.
func (p *Plan) read(at spot) (*file, error) {
	if p.out {
		return readFile(at)
	}
	return readSaved(at)
}

// keep reports whether the copy of the file, from before its first change, has
// the object at a path. Without a copy it has not.
func (f *file) keep(path []string) bool {
	if !f.copied {
		return false
	}
	if len(path) == 0 {
		return true
	}
	if tree, err := decodeYAML(f.copy); err == nil && len(path) == 1 {
		if _, had := tree[path[0]]; had {
			return true
		}
	}
	t, err := parseJSON(f.copy, false)
	if err != nil {
		return false
	}
	v, err := t.find(path...)
	return err == nil && v != nil
}

// commandTime is how long a host's command may take.
const commandTime = time.Minute

// tries is how often a change is computed again because another program has
// changed the file.
const tries = 100

// anew calls do again as long as it returns [errChanged], up to [tries] times.
func anew(ctx context.Context, do func() error) (err error) {
	for range tries {
		if err = do(); !errors.Is(err, errChanged) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(1+rand.IntN(10)) * time.Millisecond):
		}
	}
	return err
}

// do makes one change and returns a line that says what was done. The host's
// commands run first, if there are any.
func (p *Plan) do(ctx context.Context, st step, c change) (line string, err error) {
	var ran []string
	for _, argv := range c.runs {
		if ran == nil {
			f, err := readFile(st.spot)
			if err == nil {
				err = p.copyFirst(st, f)
			}
			if err != nil {
				return "", err
			}
		}
		runContext, cancel := context.WithTimeout(ctx, commandTime)
		output, err := p.m.Run(runContext, argv)
		cancel()
		if err != nil && st.only {
			return "", memory.Errorf(memory.CodeUnavailable, "%s failed: %v: %s", strings.Join(argv[:min(3, len(argv))], " "), err,
				lastLine(output))
		}
		ran = append(ran, strings.Join(argv[:min(3, len(argv))], " "))
	}
	err = anew(ctx, func() (err error) {
		line, err = p.write(st, ran)
		return err
	})
	return line, err
}

// write makes one change in the file as it is now, after the commands in ran.
func (p *Plan) write(st step, ran []string) (string, error) {
	f, err := p.read(st.spot)
	if err != nil {
		return "", err
	}
	if len(ran) == 0 {
		if err := p.copyFirst(st, f); err != nil {
			return "", err
		}
	}
	after, err := p.apply(st, f)
	if err != nil {
		return "", err
	}
	if p.out && st.only {
		after = f.text // only the host's own command may change this file
		if left, err := st.unset(f.text, func([]string) bool { return true }); err == nil && !bytes.Equal(left, f.text) {
			return "", memory.Errorf(memory.CodeUnavailable, "%s did not remove the entry", p.Host.own.name)
		}
	}
	did := map[bool]string{false: "wrote", true: "removed"}[p.out]
	if bytes.Equal(after, f.text) && (f.there || len(after) == 0) {
		line := did + " the " + st.what + " in " + st.path
		if len(ran) > 0 {
			line += " (" + strings.Join(ran, ", ") + ")"
		}
		return line, nil
	}
	if st.only {
		return "", memory.Errorf(memory.CodeUnavailable, "%s did not write the entry", p.Host.own.name)
	}
	if len(after) == 0 && p.out && !f.copied {
		return did + " the " + st.what + ": " + st.path, f.remove(p.m)
	}
	return did + " the " + st.what + " in " + st.path, f.write(p.m, after)
}

// copyFirst copies a file before its first change: if there is no copy, or if
// there is an old copy and the file no longer has an entry of ours. A file that
// has only our entries was made by us and needs no copy.
func (p *Plan) copyFirst(first step, f *file) error {
	if p.out || !f.there || first.only {
		return nil
	}
	without := f.text
	for _, st := range p.steps {
		if st.path == first.path && without != nil {
			var err error
			if without, err = st.unset(without, func([]string) bool { return false }); err != nil {
				return err
			}
		}
	}
	ours := !bytes.Equal(without, f.text)
	if ours && (f.copied || first.empty(without)) || f.copied && bytes.Equal(f.copy, f.text) {
		return nil
	}
	return f.keepCopy()
}

// finish ends an uninstallation of a file: if the file differs from its copy
// only in white space, it is replaced by the copy and the copy is deleted. A
// file without a copy, which we made, is deleted if it is empty.
func (p *Plan) finish(st step) (string, error) {
	f, err := readFile(st.spot)
	if err != nil || st.only {
		return "", err
	}
	if !f.copied {
		if f.there && st.empty(f.text) {
			return "deleted " + st.path + ", which had nothing else in it", f.remove(p.m)
		}
		return "", nil
	}
	if !st.same(f.text, f.copy) && !(st.empty(f.text) && st.empty(f.copy)) {
		return "kept " + f.target() + BackupSuffix + ", as it was before the installation", nil
	}
	if !bytes.Equal(f.text, f.copy) {
		if err := f.write(p.m, f.copy); err != nil {
			return "", err
		}
	}
	return "", f.dropCopy()
}

// lastLine returns the last line of a command's output.
func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
