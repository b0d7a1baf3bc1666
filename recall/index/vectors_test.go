package index

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

// sentences makes texts of words that the table knows, rare ones less often.
func sentences(n int) []string {
	words := strings.Fields(`anna moved doctor hospital visit garden music guitar concert ticket train station ferry harbour holiday
		sister brother birthday cake kitchen recipe database server deploy migration failure meeting project deadline budget invoice
		customer contract house rent apartment neighbour dog cat bird walk mountain river weather rain summer book author library
		painting museum school teacher exam language french football match team win coffee breakfast restaurant dinner wine`)
	random := rand.New(rand.NewPCG(8, 8))
	texts := make([]string, n)
	for i := range texts {
		var text []string
		for range 5 + random.IntN(9) {
			text = append(text, words[int(float64(len(words))*math.Pow(random.Float64(), 1.5))])
		}
		texts[i] = strings.Join(text, " ")
	}
	return texts
}

func textVector(text string) []float32 {
	return semantics.Builtin().TextVector(analysis.Stems(text), nil)
}

func TestNearestAreNearlyTheTrueOnes(t *testing.T) {
	const near, queries = 50, 40
	texts := sentences(20_000 + queries)
	var v vectors
	exact := make([][]float32, 20_000)
	for i := range exact {
		exact[i] = textVector(texts[i])
		v.add(exact[i])
	}
	found := 0
	for _, text := range texts[20_000:] {
		question := textVector(text)
		order := make([]scored, len(exact))
		for i, d := range exact {
			sum := float32(0)
			for k := range d {
				sum += d[k] * question[k]
			}
			order[i] = scored{uint32(i), sum}
		}
		slices.SortFunc(order, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		got := v.nearest(question, near, nil, new(scratch))
		if len(got) != near {
			t.Fatalf("%d found", len(got))
		}
		for _, n := range got {
			if exactness := order[near-1].score - float32(v.cosine(question, n)); exactness < 0.001 { // ties are as good
				found++
			}
		}
	}
	if share := float64(found) / (near * queries); share < 0.9 {
		t.Errorf("%.3f of the nearest %d were found", share, near)
	}
}

// TestClosest compares with sorting everything: of equals the first counts.
func TestClosest(t *testing.T) {
	random, texts := rand.New(rand.NewPCG(4, 4)), sentences(200)
	for round := range 60 {
		var v vectors
		for range 600 {
			v.add(textVector(strings.Repeat("river ", random.IntN(2)) + texts[random.IntN(len(texts))])) // many equals
		}
		sign, limit, allowed := v.signs[random.IntN(len(v.signs))], 1+random.IntN(700), bitset(nil)
		if round%2 == 1 {
			allowed = make(bitset, 10)
			for i := range allowed {
				allowed[i] = random.Uint64()
			}
		}
		var want []uint32
		for n := range uint32(len(v.signs)) {
			if v.norms[n] > 0 && allowed.has(n) {
				want = append(want, n)
			}
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(sign.distance(&v.signs[a]), sign.distance(&v.signs[b])) })
		want = want[:min(limit, len(want))]
		got := v.closest(sign, limit, allowed, new(scratch))
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("limit %d: found %v, want %v", limit, got, want)
		}
	}
}

func TestCosineIsNearlyExact(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, dimensions := range []int{1, 2, 3, 127, 128, 384, 1000} {
		var v vectors
		unit := func() []float32 {
			x, length := make([]float32, dimensions), 0.0
			for i := range x {
				x[i] = float32(random.NormFloat64())
				length += float64(x[i]) * float64(x[i])
			}
			for i := range x {
				x[i] /= float32(math.Sqrt(length))
			}
			return x
		}
		for n := range 600 { // over several blocks
			vector, question, want := unit(), unit(), 0.0
			v.add(vector)
			for i := range vector {
				want += float64(vector[i]) * float64(question[i])
			}
			if got := v.cosine(question, uint32(n)); math.Abs(got-want) > 0.02 {
				t.Fatalf("%d dimensions: %v, want %v", dimensions, got, want)
			}
		}
	}
}

func TestVectorsThatComeLateOrNotAtAll(t *testing.T) {
	var v vectors
	for range 3*block + 7 {
		v.add(nil)
	}
	v.set(block+1, []float32{0.6, 0.8})
	v.set(3, []float32{1, 0, 0}) // of another model
	v.add([]float32{1, 0})
	v.add([]float32{0, 0})
	got := v.nearest([]float32{1, 0}, 10, nil, new(scratch))
	slices.Sort(got)
	if !slices.Equal(got, []uint32{block + 1, 3*block + 7}) {
		t.Errorf("found %v", got)
	}
	if c := v.cosine([]float32{1, 0}, block+1); math.Abs(c-0.6) > 0.01 {
		t.Errorf("cosine %v", c)
	}
}

