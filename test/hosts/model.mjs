// A model on loopback that says what a script tells it, in the forms of four APIs: Anthropic's messages,
// OpenAI's responses and chat completions, and Gemini's generateContent. It keeps every request.

import { createServer } from "node:http";

/**
 * Starts the model. say(text of the request) returns what it answers: {text} or {tool, namespace, input}. The result has its
 * url, the requests ({path, body, text}) that came, and close().
 */
export async function startModel(say) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let raw = "";
    for await (const part of request) raw += part;
    const path = request.url.replace(/\?.*/, "");
    let body = {};
    try {
      body = JSON.parse(raw || "{}");
    } catch {
      // a probe without a body
    }
    const entry = { path, body, text: raw };
    requests.push(entry);
    const api = apis.find((a) => a.path.test(path));
    if (!api || request.method !== "POST") {
      response.writeHead(request.method === "POST" ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: [], models: [], object: "list" }));
      return;
    }
    const answer = say(entry);
    if (api.streams(path, body)) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      for (const line of api.stream(answer, body)) response.write(line);
      response.end();
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(api.whole(answer, body)));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, requests, close: () => server.close() };
}

let count = 0;
const id = (kind) => `${kind}_${String(++count).padStart(8, "0")}`;
const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;

const anthropic = {
  path: /\/v1\/messages$/,
  streams: (_, body) => body.stream === true,
  message: (body, more) => ({
    id: id("msg"), type: "message", role: "assistant", model: body.model, stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }, ...more,
  }),
  whole(answer, body) {
    return this.message(body, { content: [block(answer)], stop_reason: answer.tool ? "tool_use" : "end_turn" });
  },
  *stream(answer, body) {
    const whole = block(answer);
    yield event("message_start", { message: this.message(body, { content: [], stop_reason: null }) });
    yield event("content_block_start", { index: 0, content_block: answer.tool ? { ...whole, input: {} } : { type: "text", text: "" } });
    const delta = answer.tool ? { type: "input_json_delta", partial_json: JSON.stringify(answer.input) } : { type: "text_delta", text: answer.text };
    yield event("content_block_delta", { index: 0, delta });
    yield event("content_block_stop", { index: 0 });
    yield event("message_delta", { delta: { stop_reason: answer.tool ? "tool_use" : "end_turn", stop_sequence: null }, usage: { output_tokens: 5 } });
    yield event("message_stop", {});
  },
};
const block = (answer) => (answer.tool ? { type: "tool_use", id: id("toolu"), name: answer.tool, input: answer.input } : { type: "text", text: answer.text });

const responses = {
  path: /\/responses$/,
  streams: () => true,
  *stream(answer, body) {
    const response = { id: id("resp"), object: "response", model: body.model, status: "in_progress", output: [] };
    const item = answer.tool
      ? { type: "function_call", id: id("fc"), call_id: id("call"), name: answer.tool, namespace: answer.namespace, arguments: JSON.stringify(answer.input), status: "completed" }
      : { type: "message", id: id("msg"), role: "assistant", status: "completed", content: [{ type: "output_text", text: answer.text, annotations: [] }] };
    yield event("response.created", { response });
    yield event("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } });
    if (!answer.tool) yield event("response.output_text.delta", { item_id: item.id, output_index: 0, content_index: 0, delta: answer.text });
    yield event("response.output_item.done", { output_index: 0, item });
    const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15 };
    yield event("response.completed", { response: { ...response, status: "completed", output: [item], usage } });
  },
};

const completions = {
  path: /\/chat\/completions$/,
  streams: (_, body) => body.stream === true,
  reply(answer) {
    if (!answer.tool) return { role: "assistant", content: answer.text };
    const call = { index: 0, id: id("call"), type: "function", function: { name: answer.tool, arguments: JSON.stringify(answer.input) } };
    return { role: "assistant", content: null, tool_calls: [call] };
  },
  whole(answer, body) {
    const choice = { index: 0, message: this.reply(answer), finish_reason: answer.tool ? "tool_calls" : "stop" };
    return { id: id("chat"), object: "chat.completion", created: 1, model: body.model, choices: [choice], usage };
  },
  *stream(answer, body) {
    const chunk = (choice, more) => data({ id: "chat_1", object: "chat.completion.chunk", created: 1, model: body.model, choices: choice ? [{ index: 0, ...choice }] : [], ...more });
    yield chunk({ delta: this.reply(answer), finish_reason: null });
    yield chunk({ delta: {}, finish_reason: answer.tool ? "tool_calls" : "stop" });
    yield chunk(null, { usage });
    yield "data: [DONE]\n\n";
  },
};
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const gemini = {
  path: /:(streamGenerateContent|generateContent)$/,
  streams: (path) => path.endsWith(":streamGenerateContent"),
  whole(answer) {
    const part = answer.tool ? { functionCall: { name: answer.tool, args: answer.input } } : { text: answer.text };
    return {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }, modelVersion: "scripted",
    };
  },
  *stream(answer) {
    yield data(this.whole(answer));
  },
};

const apis = [anthropic, responses, completions, gemini];
