package pages

import (
	"encoding/binary"
	"errors"
	"io"
)

// Log sizes, in bytes.
const (
	logHeader   = 32
	frameHeader = 24
)

// ApplyLog writes to a database file what a write-ahead log has for it, up to the
// last commit that is whole, and returns how many pages that were. A log without any changes
// nothing. Errors are those of reading and writing.
func ApplyLog(db interface {
	io.WriterAt
	Truncate(size int64) error
}, log io.ReaderAt) (applied int, err error) {
	header := make([]byte, logHeader)
	if _, err := log.ReadAt(header, 0); err != nil {
		return 0, ignoreEnd(err)
	}
	magic := binary.BigEndian.Uint32(header)
	size := int64(binary.BigEndian.Uint32(header[8:]))
	if magic&^1 != 0x377f0682 || size < 512 || size > 1<<16 || size&(size-1) != 0 {
		return 0, nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if magic&1 == 1 {
		order = binary.BigEndian
	}
	sum := checksum{order: order}
	sum.add(header[:24])
	if !sum.is(header[24:]) {
		return 0, nil
	}
	type frame struct {
		page uint32
		at   int64
	}
	var pending []frame
	head, page := make([]byte, frameHeader), make([]byte, size)
	for at := int64(logHeader); ; at += frameHeader + size {
		if _, err := log.ReadAt(head, at); err != nil {
			return applied, ignoreEnd(err)
		}
		if _, err := log.ReadAt(page, at+frameHeader); err != nil {
			return applied, ignoreEnd(err)
		}
		sum.add(head[:8])
		sum.add(page)
		if string(head[8:16]) != string(header[16:24]) || !sum.is(head[16:]) {
			return applied, nil // of an earlier round, or cut off by a crash
		}
		if binary.BigEndian.Uint32(head) == 0 {
			return applied, nil
		}
		pending = append(pending, frame{binary.BigEndian.Uint32(head), at + frameHeader})
		pages := binary.BigEndian.Uint32(head[4:])
		if pages == 0 {
			continue
		}
		for _, one := range pending { // a commit
			if _, err := log.ReadAt(page, one.at); err != nil {
				return applied, err
			}
			if _, err := db.WriteAt(page, int64(one.page-1)*size); err != nil {
				return applied, err
			}
		}
		applied, pending = applied+len(pending), nil
		if err := db.Truncate(int64(pages) * size); err != nil {
			return applied, err
		}
	}
}

// ignoreEnd returns err unless it is the end of a file: a log may stop anywhere.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// checksum is that of the log, over all that came before.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (c *checksum) add(b []byte) {
	for i := 0; i+8 <= len(b); i += 8 {
		c.s0 += c.order.Uint32(b[i:]) + c.s1
		c.s1 += c.order.Uint32(b[i+4:]) + c.s0
	}
}

func (c *checksum) is(b []byte) bool {
	return c.s0 == binary.BigEndian.Uint32(b) && c.s1 == binary.BigEndian.Uint32(b[4:])
}
