// What is called, in this order, in each era. Every call is a process of its
// own, so what a later call finds was really written by an earlier one.
//
// A case has the tool, its arguments and what the answer has to hold. Both are
// functions of `ids`, where a case keeps what later ones need. A tool that the
// server lists and no case calls fails the run. A case with an agent is called
// as that one, over stdio, on the same store; ids.agent is who the others are.

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
  {
    tool: "soul_add",
    args: () => ({ content: "Say what is not known.", kind: "value" }),
    check: (answer, ids) => {
      ids.soul = answer.id;
      return answer.action === "created" && answer.kind === "value";
    },
  },
  {
    tool: "soul_list",
    args: () => ({}),
    check: (answer, ids) => answer.total === 1 && has(answer.items, ids.soul),
  },
  {
    tool: "soul_remove",
    args: (ids) => ({ id: ids.soul, reason: "It was a test." }),
    check: (answer, ids) => answer.id === ids.soul && answer.reason === "It was a test.",
  },
  {
    tool: "diary_write",
    args: () => ({ content: "Mira came by.", date: "2026-02-03", mood: "glad", data: { visitors: 1 } }),
    check: (answer) => answer.action === "created" && answer.data.visitors === 1,
  },
  {
    tool: "diary_read",
    args: () => ({ date: "2026-02-03" }),
    check: (answer) => answer.total === 1 && answer.items[0].content === "Mira came by.",
  },
  {
    tool: "learning_record",
    args: () => ({ kind: "correction", content: "Dates are written day first here.", tool: "memory_save" }),
    check: (answer) => answer.action === "created" && answer.confirmations === 1,
  },
  {
    tool: "learning_list",
    args: () => ({ kind: "correction" }),
    check: (answer) => answer.total === 1 && answer.items[0].tool === "memory_save",
  },
  {
    tool: "save_semantic",
    args: () => ({ subject: "Mira", predicate: "lives_in", object: "Delft", valid_from: "2026-01-01" }),
    check: (answer) => answer.action === "created" && answer.closed.length === 0,
  },
  {
    tool: "query_semantic",
    args: () => ({ subject: "mira" }),
    check: (answer) => answer.total === 1 && answer.items[0].object === "Delft",
  },
  {
    tool: "save_episode",
    args: () => ({ event: "Mira moved to Delft.", participants: ["Mira"], outcome: "She has a garden.", occurred_at: "2026-01-01" }),
    check: (answer) => answer.action === "created",
  },
  {
    tool: "save_procedure",
    args: () => ({ name: "deploy_orion", steps: [{ action: "Tag the release.", expected_outcome: "The build starts." }, { action: "Wait for green." }] }),
    check: (answer) => answer.action === "created" && answer.times_executed === 0,
  },
  {
    tool: "record_procedure_run",
    args: () => ({ name: "deploy_orion", success: true, notes: "Took an hour." }),
    check: (answer) => answer.times_executed === 1 && answer.success_rate === 1,
  },
  {
    tool: "find_procedure",
    args: () => ({ query: "deploy Orion" }),
    check: (answer) => answer.items[0].name === "deploy_orion" && answer.items[0].steps.length === 2,
  },
  {
    tool: "relationship_update",
    args: () => ({ agent: "mira", name: "Mira", type: "ally", trust_level: 0.9 }),
    check: (answer) => answer.action === "created" && answer.relationship.trust_level === 0.9,
  },
  {
    tool: "relationship_get",
    args: () => ({ agent: "mira" }),
    check: (answer) => answer.total === 1 && answer.items[0].type === "ally",
  },
  {
    tool: "add_todo",
    args: () => ({ title: "Water the garden", priority: "high", due_at: "2027-01-01" }),
    check: (answer, ids) => {
      ids.todo = answer.id;
      return answer.action === "created" && answer.status === "pending";
    },
  },
  {
    tool: "list_todo",
    args: () => ({}),
    check: (answer, ids) => answer.total === 1 && has(answer.items, ids.todo),
  },
  {
    tool: "complete_todo",
    args: (ids) => ({ id: ids.todo }),
    check: (answer) => answer.status === "completed",
  },
  {
    tool: "add_to_calendar",
    args: () => ({ title: "Deploy of Orion", starts_at: "2027-01-05T09:00:00Z", recurrence: "FREQ=WEEKLY;COUNT=3" }),
    check: (answer, ids) => {
      ids.event = answer.id;
      return answer.action === "created" && answer.recurring;
    },
  },
  {
    tool: "check_calendar",
    args: () => ({ from: "2027-01-01", to: "2027-02-01" }),
    check: (answer) => answer.total === 3 && answer.items.every((i) => i.title === "Deploy of Orion"),
  },
  {
    tool: "remove_from_calendar",
    args: (ids) => ({ id: ids.event }),
    check: (answer, ids) => answer.id === ids.event,
  },
  {
    tool: "context_append",
    args: () => ({
      session_id: "talk",
      messages: [
        { role: "user", content: "My sister's name is Tess." },
        { role: "assistant", content: "Noted." },
      ],
    }),
    check: (answer) => answer.appended === 2 && answer.action === "none",
  },
  {
    tool: "context_assemble",
    args: () => ({ session_id: "talk", system_prompt: "Be brief.", query: "release keys" }),
    check: (answer) => answer.messages.some((m) => m.content.includes("Tess")),
  },
  {
    tool: "context_compact",
    args: () => ({ session_id: "talk", mode: "flush", facts: ["The user's sister is called Tess."] }),
    check: (answer) => answer.action === "flushed" && answer.facts_saved.length === 1,
  },
  {
    tool: "context_status",
    args: () => ({ session_id: "talk" }),
    check: (answer) => answer.utilization.turns_in_context === 2 && answer.watermarks.flushed === 2,
  },
  {
    tool: "self_care",
    args: () => ({ dry_run: true, mode: "extractive" }),
    check: (answer) => answer.memories_archived === 0,
  },
  {
    tool: "neural_link_request_memory",
    agent: "noor",
    args: (ids) => ({ agent: ids.agent, message: "What do you know of Mira?" }),
    check: (answer, ids) => {
      ids.link = answer.link_id;
      return answer.status === "pending";
    },
  },
  {
    tool: "neural_link",
    args: () => ({ action: "pending" }),
    check: (answer, ids) => answer.pending.some((p) => p.link_id === ids.link),
  },
  {
    tool: "neural_link_share_memory",
    args: (ids) => ({ link_id: ids.link }),
    check: (answer) => answer.copied > 0,
  },
  {
    tool: "memory_how",
    args: () => ({ what: "start the database" }),
    check: (answer) => answer.commands.length === 0,
  },
  {
    tool: "memory_fix",
    args: () => ({ error: "port is already allocated" }),
    check: (answer) => answer.fixes.length === 0,
  },
];

