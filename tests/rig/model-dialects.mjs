// The two dialects in which agents speak with a model, read and written: chat completions (goose) and responses (Codex).
// Both are brought to one form, so that a script need not know which agent it plays for.

/**
 * What an agent told the model, whatever the dialect.
 * @typedef {{ model: string, streams: boolean, tools: string[], texts: { role: string, text: string }[],
 *   results: string[] }} Told `results` is what its tools gave, the oldest first
 */

/**
 * What the model answers: words, calls of tools, or both. Only `responses` knows calls with a free text (`input`), and
 * tools that are not offered but found by their server (`server`).
 */

const usage = { input: 100, output: 10 };

const text = (content) =>
  typeof content === "string" ? content : Array.isArray(content) ? content.map((part) => part.text ?? "").join("") : "";

const chat = {
  path: "/chat/completions",

  read({ model, stream, tools = [], messages = [] }) {
    return {
      model,
      streams: stream === true,
      tools: tools.map((tool) => tool.function?.name),
      texts: messages.filter(({ role }) => role !== "tool").map(({ role, content }) => ({ role, text: text(content) })),
      results: messages.filter(({ role }) => role === "tool").map(({ content }) => text(content)),
    };
  },

  write({ say, calls }, { model, streams }, id) {
    const about = { id: `chatcmpl-${id}`, created: 1, model };
    const toolCalls = calls.map(({ tool, args }, index) => ({
      index,
      id: `call_${id}_${index}`,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(args) },
    }));
    const finish = calls.length > 0 ? "tool_calls" : "stop";
    const used = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
    if (!streams) {
      const message = { role: "assistant", content: say ?? null, ...(calls.length > 0 && { tool_calls: toolCalls }) };
      const choices = [{ index: 0, finish_reason: finish, message }];
      return { whole: { ...about, object: "chat.completion", choices, usage: used } };
    }
    const piece = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    const pieces = [
      piece({ role: "assistant", content: say ?? "" }),
      ...(calls.length > 0 ? [piece({ tool_calls: toolCalls })] : []),
      piece({}, finish),
      { choices: [], usage: used },
    ].map((one) => ({ ...about, object: "chat.completion.chunk", ...one }));
    return { events: [...pieces.map((data) => ({ data: JSON.stringify(data) })), { data: "[DONE]" }] };
  },
};

const responses = {
  path: "/responses",

  read({ model, stream, tools = [], instructions = "", input = [] }) {
    const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
    const isResult = ({ type }) => type?.endsWith("_output") === true;
    return {
      model,
      streams: stream === true,
      tools: tools.map((tool) => tool.name ?? tool.type),
      texts: [
        { role: "system", text: instructions },
        ...items.filter(({ role }) => role).map(({ role, content }) => ({ role, text: text(content) })),
      ],
      results: items
        .filter(isResult)
        .map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output))),
    };
  },

  write({ say, calls }, { model, streams }, id) {
    const spoken = { type: "output_text", text: say, annotations: [] };
    const message = { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content: [spoken] };
    const items = calls.map(({ tool, args, input, server }, index) => ({
      id: `item_${id}_${index}`,
      call_id: `call_${id}_${index}`,
      name: tool,
      status: "completed",
      ...(input === undefined
        ? { type: "function_call", arguments: JSON.stringify(args), ...(server && { namespace: `mcp__${server}` }) }
        : { type: "custom_tool_call", input }),
    }));
    if (say !== undefined) items.unshift(message);
    const used = {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    };
    const about = { id: `resp_${id}`, object: "response", created_at: 1, model };
    const response = { ...about, status: "completed", output: items, usage: used };
    if (!streams) return { whole: response };
    const events = [
      { type: "response.created", response: { ...about, status: "in_progress", output: [], usage: null } },
      ...items.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item },
        ...(item.type === "message"
          ? [
              {
                type: "response.output_text.delta",
                item_id: item.id,
                output_index,
                content_index: 0,
                delta: item.content[0].text,
              },
            ]
          : []),
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response },
    ];
    return { events: events.map((data) => ({ event: data.type, data: JSON.stringify(data) })) };
  },
};

/** The dialect that is spoken at a path, or undefined. */
export function dialectAt(path) {
  return [chat, responses].find((dialect) => path.endsWith(dialect.path));
}