func TestHadamard(t *testing.T) {
	for size := 1; size <= 256; size *= 2 {
		random := rand.New(rand.NewPCG(1, uint64(size)))
		v := make([]float32, size)
		want := make([]float64, size)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		for i := range want {
			for j, x := range v {
				sign := 1.0
				for bit := i & j; bit > 0; bit &= bit - 1 {
					sign = -sign
				}
				want[i] += sign * float64(x)
			}
		}
		hadamard(v)
		for i := range want {
			if math.Abs(float64(v[i])-want[i]) > 1e-3 {
				t.Fatalf("size %d: value %d is %v, want %v", size, i, v[i], want[i])
			}
		}
	}
}

// TestSignsTellAngles: the share of differing bits is the angle, about.
func TestSignsTellAngles(t *testing.T) {
	r := newRotation(128)
	random := rand.New(rand.NewPCG(5, 5))
	for _, degrees := range []float64{0, 20, 45, 90, 135, 180} {
		sum := 0
		for range 50 {
			a, other := make([]float64, 128), make([]float64, 128)
			dot, la, lo := 0.0, 0.0, 0.0
			for i := range a {
				a[i], other[i] = random.NormFloat64(), random.NormFloat64()
				dot, la = dot+a[i]*other[i], la+a[i]*a[i]
			}
			for i := range other {
				other[i] -= dot / la * a[i]
				lo += other[i] * other[i]
			}
			x, y := make([]float32, 128), make([]float32, 128)
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			for i := range x {
				x[i] = float32(a[i] / math.Sqrt(la))
				y[i] = float32(cos*a[i]/math.Sqrt(la) + sin*other[i]/math.Sqrt(lo))
			}
			s, u := r.sign(x), r.sign(y)
			for k := range s {
				for bits := s[k] ^ u[k]; bits > 0; bits &= bits - 1 {
					sum++
				}
			}
		}
		if got, want := float64(sum)/50, 256*degrees/180; math.Abs(got-want) > 8 {
			t.Errorf("%v degrees: %v bits differ, want %v", degrees, got, want)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		x, y     string
		distance int
	}{
		{"", "", 0}, {"a", "", 1}, {"abcd", "abcd", 0}, {"abcd", "abdc", 1}, {"abcd", "bacd", 1}, {"abcd", "abc", 1}, {"abcd", "xabcd", 1},
		{"abcd", "badc", 2}, {"kitten", "sitting", 3}, {"größe", "grösse", 2}, {"東京都", "東京", 1}, {"ca", "abc", 3},
	} {
		for limit := range 4 {
			for _, swapped := range []bool{false, true} {
				x, y := []rune(c.x), []rune(c.y)
				if swapped {
					x, y = y, x
				}
				if got := within(x, y, limit); got != (c.distance <= limit) {
					t.Errorf("within %d of %q and %q: %t", limit, c.x, c.y, got)
				}
			}
		}
	}
}

func TestTopKeepsTheBest(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for limit := range 20 {
		all, best := []scored{}, topK{limit: limit}
		for n := range 200 {
			x := scored{uint32(n), float32(random.IntN(30))} // many equals
			all = append(all, x)
			best.add(x)
		}
		slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n)) })
		slices.SortFunc(best.list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n)) })
		if !slices.Equal(best.list, all[:limit]) {
			t.Errorf("limit %d: %v", limit, best.list)
		}
	}
}

// TestScratchIsLeftClean: what one search leaves behind must not reach the next.
func TestScratchIsLeftClean(t *testing.T) {
	ix := New(semantics.Builtin(), nil)
	for i, text := range sentences(500) {
		if i%15 == 0 {
			text = "zorblax quxim"
		}
		ix.Add([]Document{{Seq: int64(i + 1), Text: text, Vector: textVector(text), Session: fmt.Sprint(i / 9),
			Category: fmt.Sprint(i % 2)}})
	}
	for i, question := range []string{"doctor", "anna moved doctor hospital visit garden", "ferry", "zorblax", "zorblax quxim blorptang"} {
		s := newScratch(ix)
		m := ix.prepare(Query{Stems: analysis.Content(question), Categories: []string{"1"}})
		if i < 3 {
			m.accumulate(s)
		} else if r := m.bounded(s, 5, 1, nil); r == nil {
			t.Fatal("no bar")
		} else {
			r.scoreWithSession(7)
			r.close()
		}
		for _, n := range m.best(s, 20, nil) {
			m.hit(s, n)
		}
		s.release()
		used := func() (found bool) {
			for n := range s.marks {
				found = found || s.lexical[n] != 0 || s.soft[n] != 0 || s.base[n] != 0 || s.marks[n] != 0 || s.sums[n] != 0
			}
			for _, session := range s.sessions {
				found = found || session != sessionScore{}
			}
			for n := range s.places {
				found = found || s.places[n] != 0 || n < len(s.roles) && s.roles[n] != 0
			}
			return found
		}
		if used() {
			t.Errorf("%q left something", question)
		}
	}
}

func BenchmarkSign(b *testing.B) {
	r, v := newRotation(128), textVector("anna moved to the house by the river")
	for b.Loop() {
		r.sign(v)
	}
}
