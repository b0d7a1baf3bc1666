package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"mcp-memory/eval/child"
)

// refusals is how often a full disk is to be told.
const refusals = 5

// playFull: the disk is full, or where none can be mounted (and now and then) files may not grow any
// further. Every save says so, with a code; what was acknowledged is there, also after a kill; with
// room again saves go on.
func playFull(ctx context.Context, r *round) error {
	if runtime.GOOS == "windows" {
		return skipError("there is neither tmpfs nor ulimit")
	}
	p := r.at("data")
	if err := os.Mkdir(p.Data, 0o700); err != nil {
		return err
	}
	room := 64 + r.chance.IntN(512) // KiB
	start := func() (*child.Server, error) { return r.limited(ctx, p, room) }
	free := func() error { return nil }
	if r.chance.IntN(4) > 0 && r.mount(ctx, p.Data) == nil {
		defer exec.Command("umount", p.Data).Run() //nolint:errcheck // then the directory stays
		start = func() (*child.Server, error) { return p.Start(ctx) }
		free = func() error { return os.Remove(filepath.Join(p.Data, "ballast")) }
	}
	if err := os.CopyFS(p.Data, os.DirFS(r.bases["old"].dir)); err != nil {
		return err
	}
	all, err := r.fill(ctx, p, start, free, room)
	if err != nil {
		return err
	}
	for _, text := range all.refused {
		if !coded(text) {
			r.halving("a save on a full disk says %q", text)
		}
	}
	err = served(ctx, func() (*child.Server, error) { return p.Start(ctx) }, func(ctx context.Context, s *child.Server) error {
		again, err := saveUntil(ctx, s, "room", func(all saved) bool { return len(all.acknowledged)+len(all.refused) == 3 })
		if len(again.acknowledged) < 3 {
			r.halving("with room again: %q", again.refused)
		}
		all.add(again)
		return err
	})
	if err != nil {
		return err
	}
	acknowledged, underway := all.sets(r.bases["old"].contents)
	return r.check(ctx, p, acknowledged, underway)
}

// fill saves until the disk is full and makes room then; half of the servers are killed meanwhile.
func (r *round) fill(ctx context.Context, p child.Program, start func() (*child.Server, error), free func() error, room int) (all saved,
	err error) {
	if err := r.ballast(p.Data, room); err != nil {
		return all, err
	}
	kill := r.chance.IntN(2) == 0
	err = served(ctx, start, func(ctx context.Context, s *child.Server) error {
		if all, err = saveUntil(ctx, s, "full", func(all saved) bool { return len(all.refused) == refusals }); err != nil {
			return err
		}
		if kill {
			s.Kill()
			r.kills++
		}
		return nil
	})
	if err == nil && len(all.refused) < refusals {
		err = errors.New("the disk was never full: the server has ended")
	}
	return all, errors.Join(err, free())
}

// diskSize is that of the disk that is mounted.
const diskSize = 16 << 20

// mount puts a small disk at a directory, which needs root and Linux.
func (r *round) mount(ctx context.Context, dir string) error {
	return exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d,mode=0700", diskSize), "tmpfs", dir).Run()
}

// ballast fills a disk but for some KiB. On one that is not small it does nothing.
func (r *round) ballast(dir string, room int) error {
	var used int64
	err := filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() {
			used += (info.Size() + pageSize - 1) / pageSize * pageSize
		}
		return err
	})
	if err != nil || exec.Command("mountpoint", "-q", dir).Run() != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, diskSize-used-int64(room)<<10), 0o600)
}

// limited starts a server whose files may only grow to the size that the database has, and some KiB.
func (r *round) limited(ctx context.Context, p child.Program, room int) (*child.Server, error) {
	info, err := os.Stat(filepath.Join(p.Data, "memory.db"))
	if err != nil {
		return nil, err
	}
	cmd := p.Command(ctx, "serve")
	// In a POSIX shell the unit is 512 bytes.
	limit := fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, (info.Size()>>10+int64(room))*2)
	shell := exec.CommandContext(ctx, "sh", append([]string{"-c", limit, cmd.Path}, cmd.Args[1:]...)...)
	shell.Dir, shell.Env = cmd.Dir, cmd.Env
	return child.Serve(shell)
}