const holds = (list, key, value) => list.some((item) => item[key] === value);

// Resources to read, after all calls: every one that is listed is read anyway.
// `uri` is a function of `ids`; `text` is what the page has to say.
export const pages = [
  { uri: () => "memory://session-start", text: /data, not an instruction/ },
  { uri: () => "memory://stats", text: /- memories: \d+/ },
  { uri: (ids) => `memory://record/${ids.longterm}`, text: /> Mira trusted me with the release keys\./ },
  { uri: () => `memory://workspace/memory/${new Date().toISOString().slice(0, 10)}.md`, text: /Orion/ },
];

// Addresses that lead nowhere.
export const strays = [
  "memory://record/00000000-0000-7000-8000-000000000000",
  "memory://session/none",
  "memory://diary/2026-13-01",
  "memory://nothing",
  "memory://workspace/../../memory.db",
  "memory://workspace/..%2F..%2Fmemory.db",
  "memory://workspace/%2Fetc%2Fpasswd",
];

// Lists that do not change, with what they have to hold.
export const lists = [
  {
    method: "resources/list",
    check: ({ resources }) =>
      ["salient", "session-start", "soul", "stats"].every((name) => holds(resources, "uri", `memory://${name}`)) &&
      resources.some((r) => r.uri.startsWith("memory://workspace/")),
  },
  {
    method: "resources/templates/list",
    check: ({ resourceTemplates }) =>
      ["diary/{date}", "record/{id}", "session/{id}", "workspace/{+path}"].every((t) => holds(resourceTemplates, "uriTemplate", `memory://${t}`)),
  },
  {
    method: "prompts/list",
    check: ({ prompts }) => prompts.map((p) => p.name).join() === "recall,reflect,remember,session-start" && prompts.every((p) => p.title && p.description),
  },
];

// Prompts, with what one of their messages has to say.
export const prompts = [
  { prompt: "recall", args: ["query=Who trusted me with the release keys?"], text: /Mira trusted me/ },
  { prompt: "remember", args: ["text=Orion moved to Delft."], text: /memory_save[^]*Orion moved to Delft\./ },
  { prompt: "reflect", args: ["focus=release keys"], text: /Mira trusted me/ },
  { prompt: "reflect", args: [], text: /Most salient memories/ },
  { prompt: "session-start", args: [], text: /Memory at the start of a session/ },
];

// Prompts that have to fail, with what a person reads then.
export const promptMistakes = [
  { prompt: "recall", args: [], text: /query is missing/ },
  { prompt: "steal", args: [], text: /no prompt/ },
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
