package memorytool

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// maxLines is how many lines a file may have to be viewed, because line numbers have six digits.
const maxLines = 999_999

// on runs a command on a path. If the file or folder is missing, or exists already, it returns the
// command's own message for that, missing or exists, unless that is "".
func on(given string, missing, exists string, do func(name string) error) error {
	name, err := nameOf(given)
	if err != nil {
		return err
	}
	err = do(name)
	switch memory.CodeOf(err) {
	case memory.CodeNotFound:
		if missing != "" {
			return wrongf(missing, memory.Shorten(given, maxShown))
		}
	case memory.CodeConflict:
		if exists != "" {
			return wrongf(exists, memory.Shorten(given, maxShown))
		}
	}
	return err
}

const (
	notThere         = "The path %s does not exist. Please provide a valid path."
	notThereBrief    = "Error: The path %s does not exist"
	cannotDeleteRoot = "Error: Cannot %s the " + Root + " directory itself"
)

func view(ctx context.Context, m workspace.Memories, in input) (text string, err error) {
	err = on(*in.Path, notThere, "", func(name string) error {
		content, list, folder, err := m.Look(ctx, name)
		switch {
		case err != nil:
		case folder:
			text = listing(*in.Path, list)
		default:
			text, err = numbered(*in.Path, content, in.ViewRange)
		}
		return err
	})
	return text, err
}

// listing renders the entries of a folder, two levels deep, with their sizes.
func listing(given string, list []workspace.Entry) string {
	given = strings.TrimRight(given, "/")
	var all int64
	var lines []string
	for _, e := range list {
		depth := strings.Count(e.Name, "/")
		if !e.Folder {
			all += e.Size
		}
		if depth > 1 {
			continue
		}
		name := given + "/" + e.Name
		if e.Folder {
			name += "/"
		}
		lines = append(lines, sizeOf(e.Size)+"\t"+name)
	}
	header := fmt.Sprintf("Here're the files and directories up to 2 levels deep in %s, excluding hidden items and node_modules:", given)
	return strings.Join(append([]string{header, sizeOf(all) + "\t" + given}, lines...), "\n")
}

// sizeOf formats a size for people, such as "1.5K".
func sizeOf(bytes int64) string {
	size, unit := float64(bytes), 0
	for ; size >= 1024 && unit < 3; unit++ {
		size /= 1024
	}
	if unit == 0 {
		return fmt.Sprintf("%dB", bytes)
	}
	return fmt.Sprintf("%.1f%c", size, "BKMG"[unit])
}

// numbered renders a file with line numbers. span is the view_range, first and last line, both
// included; -1 is the end of the file.
func numbered(given, content string, span []int) (string, error) {
	lines := linesOf(content)
	if len(lines) > maxLines {
		return "", wrongf("File %s exceeds maximum line limit of 999,999 lines.", given)
	}
	from, to := 1, len(lines)
	if len(span) > 0 {
		if len(span) != 2 || span[0] < 1 || span[1] != -1 && span[1] < span[0] || span[0] > max(1, len(lines)) {
			return "",
				wrongf("Error: Invalid `view_range` parameter: %v. It should be two numbers within the range of lines of the file: [1, %d], the second may be -1 for the end", span, len(lines))
		}
		if from = span[0]; span[1] != -1 {
			to = min(to, span[1])
		}
	}
	return fmt.Sprintf("Here's the content of %s with line numbers:\n", given) + withNumbers(lines, from, to), nil
}

// linesOf returns the lines of a file without their ends. A final newline begins no further line.
// An empty file has one line, as in an editor.
func linesOf(content string) []string {
	return strings.Split(strings.ReplaceAll(strings.TrimSuffix(content, "\n"), "\r\n", "\n"), "\n")
}

// withNumbers renders lines from to to, counted from 1, both included.
func withNumbers(lines []string, from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		if i > from {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%6d\t%s", i, strings.TrimSuffix(lines[i-1], "\r"))
	}
	return b.String()
}

