// Package extractive makes long text short without a model: it finds facts in a
// conversation and summarises. It is what the program falls back to, so it
// needs nothing but its tables, always answers, and answers the same text the
// same way.
//
// A fact is found in three steps. Text is cut into sentences, and those that say nothing lasting
// are left out: code, quotations, questions, greetings, compliments, conditions. The others are
// sorted by tables of phrases (see rules.go and phrases.txt) into preferences, decisions and so on,
// which also gives their importance. Then each is made to stand alone: "I've lived here since last
// May" becomes "Caroline has lived here since May 2022", with the speaker's name, the verb in
// agreement and the date worked out from the day it was said.
//
// What a user tells an assistant comes in bits, so there a fact may be a thread of several
// sentences (see dialogue.go):
//   - a short answer is kept with the question that it answers, a sentence about "it" or "he" with
//     the sentence before, and the assistant's words are added where they only say again what the
//     user said;
//   - "No, 45" and "make that 20:30" replace the value that was said first;
//   - "scrap that", "no, wait" and a change of mind drop what they take back;
//   - of the alternatives that the assistant offers, only the one that was chosen is kept (see
//     choices.go and options.go);
//   - what the user asks to remember is kept, also a table or code as it is; what not to save, is not
//     (see keep.go);
//   - what others wrote and the user pasted is not the user's (see pasted.go and hearsay.go);
//   - what the user guesses, wishes, supposes or jokes about is no fact, nor are the assistant's
//     guesses and the quoted words of others (see unmeant.go and hearsay.go); something imagined
//     goes on until the question that it leads to;
//   - what others only claim is left out, or taken back once the user doubts it (see alleged.go);
//   - what was planned first and came to nothing is left out (see retract.go);
//   - what the assistant proposes is a decision once the user agrees to it (see propose.go).
//
// A summary is a choice of sentences. Those that have most of the words of the
// whole count more, names, numbers, dates and decisions count extra, and what
// resembles a sentence that was chosen already counts less (MMR). Sentences of
// an earlier summary come with a head start, so that a chain of summaries keeps
// what it once had found worth keeping.
//
// The phrases are English. Of other languages the sentences with names, numbers
// and dates are kept as they were said; only what the commonest words mark as
// supposed, claimed or taken back goes (see foreign.go). Nothing is understood:
// irony without a mark and what is reported of people who should know are taken
// at their word, and text that gives orders is text.
package extractive
