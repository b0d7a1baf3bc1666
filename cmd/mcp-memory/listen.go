package main

import (
	"errors"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
)

// listenFlags are the flags of serve that say where it can be reached. The zero value is stdin and
// stdout only.
type listenFlags struct {
	http, unix string
	cert, key  string
	sse, stdio bool
	page       bool // serve the page for people too
	noAuth     bool // accept requests from the network without a token
}

func (f *listenFlags) flags(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.http, "http", "",
		"serve HTTP at this address, such as 127.0.0.1:8765; with port 0 the address chosen is printed on stderr")
	set.StringVar(&f.unix, "unix", "", "serve HTTP on a Unix socket at this path")
	set.BoolVar(&f.sse, "sse", false, "offer the HTTP+SSE transport of 2024-11-05 too, at /sse and /message")
	set.BoolVar(&f.page, "web", false, "serve the page for people too, at /ui; whoever has a token signs in with it")
	set.BoolVar(&f.stdio, "stdio", false, "also serve stdin and stdout; the end of stdin ends both")
	set.StringVar(&f.cert, "tls-cert", "", "serve HTTPS with the certificate in this PEM file")
	set.StringVar(&f.key, "tls-key", "", "private key of the certificate")
	set.BoolVar(&f.noAuth, "insecure-no-auth", false,
		"without any token, let everybody who reaches the address read and change this memory")
}

func (f *listenFlags) overHTTP() bool { return f.http != "" || f.unix != "" }

// check refuses combinations of flags that make no sense.
func (f *listenFlags) check() error {
	switch {
	case (f.cert == "") != (f.key == ""):
		return usageError{errors.New("--tls-cert and --tls-key need each other")}
	case !f.overHTTP() && (f.sse || f.page || f.cert != "" || f.noAuth):
		return usageError{errors.New("--sse, --web, --tls-cert and --insecure-no-auth need --http ADDRESS or --unix PATH")}
	}
	return nil
}

func (f *listenFlags) url(l net.Listener) string {
	switch {
	case l.Addr().Network() == "unix":
		return "unix:" + l.Addr().String() + " (/mcp)"
	case f.cert != "":
		return "https://" + l.Addr().String() + "/mcp"
	}
	return "http://" + l.Addr().String() + "/mcp"
}

func (f *listenFlags) listen() (listeners []net.Listener, err error) {
	if f.http != "" {
		l, err := net.Listen("tcp", f.http)
		if err != nil {
			return nil, cannotListen("--http", f.http, err)
		}
		listeners = append(listeners, l)
	}
	if f.unix != "" {
		l, err := listenUnix(f.unix)
		if err != nil {
			return listeners, cannotListen("--unix", f.unix, err)
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}

func cannotListen(flag, where string, err error) error {
	return memory.Errorf(memory.CodeUnavailable, "%s %s: %v", flag, where, err).WithHint("choose an address that is free")
}

// listenUnix listens on a Unix socket. It replaces a socket file that a dead server has left.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			conn.Close()
			return nil, errors.New("another server is there")
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
