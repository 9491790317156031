/** A conversation as an agent has it: text, thinking, tool calls, results, an image, and eight tools. */

const words = "the quick brown fox jumps over the lazy dog while seven wizards make toxic brew for the evil queen"
  .split(" ")
const prose = (seed: number, n: number): string =>
  Array.from({ length: n }, (_, i) => words[(seed * 7 + i * 3 + i * i) % words.length]).join(" ")

/** What a message says, by which it can be told from others. */
const say = (i: number, n: number): string => `Message ${i}: ${prose(i, n)}`

const tools = Array.from({ length: 8 }, (_, i) => ({
  name: `tool_${i}`,
  description: prose(i, 30),
  input_schema: {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 6 }, (_, j) => [
      `field_${j}`,
      { type: j % 2 === 1 ? "string" : "integer", description: prose(i + j, 8) }
    ])),
    required: ["field_0", "field_1"],
    additionalProperties: false
  },
  ...(i === 7 ? { cache_control: { type: "ephemeral" } } : {})
}))

const user = (i: number): object => {
  if (i === 0) {
    const image = { type: "image", source: { type: "url", url: "https://example.com/a.png" } }
    return { role: "user", content: [{ type: "text", text: say(i, 60) }, image] }
  }
  if (i % 10 === 0) return { role: "user", content: say(i, 60) }
  const content = i % 4 === 0
    ? say(i, 90)
    : [{ type: "text", text: say(i, 90) }, { type: "text", text: prose(i, 9) }]
  return { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${i - 1}`, content }] }
}

const assistant = (i: number): object =>
  i % 10 === 9
    ? { role: "assistant", content: [{ type: "text", text: say(i, 80) }] }
    : {
      role: "assistant",
      content: [
        { type: "thinking", thinking: prose(i, 40), signature: "c2lnbmF0dXJl".repeat(10) },
        { type: "text", text: say(i, 20) },
        {
          type: "tool_use",
          id: `toolu_${i}`,
          name: `tool_${i % 8}`,
          input: { field_0: i, field_1: prose(i, 6), nested: { list: [1, 2, 3] } }
        }
      ]
    }

/** An Anthropic request body of so many messages. */
export const conversation = (messages: number): object => ({
  model: "claude-x",
  max_tokens: 4096,
  system: [{ type: "text", text: prose(1, 200), cache_control: { type: "ephemeral" } }],
  tools,
  temperature: 0.5,
  messages: Array.from({ length: messages }, (_, i) => i % 2 === 0 ? user(i) : assistant(i))
})
