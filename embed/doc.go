// Package embed holds the embedders: what turns text into vectors for
// [memory.Embedder].
//
// [Builtin] is always there: it reads the project's own table of word
// meanings and needs neither network nor model. [OpenAI] asks any endpoint of
// the form of OpenAI's embeddings API, local or hosted. Package model2vec reads
// static models that a user has fetched with package hub, package encoder/bert runs
// networks. [Worker] gives vectors to documents
// that were saved while an endpoint was away or another model was in use.
//
// Vectors of two embedders are never compared. Each embedder has a
// [memory.Fingerprint], a store keeps the vectors of each apart, and a change
// of embedder fills its set anew from the stored texts.
package embed
