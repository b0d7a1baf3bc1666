package bert

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/plainfile"
)

// roundedFile is the file of the weights at 8 bits, beside the model's own files.
const roundedFile = "model.8bit"

// stampName is the entry with the stamp of the files that the weights were made from. Another way
// of rounding needs another stampVersion.
const (
	stampName    = "made of"
	stampVersion = 2
)

// stamp returns a checksum over the files that a model's rounded weights are made from.
func stamp(m modelfile.Manifest) string {
	all := sha256.New()
	fmt.Fprintln(all, stampVersion)
	for _, f := range m.Files {
		if f.Name != modelfile.RulesFile {
			fmt.Fprintln(all, f.Name, f.SHA256)
		}
	}
	return hex.EncodeToString(all.Sum(nil))
}

// packed is a file of rounded weights as a [Source].
type packed struct{ *encoder.Pack }

var _ Source = packed{}

// Rows implements [Source].
func (p packed) Rows(name string, rows, columns int) (Rows, error) {
	return p.Pack.Table(name, rows, columns)
}

// Matrix implements [Source].
func (p packed) Matrix(name string, rows, columns int) (encoder.Matrix, error) {
	return p.Pack.Matrix(name, rows, columns)
}

// rounding is a [Source] that writes each tensor that a network asks for into a file of rounded
// weights.
type rounding struct {
	*Original
	out    *encoder.PackWriter
	halved bool // round the table of pieces to 4 bits
}

var _ Source = rounding{}

// Rows implements [Source], but returns no table.
func (w rounding) Rows(name string, rows, columns int) (Rows, error) {
	if !w.halved || name != firstTensor {
		_, err := w.Matrix(name, rows, columns)
		return nil, err
	}
	read, err := w.Original.rows(name, rows, columns)
	if err == nil {
		err = w.out.TableOf(name, rows, columns, read)
	}
	return nil, err
}

// Matrix implements [Source], but returns no matrix.
func (w rounding) Matrix(name string, rows, columns int) (encoder.Matrix, error) {
	read, err := w.Original.rows(name, rows, columns)
	if err == nil {
		err = w.out.MatrixOf(name, rows, columns, read)
	}
	return nil, err
}

// Floats implements [Source].
func (w rounding) Floats(name string, n int) ([]float32, error) {
	values, err := w.Original.Floats(name, n)
	if err == nil {
		w.out.Floats(name, values)
	}
	return values, err
}

// Round adds the weights of a model to out, rounded to 8 bits; if halved is true, the table of
// pieces to 4 bits.
func Round(o *Original, c Config, out *encoder.PackWriter, halved bool) error {
	_, err := Load(c, rounding{o, out, halved})
	return err
}

// rounded returns the content of the file of rounded weights for the model in a directory.
func rounded(dir string, c Config, stamp string) ([]byte, error) {
	o, err := OpenOriginal(dir)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	out := &encoder.PackWriter{}
	out.Bytes(stampName, []byte(stamp))
	if err := Round(o, c, out, false); err != nil {
		return nil, err
	}
	return out.File()
}

// openRounded opens the rounded weights of the model in a directory, and makes them if they are
// missing, damaged or made from other files. The closer is nil if they are in memory, because the
// directory is not writable.
func openRounded(dir string, c Config, stamp string) (*encoder.Pack, io.Closer, error) {
	path := filepath.Join(dir, roundedFile)
	if pack, file, err := readRounded(path, stamp); err == nil {
		return pack, file, nil
	}
	b, err := rounded(dir, c, stamp)
	if err != nil {
		return nil, nil, err
	}
	if modelfile.Replace(path, b) == nil {
		if pack, file, err := readRounded(path, stamp); err == nil {
			return pack, file, nil
		}
	}
	pack, err := encoder.OpenPack(b)
	return pack, nil, err
}

func readRounded(path, stamp string) (*encoder.Pack, io.Closer, error) {
	file, err := plainfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	pack, err := checked(file, stamp)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return pack, file, nil
}

func checked(file *os.File, stamp string) (*encoder.Pack, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	pack, err := encoder.ReadPack(file, info.Size())
	if err != nil {
		return nil, err
	}
	made, err := pack.Bytes(stampName)
	if err == nil && string(made) != stamp {
		err = fmt.Errorf("it was made of other files")
	}
	return pack, err
}
