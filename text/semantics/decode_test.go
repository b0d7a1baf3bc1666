package semantics_test

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"testing"

	"mcp-memory/text/semantics"
)

// build makes a table file of dim values a row; row i has code 9+i%7 throughout.
func build(dim int, words ...string) []byte {
	le := binary.LittleEndian
	file := make([]byte, 28)
	for _, word := range words {
		file = append(append(file, byte(len(word))), word...)
	}
	copy(file, "SEMV")
	le.PutUint16(file[4:], 1)
	file[6] = 4
	le.PutUint32(file[8:], uint32(len(words)))
	le.PutUint16(file[12:], uint16(dim))
	le.PutUint32(file[16:], uint32(len(file)-28))
	le.PutUint32(file[20:], math.Float32bits(1))
	for range words {
		file = le.AppendUint32(file, math.Float32bits(0.5))
	}
	for i := range words {
		for range dim / 2 {
			file = append(file, byte(9+i%7)*17)
		}
	}
	return sign(file)
}

// sign writes the checksum of a file.
func sign(file []byte) []byte {
	binary.LittleEndian.PutUint32(file[24:], crc32.ChecksumIEEE(file[28:]))
	return file
}

func TestDecode(t *testing.T) {
	for _, dim := range []int{2, 6, 128} {
		table, err := semantics.Decode(build(dim, "one", "two", "x"))
		if err != nil {
			t.Fatal(err)
		}
		row, ok := table.Lookup("two")
		if !ok || row != 1 || table.Len() != 3 || table.Dim() != dim {
			t.Errorf("row %d, %t of %d rows of %d", row, ok, table.Len(), table.Dim())
		}
		if want := float32(math.Sqrt(float64(dim))); !near(table.Length(1), want, 1e-5) {
			t.Errorf("length %v, want %v", table.Length(1), want)
		}
		if got := table.Neighbours("two", []int32{0, 1, 2}, 3, 0.2); len(got) != 3 || !near(got[2].Similarity, 1, 1e-6) {
			t.Errorf("neighbours %v", got)
		}
	}
}

func TestDecodeOfNoRows(t *testing.T) {
	table, err := semantics.Decode(build(4))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := table.Lookup("one"); ok {
		t.Error("found a word in an empty table")
	}
	if got := table.TextVector([]string{"one"}, nil); len(got) != 4 {
		t.Errorf("vector of %d values", len(got))
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	const wordArea = 28
	change := func(at int, value byte) func([]byte) []byte {
		return func(file []byte) []byte { file[at] = value; return file }
	}
	signed := func(at int, value byte) func([]byte) []byte {
		return func(file []byte) []byte { file[at] = value; return sign(file) }
	}
	for name, c := range map[string]struct {
		damage func([]byte) []byte
		want   error
	}{
		"empty":            {func([]byte) []byte { return nil }, semantics.ErrSize},
		"only a header":    {func(file []byte) []byte { return file[:28] }, semantics.ErrSize},
		"cut off":          {func(file []byte) []byte { return file[:len(file)-1] }, semantics.ErrSize},
		"something behind": {func(file []byte) []byte { return append(file, 0) }, semantics.ErrSize},
		"magic":            {change(0, 'X'), semantics.ErrFormat},
		"version":          {change(4, 2), semantics.ErrFormat},
		"bits":             {change(6, 8), semantics.ErrFormat},
		"flags":            {change(7, 1), semantics.ErrFormat},
		"reserved":         {change(14, 1), semantics.ErrFormat},
		"odd dimension":    {change(12, 5), semantics.ErrFormat},
		"no dimension":     {change(12, 0), semantics.ErrFormat},
		"more rows":        {change(8, 3), semantics.ErrSize},
		"very many rows":   {change(10, 255), semantics.ErrSize},
		"negative rows":    {change(11, 255), semantics.ErrFormat},
		"checksum":         {change(24, 0), semantics.ErrChecksum},
		"a flipped code":   {func(file []byte) []byte { file[len(file)-1] ^= 1; return file }, semantics.ErrChecksum},
		"a flipped word":   {change(wordArea+1, 'p'), semantics.ErrChecksum},
		"word overruns":    {signed(wordArea+4, 200), semantics.ErrWords},
		"area not used up": {signed(wordArea+4, 2), semantics.ErrWords},
		"first takes all":  {signed(wordArea, 7), semantics.ErrWords},
		"empty word":       {signed(wordArea, 0), semantics.ErrWords},
		"not ASCII":        {signed(wordArea+1, 0xC3), semantics.ErrWords},
		"same word twice":  {func(file []byte) []byte { copy(file[wordArea+5:], "one"); return sign(file) }, semantics.ErrWords},
		"scale of zero":    {func(file []byte) []byte { clear(file[wordArea+8 : wordArea+12]); return sign(file) }, semantics.ErrValues},
		"scale not finite": {func(file []byte) []byte { copy(file[wordArea+8:], "\x00\x00\xc0\x7f"); return sign(file) },
			semantics.ErrValues},
		"negative scale":    {signed(wordArea+8+3, 0xBF), semantics.ErrValues},
		"low code of zero":  {signed(wordArea+16, 0x90), semantics.ErrValues},
		"high code of zero": {signed(wordArea+16, 0x09), semantics.ErrValues},
		"rare not a number": {func(file []byte) []byte { copy(file[20:], "\x00\x00\xc0\x7f"); return file }, semantics.ErrValues},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := semantics.Decode(c.damage(build(4, "one", "two")))
			if !errors.Is(err, c.want) || table != nil {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// Every single flipped bit of a small file is noticed, but those of "rare",
// which no checksum covers.
func TestDecodeNoticesEveryBit(t *testing.T) {
	for at := range build(4, "one", "two") {
		if 20 <= at && at < 24 {
			continue
		}
		for bit := range 8 {
			file := build(4, "one", "two")
			file[at] ^= 1 << bit
			if _, err := semantics.Decode(file); err == nil {
				t.Errorf("bit %d of byte %d may be flipped", bit, at)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(build(4, "one", "two"))
	f.Add(build(2))
	f.Add(build(130, "a", "b", "c", "longer"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= 28 {
			sign(file) // otherwise nothing gets past the checksum
		}
		table, err := semantics.Decode(file)
		if err != nil {
			return
		}
		table.TextVector([]string{"one", "two", "a"}, nil)
		row := make([]float32, table.Dim())
		rows := allRows(table)
		for _, id := range rows {
			table.Row(int(id), row)
			if c := table.Cosine(0, int(id)); !(-1.001 < c && c < 1.001) {
				t.Errorf("cosine %v", c)
			}
			if length := table.Length(int(id)); !(length >= 0) {
				t.Errorf("length %v", length)
			}
		}
		table.Neighbours("one", rows, 3, 0.2)
	})
}

func BenchmarkDecode(b *testing.B) {
	file, err := os.ReadFile("semantic-40k.sem")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := semantics.Decode(file); err != nil {
			b.Fatal(err)
		}
	}
}
