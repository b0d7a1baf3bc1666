package server

import (
	"io"
	"net"
	"net/http"
	"testing"
)

// Connections on which nothing was asked are closed, and no others.
func TestStrangers(t *testing.T) {
	var s strangers
	dial := func() (client, server net.Conn) {
		client, server = net.Pipe()
		t.Cleanup(func() { client.Close() })
		s.watch(server, http.StateNew)
		return client, server
	}
	closed := func(client net.Conn) bool {
		_, err := client.Read(make([]byte, 1))
		return err == io.EOF
	}
	stranger, _ := dial()
	guest, served := dial()
	s.watch(served, http.StateActive)
	answer := make(chan error)
	s.close()
	if !closed(stranger) {
		t.Error("the stranger is still there")
	}
	go func() {
		_, err := served.Write([]byte("."))
		answer <- err
	}()
	if closed(guest) || <-answer != nil {
		t.Error("a connection in use was closed")
	}
	if late, _ := dial(); !closed(late) {
		t.Error("a stranger came in after the end")
	}
}

// A client that opened a connection and asked nothing learns of the end.
func TestShutdownWithStrangers(t *testing.T) {
	v := open(t, guests{}, nil)
	v.ask("GET", "/healthz", "")
	c, err := net.Dial("tcp", v.url[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	v.ask("GET", "/healthz", "") // by then it was accepted
	v.end()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a connection without a request was answered")
	}
	err = <-v.done
	v.done <- err
	if err != nil {
		t.Error(err)
	}
}