func create(ctx context.Context, m workspace.Memories, in input) (string, error) {
	if strings.HasSuffix(*in.Path, "/") {
		return "", wrongf("Error: %s is the path of a folder, and a file is created with the folders above it",
			memory.Shorten(*in.Path, maxShown))
	}
	err := on(*in.Path, "", "Error: File %s already exists", func(name string) error {
		if name == "" {
			return wrongf("Error: File %s already exists", memory.Shorten(*in.Path, maxShown))
		}
		return m.Create(ctx, name, *in.FileText)
	})
	return "File created successfully at: " + *in.Path, err
}

func replace(ctx context.Context, m workspace.Memories, in input) (text string, err error) {
	before, after := *in.OldStr, *in.NewStr
	err = on(*in.Path, "Error: "+notThere, "", func(name string) error {
		if name == "" {
			return memory.Errorf(memory.CodeNotFound, "it is a folder")
		}
		return m.Edit(ctx, "str_replace", name, func(old string) (string, error) {
			places := placesOf(old, before)
			if len(places) == 0 {
				return "", wrongf("No replacement was performed, old_str `%s` did not appear verbatim in %s.",
					memory.Shorten(before, maxShown), *in.Path)
			}
			if len(places) > 1 {
				numbers := make([]string, len(places))
				for i, at := range places {
					numbers[i] = strconv.Itoa(1 + strings.Count(old[:at], "\n"))
				}
				return "",
					wrongf("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. Please ensure it is unique",
						memory.Shorten(before, maxShown), strings.Join(slices.Compact(numbers), ", "))
			}
			content := old[:places[0]] + after + old[places[0]+len(before):]
			lines, line := linesOf(content), 1+strings.Count(old[:places[0]], "\n")
			text = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
				withNumbers(lines, max(1, line-2), min(len(lines), line+strings.Count(after, "\n")+2))
			return content, nil
		})
	})
	return text, err
}

// placesOf returns up to 100 byte offsets at which content has part. Matches may overlap.
func placesOf(content, part string) (places []int) {
	for from := 0; part != "" && len(places) < 100; {
		i := strings.Index(content[from:], part)
		if i < 0 {
			break
		}
		places = append(places, from+i)
		from += i + 1
	}
	return places
}

func insert(ctx context.Context, m workspace.Memories, in input) (string, error) {
	err := on(*in.Path, notThereBrief, "", func(name string) error {
		if name == "" {
			return memory.Errorf(memory.CodeNotFound, "it is a folder")
		}
		return m.Edit(ctx, "insert", name, func(old string) (string, error) {
			end := "\n"
			if strings.Contains(old, "\r\n") {
				end = "\r\n"
			}
			lines := slices.Collect(strings.Lines(old))
			if *in.InsertLine < 0 || *in.InsertLine > len(lines) {
				return "", wrongf("Error: Invalid `insert_line` parameter: %d. It should be within the range of lines of the file: [0, %d]",
					*in.InsertLine, len(lines))
			}
			text := strings.TrimSuffix(*in.InsertText, "\n")
			if last := len(lines) - 1; *in.InsertLine == len(lines) && last >= 0 && !strings.HasSuffix(lines[last], "\n") {
				lines[last] += end // the file still has no newline at its end
			} else {
				text += end
			}
			return strings.Join(slices.Insert(lines, *in.InsertLine, text), ""), nil
		})
	})
	return fmt.Sprintf("The file %s has been edited.", *in.Path), err
}

func remove(ctx context.Context, m workspace.Memories, in input) (string, error) {
	err := on(*in.Path, notThereBrief, "", func(name string) error {
		if name == "" {
			return wrongf(cannotDeleteRoot, "delete")
		}
		return m.Delete(ctx, name)
	})
	return "Successfully deleted " + *in.Path, err
}

func rename(ctx context.Context, m workspace.Memories, in input) (string, error) {
	to, err := nameOf(*in.NewPath)
	if err != nil {
		return "", err
	}
	err = on(*in.OldPath, notThereBrief, "", func(name string) error {
		if name == "" {
			return wrongf(cannotDeleteRoot, "rename")
		}
		err := m.Rename(ctx, name, to)
		if memory.CodeOf(err) == memory.CodeConflict {
			return wrongf("Error: The destination %s already exists", memory.Shorten(*in.NewPath, maxShown))
		}
		return err
	})
	return fmt.Sprintf("Successfully renamed %s to %s", *in.OldPath, *in.NewPath), err
}
