package tokens

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/pkoukk/tiktoken-go"
)

const paragraph = "The user prefers short answers, in English, with the commands to run; she deploys to Hetzner on port 8443.\n"

func BenchmarkLoad(b *testing.B) {
	for name, load := range map[string]func() (*tiktoken.Tiktoken, error){"cl100k_base": loadCL100K, "o200k_base": loadO200K} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				encoder, err := load()
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(heap()-before), "heap-B")
				runtime.KeepAlive(encoder)
			}
		})
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkCount(b *testing.B) {
	c := NewCounter("")
	for _, n := range []int{1, 10, 100} {
		text := strings.Repeat(paragraph, n)
		b.Run(fmt.Sprintf("cached/%dB", len(text)), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.Count(text)
			}
		})
		b.Run(fmt.Sprintf("uncached/%dB", len(text)), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.encoding.countUncached(text)
			}
		})
	}
}

// BenchmarkCountMegabyte is what a caller could do worst.
func BenchmarkCountMegabyte(b *testing.B) {
	for name, part := range map[string]string{
		"prose": paragraph, "a": "a", "digits": "1", "blanks": " ", "lines": "\n", "punctuation": "=", "slashes": "\n/",
		"Chinese": "你好世界", "base64": "aGVsbG8gd29ybGQx", "marks": "!\u0301", "emoji": "👩‍👩‍👧", "mixed blanks": " \n",
	} {
		text := strings.Repeat(part, 1<<20/len(part))
		for _, model := range []string{"cl100k_base", "o200k_base"} {
			b.Run(name+"/"+model, func(b *testing.B) {
				c := NewCounter(model)
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					c.encoding.countUncached(text)
				}
			})
		}
	}
}

// BenchmarkCacheEntry measures entryBytes.
func BenchmarkCacheEntry(b *testing.B) {
	for b.Loop() {
		before := heap()
		cache, _ := lru.New[key, int](cacheEntries)
		for i := range cacheEntries {
			cache.Add(key{byte(i), byte(i >> 8), byte(i >> 16)}, i)
		}
		b.ReportMetric(float64(heap()-before)/cacheEntries, "B/entry")
		runtime.KeepAlive(cache)
	}
}
