// Package llm uses a language model, if there is one, to find facts and to summarise. Nothing
// depends on it: without a model a built-in summarizer does the same work.
//
// A [Chat] answers one request of messages with text. [OpenAI] asks an endpoint with OpenAI's chat
// API, local or hosted, as a stream if it can. [Command] starts a program for each answer.
// [Sampling] asks through a function, such as the model of the program at the other end of an MCP
// connection. [Summarizer] makes a [memory.Summarizer] of any of them:
//
//  1. Turns and texts become lines such as "[2025-01-15 10:30] USER: …".
//     What does not fit into one request is cut between messages; only a
//     message that is too long by itself is cut inside.
//  2. Each part goes into a request of at most [Options.MaxInput] tokens in
//     all. Its instructions are the files in prompts, which have a version in
//     their names. The text follows as data between two lines with a random
//     number, so that no text can pretend that the data has ended.
//  3. The answer has to be JSON, alone or somewhere in prose, and is checked
//     (see [Summarizer.Extract]). If it cannot be used, the model gets it back
//     once with what is wrong, in a request with the same limit. A second
//     such answer is [memory.CodeUnavailable].
//  4. A fact is kept only if what it says was said (supported.go).
//  5. Facts of several parts are merged, without duplicates. Summaries of
//     several parts are summarised in turn, in as many rounds as it takes.
//
// What a model says is treated as data of any caller: it is bounded in size and number, freed of
// control characters, and never used as a path, a query or a command. A text that manipulates the
// model can at worst add false facts to its own bank.
package llm
