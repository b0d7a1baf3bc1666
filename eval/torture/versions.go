package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"mcp-memory/db/sqlite"
	"mcp-memory/eval/child"
	"mcp-memory/internal/testbank"
)

// playVersions: two servers save while a newer program brings the database to its schema. From then on they save nothing
// and say why, and so does a new one; what they had acknowledged before is there. With an older program the servers are of it, and
// the newer program is the one under test, whose first start is killed.
func playVersions(ctx context.Context, r *round) error {
	p := r.at("data")
	servers := p
	upgrade := func() error { return setVersion(ctx, p, sqlite.SchemaVersion()+1) }
	if r.suite.older != "" {
		if err := r.makeOlder(ctx, p, 0); err != nil {
			return err
		}
		servers.Binary = r.suite.older
		upgrade = func() error {
			if _, err := r.killedIn(ctx, p, filepath.Join(p.Data, "memory.db.before-schema-*"), "stats"); err != nil {
				return err
			}
			_, err := p.Run(ctx, "stats")
			return err
		}
	} else if _, err := r.copyOf("data", r.bases["old"]); err != nil {
		return err
	}
	all, err := r.upgraded(ctx, servers, upgrade)
	if err != nil {
		return err
	}
	for _, text := range all.refused {
		if !coded(text) || !strings.Contains(text, "newer") {
			r.halving("a save into a newer schema says %q", text)
		}
	}
	if _, err := servers.Run(ctx, "save", "The harbour is closed."); err == nil ||
		!strings.Contains(err.Error(), "newer than this program") {
		r.halving("a start with a newer schema: %v", err)
	}
	if r.suite.older == "" {
		if err := setVersion(ctx, p, sqlite.SchemaVersion()); err != nil {
			return err
		}
	}
	acknowledged, underway := all.sets(r.bases["old"].contents)
	return r.check(ctx, p, acknowledged, underway)
}

// upgraded lets two servers save, of which one is killed at some moment, and changes the schema meanwhile.
func (r *round) upgraded(ctx context.Context, p child.Program, upgrade func() error) (all saved, err error) {
	answers := 1 + r.chance.IntN(20)
	dies, after := 1+r.chance.IntN(answers), r.moment(firstGuess/100)
	ready := make(chan struct{})
	var once sync.Once
	var newer atomic.Bool
	late := 0
	var wg sync.WaitGroup
	var survivor, victim saved
	var first, second error
	wg.Go(func() {
		defer once.Do(func() { close(ready) })
		first = served(ctx, func() (*child.Server, error) { return p.Start(ctx) }, func(ctx context.Context, s *child.Server) (err error) {
			was, had := false, 0
			survivor, err = saveUntil(ctx, s, "survivor", func(all saved) bool {
				if was && len(all.acknowledged) > had {
					late++
				}
				was, had = newer.Load(), len(all.acknowledged)
				if had == answers {
					once.Do(func() { close(ready) })
				}
				return len(all.refused) == refusals || late > 0
			})
			return err
		})
	})
	wg.Go(func() { victim, second = r.saveAndDie(ctx, p, "victim", dies, after) })
	<-ready
	third := upgrade()
	newer.Store(true)
	wg.Wait()
	if len(victim.refused) < refusals {
		r.kills++
	}
	if late > 0 {
		r.halving("an older program has saved into a newer schema")
	}
	if len(survivor.refused) < refusals && late == 0 {
		third = errors.Join(third, fmt.Errorf("the server has ended after %d refusals", len(survivor.refused)))
	}
	survivor.add(victim)
	return survivor, errors.Join(first, second, third)
}

// setVersion changes the version of a schema as the migration of a newer program does.
func setVersion(ctx context.Context, p child.Program, version int) error {
	db, err := testbank.OpenFile(filepath.Join(p.Data, "memory.db"))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("BEGIN IMMEDIATE; PRAGMA user_version = %d; COMMIT", version))
	return errors.Join(err, db.Close())
}
