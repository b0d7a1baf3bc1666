package moving

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"mcp-memory/memory"
)

// sum is of some rows, in any order.
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

// bank is what the rows of an agent come to, by table.
type bank struct {
	sums []sum                      // as [memory.Mover.Carried] lists the tables
	bad  map[string]map[string]bool // by table, the ids of documents that are left out
}

// rows counts all of them.
func (b bank) rows() (n int) {
	for _, s := range b.sums {
		n += s.rows
	}
	return n
}

// text is the sum of all tables.
func (b bank) text() string {
	h := sha256.New()
	for _, s := range b.sums {
		binary.Write(h, binary.LittleEndian, int64(s.rows))
		binary.Write(h, binary.LittleEndian, s.hash)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// left reports whether a row is left out, because it is damaged or belongs to a document that is.
func (b bank) left(t memory.CarriedTable, row memory.CarriedRow) bool {
	return row.Damaged != "" || b.bad[t.Name][row.ID] || t.Of != "" && b.bad[t.Of][row.ID]
}

// empty reports whether there is nothing of an agent but that it had a bank.
func (b bank) empty(tables []memory.CarriedTable) bool {
	for i, s := range b.sums {
		if s.rows > 0 && tables[i].Name != banks {
			return false
		}
	}
	return true
}

// banks is the table of what a bank says of itself: one row, or none of an agent that has
// never saved anything.
const banks = "banks"

// differs names the first table in which a bank on the other side is not the same, "" for none.
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

// read sums up what an agent has. bad is told of each row that is damaged; seen of all, now and then.
func (c *copying) read(from memory.Departure, agent string, bad func(string), seen func(rows int)) (bank, error) {
	b := bank{sums: make([]sum, len(c.tables)), bad: map[string]map[string]bool{}}
	for _, parents := range []bool{true, false} { // what belongs to a document is left out with it
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

// named says which row it is.
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
