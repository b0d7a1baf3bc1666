// Command rpm lists what is in an RPM package, a line "MODE PATH" each, and its
// name, version, architecture and scripts. It reads the header only.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// Tags of the header, by the numbers of the RPM format.
const (
	tagName, tagVersion, tagRelease, tagArch                = 1000, 1001, 1002, 1022
	tagPreIn, tagPostIn, tagPreUn, tagPostUn                = 1023, 1024, 1025, 1026
	tagModes, tagDirIndexes, tagBaseNames, tagDirNames      = 1030, 1116, 1117, 1118
	leadSize, headerSize, entrySize                         = 96, 16, 16
	typeInt16, typeInt32, typeString, typeStrings, typeI18N = 3, 4, 6, 8, 9
)

// entry is where a tag's values are.
type entry struct{ Tag, Type, Offset, Count uint32 }

// header is the index of an RPM header and its values.
type header struct {
	entries map[uint32]entry
	store   []byte
}

func main() {
	if err := show(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "rpm:", err)
		os.Exit(1)
	}
}

func show(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(text) < leadSize || !bytes.HasPrefix(text, []byte{0xed, 0xab, 0xee, 0xdb}) {
		return errors.New("not an RPM package")
	}
	_, size, err := readHeader(text[leadSize:]) // signatures
	if err != nil {
		return err
	}
	h, _, err := readHeader(text[leadSize+(size+7)/8*8:])
	if err != nil {
		return err
	}
	for _, tag := range []uint32{tagName, tagVersion, tagRelease, tagArch} {
		fmt.Println("about", h.strings(tag)[0])
	}
	for name, tag := range map[string]uint32{"prein": tagPreIn, "postin": tagPostIn, "preun": tagPreUn, "postun": tagPostUn} {
		if len(h.strings(tag)) > 0 {
			fmt.Println("script", name)
		}
	}
	dirs, names := h.strings(tagDirNames), h.strings(tagBaseNames)
	modes, indexes := h.numbers(tagModes), h.numbers(tagDirIndexes)
	for i, name := range names {
		fmt.Printf("%o %s%s\n", modes[i], dirs[indexes[i]], name)
	}
	return nil
}

// readHeader reads a header structure and returns how long it is.
func readHeader(text []byte) (h header, size int, err error) {
	if len(text) < headerSize || !bytes.HasPrefix(text, []byte{0x8e, 0xad, 0xe8}) {
		return h, 0, errors.New("no header")
	}
	count, bytesOf := int(binary.BigEndian.Uint32(text[8:])), int(binary.BigEndian.Uint32(text[12:]))
	size = headerSize + entrySize*count + bytesOf
	if len(text) < size {
		return h, 0, errors.New("the header is cut off")
	}
	h = header{map[uint32]entry{}, text[headerSize+entrySize*count : size]}
	for i := range count {
		var e entry
		if _, err := binary.Decode(text[headerSize+entrySize*i:], binary.BigEndian, &e); err != nil {
			return h, 0, err
		}
		h.entries[e.Tag] = e
	}
	return h, size, nil
}

func (h header) strings(tag uint32) (values []string) {
	e, ok := h.entries[tag]
	if !ok || e.Type != typeString && e.Type != typeStrings && e.Type != typeI18N {
		return nil
	}
	rest := h.store[e.Offset:]
	for range e.Count {
		value, after, _ := bytes.Cut(rest, []byte{0})
		values, rest = append(values, string(value)), after
	}
	return values
}

func (h header) numbers(tag uint32) (values []int) {
	e := h.entries[tag]
	for i := range int(e.Count) {
		switch e.Type {
		case typeInt16:
			values = append(values, int(binary.BigEndian.Uint16(h.store[int(e.Offset)+2*i:])))
		case typeInt32:
			values = append(values, int(binary.BigEndian.Uint32(h.store[int(e.Offset)+4*i:])))
		}
	}
	return values
}
