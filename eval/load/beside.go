package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/eval/metrics"
)

const (
	// erasedProject is what the erasure names.
	erasedProject = "erased"
	// erasedLength is of each of its texts, in bytes: a page of the database and more.
	erasedLength = 2700
	// between is the pause of a client between two saves.
	between = 5 * time.Millisecond
	// aloneSaves is how many saves are measured before the erasure begins.
	aloneSaves = 400
	// eraseTimeout is for the whole erasure, and for what is left in the files.
	eraseTimeout = 30 * time.Minute
)

// beside is how long saves take while a project is erased for good.
type beside struct {
	program child.Program
	alone   []time.Duration // before
	during  []time.Duration // the erasure, until its answer
	after   []time.Duration // while the files are being cleared, until nothing is pending
	erasure time.Duration
	cleared time.Duration // from the answer until nothing is pending
	files   [2]int64      // bytes of the database and what is beside it, before and in the end
}

// measureBeside has one process erase n long texts of a bank, while another one saves into a bank of its own.
func measureBeside(ctx context.Context, p child.Program, records, n int, out, progress io.Writer) error {
	b := beside{program: p}
	fmt.Fprintf(progress, "importing %d facts and %d texts\n", records-n, n)
	if _, err := (&figures{}).load(ctx, p, records-n); err != nil {
		return err
	}
	if err := loadErased(ctx, p, n); err != nil {
		return err
	}
	var err error
	if b.files[0], err = databaseSize(p.Data); err != nil {
		return err
	}
	fmt.Fprintln(progress, "erasing")
	if err := b.run(ctx, n); err != nil {
		return err
	}
	if b.files[1], err = databaseSize(p.Data); err != nil {
		return err
	}
	return b.print(out)
}

// loadErased imports the texts that are erased later.
func loadErased(ctx context.Context, p child.Program, n int) error {
	path := filepath.Join(p.Home, "erased.jsonl")
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	random := rand.New(rand.NewPCG(7, 7))
	lines := json.NewEncoder(w)
	for i := range n {
		text := fmt.Sprintf("Note %d of the archive:", i)
		for len(text) < erasedLength {
			text += fmt.Sprintf(" w%04dx", random.IntN(5000))
		}
		if err := lines.Encode(map[string]string{"content": text}); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = p.Run(ctx, "import", path, "--format", "facts", "--project", erasedProject)
	return err
}

func (b *beside) run(ctx context.Context, n int) (err error) {
	ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
	defer cancel()
	saver, err := child.Serve(b.program.Command(ctx, "serve", "--agent", "beside"))
	if err != nil {
		return err
	}
	defer saver.Stop()
	eraser, err := b.program.Start(ctx)
	if err != nil {
		return err
	}
	defer eraser.Stop()
	for _, s := range []*child.Server{saver, eraser} {
		if err := timed(ctx, s.Initialize); err != nil {
			return s.Explain(err)
		}
	}
	g := newGenerator(7)
	if b.alone, err = saveUntil(ctx, saver, g, aloneSaves, nil); err != nil {
		return err
	}
	begun := time.Now()
	erased := background(func() error {
		var answer struct{ Forgotten int }
		err := eraser.Use(ctx, "memory_forget", map[string]any{"project": erasedProject, "permanent": true, "confirm": true}, &answer)
		if err == nil && answer.Forgotten != n {
			err = fmt.Errorf("%d of %d are erased", answer.Forgotten, n)
		}
		b.erasure = time.Since(begun)
		return eraser.Explain(err)
	})
	if b.during, err = saveUntil(ctx, saver, g, 0, erased); err != nil {
		return err
	}
	begun = time.Now()
	clear := background(func() error { return b.program.Cleared(ctx) })
	if b.after, err = saveUntil(ctx, saver, g, 0, clear); err != nil {
		return err
	}
	b.cleared = time.Since(begun)
	return nil
}

// background runs fn, and sends how it has ended.
func background(fn func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- fn() }()
	return done
}

// saveUntil saves short facts one after the other, n of them or until something ends, and returns what each took.
func saveUntil(ctx context.Context, s *child.Server, g *generator, n int, done <-chan error) (took []time.Duration, err error) {
	for n == 0 || len(took) < n {
		begun := time.Now()
		var answer struct{ ID string }
		if err := s.Use(ctx, "memory_save", map[string]any{"content": g.fact()}, &answer); err != nil {
			return nil, s.Explain(err)
		}
		took = append(took, time.Since(begun))
		select {
		case err := <-done:
			return took, err
		case <-time.After(between):
		}
	}
	return took, nil
}

func (b *beside) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "saves of another process\tsaves\tp50\tp95\tp99\tlongest\tover 100 ms\t")
	for _, row := range []struct {
		what string
		took []time.Duration
	}{
		{"before", b.alone},
		{fmt.Sprintf("beside the erasure, %.1f s", b.erasure.Seconds()), b.during},
		{fmt.Sprintf("until the files are clear, %.1f s more", b.cleared.Seconds()), b.after},
	} {
		slow := 0
		for _, d := range row.took {
			if d > 100*time.Millisecond {
				slow++
			}
		}
		var cells []string
		for _, share := range []float64{50, 95, 99, 100} {
			cells = append(cells, fmt.Sprintf("%.1f ms", millis(metrics.Percentile(row.took, share))))
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t\n", row.what, len(row.took), strings.Join(cells, "\t"), slow)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "files: %.1f MB before, %.1f MB in the end\n", float64(b.files[0])/1e6, float64(b.files[1])/1e6)
	return err
}
