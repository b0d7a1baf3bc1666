package plainfile

import (
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// exchange exchanges the names of two files of one folder in one step. can reports whether the file
// system supports that.
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

// beingWritten reports whether somebody has a file open for writing: then the system refuses a read
// lease with EAGAIN (F_SETLEASE, see fcntl(2)). If it refuses for another reason, such as another
// owner of the file, the answer is false.
func beingWritten(root *os.Root, name string) bool {
	f, err := OpenIn(root, name)
	if err != nil {
		return false
	}
	defer f.Close() // ends the lease too
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return errors.Is(err, unix.EAGAIN)
}
