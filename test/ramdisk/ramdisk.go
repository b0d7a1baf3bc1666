// Package ramdisk lets tests have their temporary files in memory where the
// system has room for that. Saving waits for the disk at every commit, which was half of the time of
// the suite on a quiet machine; whether the disk keeps what it acknowledges is nothing that a test
// sees, also not one that kills the program.
//
// What measures is not a test and stays on the disk, and so do the tests of db/sqlite, which are
// about files, and whoever sets TMPDIR.
package ramdisk
