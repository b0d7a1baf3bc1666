package embed

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// slow takes a time for each text.
type slow struct {
	Builtin
	took time.Duration
}

func (s *slow) EmbedDocuments(_ context.Context, texts []string) ([][]float32, error) {
	time.Sleep(time.Duration(len(texts)) * s.took)
	return make([][]float32, len(texts)), nil
}

func TestPacedTakesItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPaced(&slow{took: 10 * time.Millisecond})
		began := time.Now()
		for range 2 { // the rest goes on from call to call
			vectors, err := p.EmbedDocuments(t.Context(), make([]string, 25))
			if err != nil || len(vectors) != 25 {
				t.Fatalf("%d vectors, error %v", len(vectors), err)
			}
		}
		if took := time.Since(began); took != 745*time.Millisecond { // 0.5 s of work, and a rest of 5 ms after each but the last
			t.Errorf("50 texts of 10 ms took %s", took)
		}
	})
}

func TestPacedWaitsForQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPaced(&slow{})
		began := time.Now()
		go func() {
			for range 4 {
				if _, err := p.EmbedQuery(t.Context(), "a question"); err != nil {
					t.Error(err)
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		synctest.Wait()
		if _, err := p.EmbedDocuments(t.Context(), []string{"text"}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 45*time.Millisecond {
			t.Errorf("the text was taken up after %s, calls came for 30 ms", took)
		}
	})
}

// Calls that begin while a batch is under way are made room for, too.
func TestPacedWaitsBeforeEachText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPaced(&slow{took: 10 * time.Millisecond})
		began := time.Now()
		go func() {
			time.Sleep(100 * time.Millisecond)
			for range 100 {
				p.Called()
				time.Sleep(10 * time.Millisecond)
			}
		}()
		synctest.Wait()
		if _, err := p.EmbedDocuments(t.Context(), make([]string, 20)); err != nil {
			t.Fatal(err)
		}
		// Seven before the calls, and then one each 70 ms: each waited for its time, 60 ms.
		if took := time.Since(began); took < 900*time.Millisecond || took > 1100*time.Millisecond {
			t.Errorf("20 texts took %s", took)
		}
		time.Sleep(time.Second) // until nobody calls any more
	})
}

func TestPacedDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPaced(&slow{})
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				p.Called()
				time.Sleep(5 * time.Millisecond)
			}
		}()
		synctest.Wait()
		began := time.Now()
		if _, err := p.EmbedDocuments(ctx, []string{"text"}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != longestQuiet {
			t.Errorf("it waited for %s", took)
		}
		stop()
		time.Sleep(time.Second) // until nobody calls any more
		p.Called()
		if _, err := p.EmbedDocuments(ctx, []string{"text"}); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	})
}
