// What is called, in this order, in each era. Every call is a process of its
// own, so what a later call finds was really written by an earlier one.
//
// A case has the tool, its arguments and what the answer has to hold. Both are
// functions of `ids`, where a case keeps what later ones need. A tool that the
// server lists and no case calls fails the run.

const has = (list, id) => list.some((item) => item.id === id);

export const cases = [
  {
    tool: "memory_save",
    args: () => ({
      content: "The deploy of Orion runs every Tuesday at 09:00 from Utrecht.",
      category: "project",
      importance: 0.8,
      tags: ["deploy"],
    }),
    check: (answer, ids) => {
      ids.fact = answer.id;
      return answer.action === "created" && answer.category === "project" && answer.searchable_by.includes("text");
    },
  },
  {
    name: "memory_save of the same again",
    tool: "memory_save",
    args: () => ({ content: "The deploy of Orion runs every Tuesday at 09:00 from Utrecht." }),
    check: (answer, ids) => answer.action === "duplicate" && answer.id === ids.fact,
  },
  {
    tool: "add_to_longterm_memory",
    args: () => ({
      content: "Mira trusted me with the release keys.",
      importance: 0.6,
      participants: ["Mira"],
      emotional_valence: 0.7,
      occurred_at: "2026-02-03",
    }),
    check: (answer, ids) => {
      ids.longterm = answer.id;
      return answer.action === "created" && answer.longterm_count === 1;
    },
  },
  {
    tool: "memory_get",
    args: (ids) => ({ ids: [ids.fact, ids.longterm] }),
    check: (answer, ids) => has(answer.records, ids.fact) && has(answer.records, ids.longterm) && answer.missing.length === 0,
  },
  {
    tool: "memory_recall",
    args: () => ({ query: "When does Orion deploy?", limit: 3, explain: true }),
    check: (answer, ids) => answer.results[0].id === ids.fact && answer.total_tokens > 0,
  },
  {
    tool: "memory_search",
    args: () => ({ query: "release keys", in: ["memories"] }),
    check: (answer, ids) => answer.results[0].id === ids.longterm && answer.results[0].type === "memory",
  },
  {
    tool: "memory_update",
    args: (ids) => ({ id: ids.fact, content: "The deploy of Orion runs every Friday at 10:00 from Utrecht." }),
    check: (answer, ids) => {
      const old = ids.fact;
      ids.fact = answer.id;
      return answer.action === "superseded" && answer.id !== old;
    },
  },
  {
    tool: "memory_forget",
    args: (ids) => ({ ids: [ids.fact], reason: "the deploy was given up" }),
    check: (answer, ids) => {
      ids.undo = answer.undo_id;
      return answer.forgotten === 1 && answer.ids[0] === ids.fact;
    },
  },
  {
    name: "memory_recall of what was forgotten",
    tool: "memory_recall",
    args: () => ({ query: "When does Orion deploy?" }),
    check: (answer, ids) => !has(answer.results, ids.fact),
  },
  {
    name: "memory_forget undone",
    tool: "memory_forget",
    args: (ids) => ({ undo: ids.undo }),
    check: (answer, ids) => answer.ids[0] === ids.fact,
  },
];

// Calls that have to fail, with what a person reads then.
export const mistakes = [
  {
    name: "memory_save with an importance out of range",
    tool: "memory_save",
    args: () => ({ content: "This is never saved.", importance: 7 }),
    text: /^invalid_argument: .*importance/,
  },
  {
    name: "memory_update of an id that is not there",
    tool: "memory_update",
    args: () => ({ id: "00000000-0000-7000-8000-000000000000", pinned: true }),
    text: /^not_found: /,
  },
];
