package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/access"
	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/memory"
)

// fleet are servers on one database and the banks in it.
type fleet struct {
	plan     plan
	dir      string
	database string // URL, with the schema; "" is the file of the only server
	tokens   []string
	services []*service
	away     atomic.Bool // the server was killed and is not yet back
}

// at is where a bank's requests go: a proxy that hashes the token would do the same.
func (f *fleet) at(bank int) string { return f.services[bank%len(f.services)].address }

// ownSchema has everything in a schema that drop removes.
func (f *fleet) ownSchema(ctx context.Context) (drop func(), err error) {
	u, err := url.Parse(f.plan.database)
	if err != nil {
		return nil, errors.New("the database's URL cannot be read")
	}
	name := fmt.Sprint("fleet", time.Now().UnixNano())
	query := u.Query()
	query.Set("search_path", name)
	u.RawQuery = query.Encode()
	f.database = u.String()
	return func() {
		ctx := context.WithoutCancel(ctx)
		conn, err := pgx.Connect(ctx, f.plan.database)
		if err == nil {
			_, err = conn.Exec(ctx, `DROP SCHEMA IF EXISTS `+name+` CASCADE`)
			_ = conn.Close(ctx)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "fleet: drop the schema", name+":", err)
		}
	}, nil
}

// fill gives every bank its facts and a token.
func (f *fleet) fill(ctx context.Context) error {
	at := f.database
	if at == "" {
		data := filepath.Join(f.dir, "data0")
		if err := os.MkdirAll(data, 0o700); err != nil {
			return err
		}
		at = filepath.Join(data, "memory.db")
	}
	embedder := embed.NewBuiltin()
	store, err := db.Open(ctx, at, db.Options{Embedder: embedder.Fingerprint(), Clock: time.Now, Bulk: true})
	if err != nil {
		return err
	}
	defer store.Close()
	ids := memory.NewIDs(time.Now)
	tokens := access.New(store, nil, time.Now, ids)
	for bank := range f.plan.banks {
		agent := fmt.Sprint("fleet", bank)
		for from := 0; from < f.plan.records; from += portion {
			if err := f.save(ctx, store, embedder, ids, agent, from, min(from+portion, f.plan.records)); err != nil {
				return err
			}
		}
		_, secret, err := tokens.Create(ctx, access.Request{Agent: agent})
		if err != nil {
			return err
		}
		f.tokens = append(f.tokens, secret)
	}
	return nil
}

// portion is how many facts one transaction stores.
const portion = 500

func (f *fleet) save(ctx context.Context, store memory.Store, embedder memory.Embedder, ids *memory.IDs, agent string, from, to int) error {
	contents := make([]string, 0, to-from)
	for n := from; n < to; n++ {
		contents = append(contents, fact(n))
	}
	vectors, err := embedder.EmbedDocuments(ctx, contents)
	if err != nil {
		return err
	}
	return store.Write(ctx, agent, func(tx memory.Tx) error {
		for i, content := range contents {
			err := tx.InsertRecord(memory.Record{
				ID: ids.New(), Agent: agent, Kind: memory.KindFact, Category: memory.CategoryOther, Content: content,
				Importance: memory.DefaultImportance, Source: memory.SourceUser, Confirmations: 1, CreatedAt: time.Now(),
			}, vectors[i])
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// resident is the memory of the largest server in MB.
func (f *fleet) resident() (most float64) {
	for _, s := range f.services {
		most = max(most, s.resident())
	}
	return most
}

func (f *fleet) kill() {
	for _, s := range f.services {
		s.kill()
	}
	f.services = nil
}

// end ends the servers the way a supervisor does.
func (f *fleet) end() error {
	var errs []error
	for _, s := range f.services {
		errs = append(errs, s.end())
	}
	f.services = nil
	return errors.Join(errs...)
}
