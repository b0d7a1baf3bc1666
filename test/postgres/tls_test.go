//go:build postgres

package postgres

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"mcp-memory/memory"
)

// authority signs certificates.
type authority struct {
	t    *testing.T
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := authority{t, key, &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority of a test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}}
	return a
}

// root writes the certificate by which clients know the authority.
func (a authority) root(path string) string {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, a.key.Public(), a.key)
	if err == nil {
		err = os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return path
}

// issue writes a certificate for loopback addresses, and its key, for the user of a server.
func (a authority) issue(dir string) (cert, key string) {
	a.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "127.0.0.1"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}, a.cert, private.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "server.crt"), filepath.Join(dir, "server.key")
	err = errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	if u, failed := user.Lookup("postgres"); failed == nil && os.Geteuid() == 0 {
		uid, _ := strconv.Atoi(u.Uid)
		err = errors.Join(err, os.Chown(key, uid, -1))
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

// TestEncrypted: what goes to a server goes encrypted where its URL says so, and to nobody who only
// says that he is the server.
func TestEncrypted(t *testing.T) {
	dir := filepath.Dir(serverDir(t))
	ours, others := newAuthority(t), newAuthority(t)
	cert, key := ours.issue(dir)
	trusted, stranger := ours.root(filepath.Join(dir, "root.crt")), others.root(filepath.Join(dir, "other.crt"))
	s := ownServer(t, fmt.Sprintf("MCP_MEMORY_PG_CONF=ssl = on\nssl_cert_file = '%s'\nssl_key_file = '%s'", cert, key))
	with := func(mode, root string) string { return s.url + "?sslmode=" + mode + "&sslrootcert=" + root }

	store := openAt(t, with("verify-full", trusted), 0)
	save(t, store, "ann", "Nobody reads this on its way.")
	var encrypted, plain int
	err := connect(t, as(s.url, "postgres", "")).QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
		FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'mcp-memory'`).Scan(&encrypted, &plain)
	if err != nil || encrypted == 0 || plain != 0 {
		t.Errorf("%d connections are encrypted and %d are not, %v", encrypted, plain, err)
	}
	says(t, "signed by somebody else", tryOpen(t, with("verify-full", stranger)), memory.CodeUnavailable, "certificate")
	says(t, "a certificate that is not there", tryOpen(t, with("verify-full", filepath.Join(dir, "none.crt"))),
		memory.CodeInvalidArgument, "none.crt")
	says(t, "a server without", tryOpen(t, ownServer(t).url+"?sslmode=require"), memory.CodeUnavailable, "TLS")
}
