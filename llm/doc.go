// Package llm lets a language model find facts and summarise, where there is
// one. Nothing depends on it: without a model a built-in summarizer does the
// same work.
//
// A [Chat] answers one request of messages with text. [OpenAI] asks any
// endpoint of the form of OpenAI's chat API, local or hosted, as a stream if it can; [Command]
// starts a program for each answer;
// [Sampling] asks through a function, such as the model of the program at the
// other end of an MCP connection. [Summarizer] makes a [memory.Summarizer] of
// either:
//
//  1. Turns and texts become lines such as "[2025-01-15 10:30] USER: …".
//     What does not fit into one request is cut between messages, and only a
//     message that is too long by itself is cut inside.
//  2. Each part goes into a request that stays below [Options.MaxInput] tokens
//     in all. Its instructions are the files in prompts, whose names carry
//     their version; the text follows as data between two lines that hold a
//     random number, so that no text can pretend that it has ended.
//  3. The answer has to be JSON, alone or somewhere in prose, and is checked
//     (see [Summarizer.Extract]). If it cannot be used, the model gets it back
//     once with what is wrong, in a request below the same limit. A second
//     such answer is [memory.CodeUnavailable].
//  4. A fact counts only as far as somebody said it (supported.go).
//  5. Facts of several parts are put together, each content once. Summaries
//     of several parts are merged, in as many rounds as it takes.
//
// What a model says is data like any caller's: bounded in size and number,
// free of control characters, and never taken for a path, a query or a
// command. A text that talks a model into something can at worst add false
// facts to its own bank.
package llm
