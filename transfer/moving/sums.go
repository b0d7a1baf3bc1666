package moving

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"mcp-memory/memory"
)

// sum is a checksum of rows, independent of their order.
type sum struct {
	rows int
	hash [4]uint64
}

// add adds a row.
func (s *sum) add(row memory.CarriedRow) {
	var b []byte
	for _, v := range row.Values {
		switch v := v.(type) {
		case nil:
			b = append(b, 'n')
		case int64:
			b = binary.LittleEndian.AppendUint64(append(b, 'i'), uint64(v))
		case float64:
			b = binary.LittleEndian.AppendUint64(append(b, 'f'), math.Float64bits(v))
		case string:
			b = append(binary.LittleEndian.AppendUint64(append(b, 's'), uint64(len(v))), v...)
		case []byte:
			b = append(binary.LittleEndian.AppendUint64(append(b, 'b'), uint64(len(v))), v...)
		default:
			b = fmt.Appendf(b, "?%v", v)
		}
	}
	h := sha256.Sum256(b)
	s.rows++
	for i := range s.hash {
		s.hash[i] += binary.LittleEndian.Uint64(h[8*i:])
	}
}

// bank holds the sums of an agent's rows.
type bank struct {
	sums []sum                      // by table, in the order of [memory.Mover.Carried]
	bad  map[string]map[string]bool // by table, ids of damaged documents
}

// rows returns the number of all rows.
func (b bank) rows() (n int) {
	for _, s := range b.sums {
		n += s.rows
	}
	return n
}

// text returns the checksum over all tables.
func (b bank) text() string {
	h := sha256.New()
	for _, s := range b.sums {
		binary.Write(h, binary.LittleEndian, int64(s.rows))
		binary.Write(h, binary.LittleEndian, s.hash)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// left reports whether a row is left out, because it is damaged or belongs to a damaged document.
func (b bank) left(t memory.CarriedTable, row memory.CarriedRow) bool {
	return row.Damaged != "" || b.bad[t.Name][row.ID] || t.Of != "" && b.bad[t.Of][row.ID]
}

// empty reports whether there are no rows but that of the table banks.
func (b bank) empty(tables []memory.CarriedTable) bool {
	for i, s := range b.sums {
		if s.rows > 0 && tables[i].Name != banks {
			return false
		}
	}
	return true
}

// banks is the table with a row for each bank. An agent that has never saved anything has none.
const banks = "banks"

// differs returns the first table whose sums differ and the numbers of rows, "" if there is none.
func (b bank) differs(other bank, tables []memory.CarriedTable) string {
	for i, t := range tables {
		if t.Name == banks && b.sums[i].rows == 0 {
			continue
		}
		if b.sums[i] != other.sums[i] {
			return fmt.Sprintf("%s: %d here, %d there", t.Name, b.sums[i].rows, other.sums[i].rows)
		}
	}
	return ""
}

// read computes the sums of an agent's rows. bad is called for each damaged row, seen for each row.
// Both may be nil.
func (c *copying) read(from memory.Departure, agent string, bad func(string), seen func(rows int)) (bank, error) {
	b := bank{sums: make([]sum, len(c.tables)), bad: map[string]map[string]bool{}}
	for _, parents := range []bool{true, false} { // parents first: their damaged rows decide which others are left out
		for i, t := range c.tables {
			if c.parents[t.Name] != parents {
				continue
			}
			err := from.EachRow(agent, t.Name, func(row memory.CarriedRow) error {
				if err := c.ctx.Err(); err != nil {
					return err
				}
				if row.Damaged != "" && bad != nil {
					bad(fmt.Sprintf("%s of %s: %s", named(t, row), agent, row.Damaged))
				}
				if row.Damaged != "" && c.parents[t.Name] {
					if b.bad[t.Name] == nil {
						b.bad[t.Name] = map[string]bool{}
					}
					b.bad[t.Name][row.ID] = true
				}
				if seen != nil {
					seen(1)
				}
				if !b.left(t, row) {
					b.sums[i].add(row)
				}
				return nil
			})
			if err != nil {
				return b, err
			}
		}
	}
	return b, nil
}

// named describes a row for a report.
func named(t memory.CarriedTable, row memory.CarriedRow) string {
	name := map[string]string{"records": "record", "turns": "message"}[t.Name]
	switch {
	case name != "" && row.ID != "":
		return name + " " + row.ID
	case row.ID != "":
		return "a row of " + t.Name + " (" + row.ID + ")"
	}
	return fmt.Sprintf("a row of %s (%v)", t.Name, row.Values[0])
}
