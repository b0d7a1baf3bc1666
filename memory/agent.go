package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isAgentName reports whether a name has only characters that an agent's name may have. It uses no
// regular expression, as compiling one takes longer than checking all names.
func isAgentName(name string) bool {
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune("._@-", r)) {
			return false
		}
	}
	return name != ""
}

// isDeviceName reports whether Windows takes a name for a device, such as "con" or "com1.txt": it
// ignores what follows the first dot.
func isDeviceName(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	for _, port := range []string{"com", "lpt"} {
		if n, ok := strings.CutPrefix(name, port); ok && utf8.RuneCountInString(n) == 1 && strings.Contains("0123456789¹²³", n) {
			return true
		}
	}
	return false
}

const (
	maxAgent       = 128 // characters of an agent's name
	maxFolderBytes = 255 // of a file's name, on the common file systems
)

// CheckAgent returns [CodeInvalidArgument] for a name that cannot be an agent's. The name is also
// that of the agent's folder, so it has to be valid on every system to which a data directory may
// be moved.
func CheckAgent(name string) error {
	if !isAgentName(name) || utf8.RuneCountInString(name) > maxAgent || len(name) > maxFolderBytes {
		return Errorf(CodeInvalidArgument, "agent %q is not a name", name).
			WithHint("up to %d letters, digits and . _ @ -, the first a letter or digit, %d bytes in all", maxAgent, maxFolderBytes)
	}
	// Windows drops a dot at the end: the folder would be another agent's.
	if isDeviceName(name) || strings.HasSuffix(name, ".") {
		return Errorf(CodeInvalidArgument, "agent %q cannot name a folder on Windows", name).
			WithHint("no name of a device such as con, nul or com1, and no dot at the end")
	}
	return nil
}
