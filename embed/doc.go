// Package embed has the implementations of [memory.Embedder], which turn text into vectors.
//
// [Builtin] is always available: it uses the project's own table of word meanings and needs neither
// a network nor a model. [OpenAI] asks any endpoint with the embeddings API of OpenAI, local or
// hosted. Package model2vec reads static models that a user has fetched with package hub, package
// encoder/bert runs sentence encoders. [Worker] makes the vectors of documents that were saved
// while an endpoint did not answer or another model was in use.
//
// Vectors of two embedders are never compared. Each embedder has a [memory.Fingerprint], and a
// store keeps the vectors of each apart. After a change of embedder its vectors are made from the
// stored texts.
package embed
