// Package index scores the documents of one bank and corpus in memory: exact
// word match (BM25), soft match through the semantic table, and vectors. It
// is a cache of the database and never the only copy of anything.
//
// # Scores
//
// Every measure of a document depends on the question, on the document and
// its neighbours in the conversation, and on the bank's statistics; never on
// how many other documents were looked at. So an index over a whole bank and
// one over some candidates of it, given the bank's statistics ([New] with
// Statistics), measure a document alike.
//
// For a question with content stems t, each occurring q(t) times:
//
//	idf(t)  = ln(1 + (n - df + 0.5) / (df + 0.5))
//	lexical = sum q(t) idf(t) 2.2 f / (f + 1.2 (0.25 + 0.75 len/avg)) / sum q(t) idf(t)
//	g(t)    = (idf(t) / idf of a stem that never occurs) ^ 0.7
//	w(t)    = g(t) * length of the stem's row / that of a rare stem; g(t) without a row
//	soft    = sum w(t) max over stems s of the document of sim(t,s)
//	          / (0.7 + 0.3 len/avg) / sum w(t)
//	synonyms = sum w(t) max over synonyms s of t that the document has of likeness(t,s) * min(1, length of
//	          s's row / that of a rare stem; 1 without a row) / (0.7 + 0.3 len/avg) / sum w(t)
//	vector  = cosine of the question's and the document's vector (int8)
//	session = sum idf(t) 2.2 f / (f + 1.2 (0.25 + 0.75 len/(20 avg))) / sum idf(t)
//	          over distinct t, f and len of the whole session
//
// sim is 1 for the same stem, else the part of the cosine of the two rows above
// 0.2, stretched to 0 to 1; only the 16 most similar stems of the bank count.
// A stem that neither the table nor the bank knows is taken for a typing error
// or the beginning of a word, as rare as what it may mean: see corrections.go.
//
// # Search
//
// A search scores every document that matches the question (match.go). In a
// large index with categories it searches some of them first, and then only the
// documents that can still be among the best (bounded.go, pruned.go), with the
// same result. The nearest by vector are found by a scan of all (vectors.go).
//
// DESIGN.md says what is in memory, what it costs, what always holds, and how
// the pruning works.
package index
