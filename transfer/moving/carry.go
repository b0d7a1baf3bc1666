package moving

import (
	"mcp-memory/memory"
)

// carry copies the banks that are missing or incomplete on the other side.
func (c *copying) carry(from memory.Departure, steps []step) error {
	total := 0
	for _, s := range steps {
		if s.way != nothing {
			total += s.have.rows()
		}
	}
	c.at(Copying, total)
	for _, s := range steps {
		switch s.way {
		case nothing:
			c.report.Already++
			continue
		case resume:
			c.report.Resumed++
		case again:
			if s.mark.Done {
				c.report.Replaced++
			}
			s.mark = mark{}
			if err := c.To.Clear(c.ctx, s.agent, mark{From: c.place, Sum: s.have.text()}.json()); err != nil {
				return err
			}
		}
		c.report.Copied++
		if err := c.carryBank(from, s); err != nil {
			return err
		}
	}
	return nil
}

// carryBank copies the rows of a bank that the other side does not have yet.
func (c *copying) carryBank(from memory.Departure, s step) error {
	b := &batch{copying: c, agent: s.agent, mark: mark{From: c.place, Sum: s.have.text()}}
	passed := s.mark.Table == "" // whether the tables that were copied completely are behind us
	for i, t := range c.tables {
		skip := 0
		if !passed {
			if t.Name != s.mark.Table {
				c.seen(s.have.sums[i].rows)
				continue
			}
			passed, skip = true, s.mark.Rows
		}
		b.mark.Table, b.mark.Rows = t.Name, 0
		err := from.EachRow(s.agent, t.Name, func(row memory.CarriedRow) error {
			if s.have.left(t, row) {
				return nil
			}
			c.seen(1)
			if b.mark.Rows++; b.mark.Rows <= skip {
				return nil
			}
			return b.add(row)
		})
		if err != nil {
			return err
		}
		b.mark.Done = i == len(c.tables)-1
		if err := b.send(); err != nil {
			return err
		}
	}
	return nil
}

// batch are the rows of the next transaction.
type batch struct {
	*copying
	agent string
	mark  mark
	rows  []memory.CarriedRow
	bytes int
}

func (b *batch) add(row memory.CarriedRow) error {
	b.rows = append(b.rows, row)
	for _, v := range row.Values {
		switch v := v.(type) {
		case string:
			b.bytes += len(v)
		case []byte:
			b.bytes += len(v)
		}
	}
	if len(b.rows) < maxRows && b.bytes < maxBytes {
		return nil
	}
	return b.send()
}

// send writes the batch, if it has rows or completes the bank.
func (b *batch) send() error {
	if len(b.rows) == 0 && !b.mark.Done {
		return nil
	}
	if err := b.To.Receive(b.ctx, b.agent, b.mark.Table, b.rows, b.mark.json()); err != nil {
		return err
	}
	b.report.Written += len(b.rows)
	b.rows, b.bytes = nil, 0
	return nil
}
