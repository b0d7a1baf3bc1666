package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"mcp-memory/eval/child"
)

// side is a program with its database, beside which there may be another.
type side struct {
	figures
	name    string
	program child.Program
	server  *child.Server
	failed  bool // one of its calls
}

// onServer is the same program on a database server, which has to be empty.
func onServer(ctx context.Context, p child.Program, url string) (*side, error) {
	p.Database, p.Data = url, filepath.Join(filepath.Dir(p.Data), "beside")
	if err := os.Mkdir(p.Data, 0o700); err != nil {
		return nil, err
	}
	s, err := statsOf(ctx, p)
	if err == nil && s.Records > 0 {
		err = fmt.Errorf("there are %d records in the database: name an empty one, or a schema of its own by ?search_path=NAME", s.Records)
	}
	return &side{name: "server", program: p}, err
}

// measureSize finds out how large the database is.
func (f *side) measureSize(ctx context.Context) (err error) {
	if f.program.Database == "" {
		f.DatabaseBytes, err = databaseSize(f.program.Data)
		return err
	}
	s, err := statsOf(ctx, f.program)
	f.DatabaseBytes = s.DatabaseBytes
	return err
}

// wanted is what a server has to reach: times of the file's figure, or a figure.
var wanted = map[string]struct {
	ratio, figure float64
	atLeast       bool
}{
	"import":                      {figure: 3000, atLeast: true},
	"start to initialize, median": {figure: 60},
	"memory_save, p50":            {figure: 4},
	"memory_recall, p50":          {ratio: 1.3},
}

// printBeside prints a file's figures, a server's, and how many times the file's those are.
func printBeside(w io.Writer, file, server figures) error {
	fmt.Fprintf(w, "%d facts imported, %d records in the file, %d on the server\n", file.Records, file.Imported, server.Imported)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tfile\tPostgreSQL\tratio\twanted\t")
	with := rows(server)
	for i, r := range rows(file) {
		if r.What == "binary" || r.What == "default tool list" {
			continue
		}
		other, ratio := with[i].Measured, 0.0
		if r.Measured > 0 {
			ratio = other / r.Measured
		}
		want, verdict := "", ""
		if limit, ok := wanted[r.What]; ok {
			reached, sign, unit := other, "≤", " "+r.Unit
			if limit.ratio > 0 {
				reached, unit = ratio, " times"
			}
			bound := limit.ratio + limit.figure // one of them is 0
			ok := reached <= bound
			if limit.atLeast {
				sign, ok = "≥", reached >= bound
			}
			want, verdict = fmt.Sprintf("%s %g%s", sign, bound, unit), "ok"
			if !ok {
				verdict = "not reached"
			}
		}
		fmt.Fprintf(t, "%s\t%s %s\t%s %s\t%.2f\t%s\t%s\n", r.What, rounded(r.Measured), r.Unit, rounded(other), r.Unit, ratio,
			want, verdict)
	}
	return t.Flush()
}
