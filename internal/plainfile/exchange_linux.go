package plainfile

import (
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// exchange gives two files of one folder each other's name in one step, and reports
// whether the file system can.
func exchange(root *os.Root, a, b string) (can bool, err error) {
	folder, err := root.Open(path.Dir(a))
	if err != nil {
		return false, fmt.Errorf("open folder of %s: %w", a, err)
	}
	defer folder.Close()
	fd := int(folder.Fd())
	err = unix.Renameat2(fd, path.Base(a), fd, path.Base(b), unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) {
		return false, nil
	}
	return true, err
}

// beingWritten reports whether somebody has a file open for writing. The system tells it by giving no
// lease for reading, fcntl(2); where it gives none for another reason, such as a file of somebody else,
// nothing is known of anybody.
func beingWritten(root *os.Root, name string) bool {
	f, err := OpenIn(root, name)
	if err != nil {
		return false
	}
	defer f.Close() // and the lease ends
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return errors.Is(err, unix.EAGAIN)
}
