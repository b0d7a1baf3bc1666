// Package embed holds the embedders: what turns text into vectors for
// [memory.Embedder].
//
// [Builtin] is always there: it reads the project's own table of word
// meanings and needs neither network nor model. [OpenAI] asks any endpoint of
// the form of OpenAI's embeddings API, local or hosted. [Worker] gives
// vectors to documents that were saved while such an endpoint was away.
//
// Vectors of two embedders are never compared. Each embedder has a
// [memory.Fingerprint], a store keeps the vectors of each apart, and a change
// of embedder fills its set anew from the stored texts.
package embed
