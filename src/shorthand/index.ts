/**
 * What a person may write, each an Effect Schema: decode expands it to the canonical form, encode gives the shortest
 * shorthand that decodes to the same.
 */
export { Content, Instructions } from "./Content.ts"
export { ResponseFormat } from "./Format.ts"
export { Items } from "./Items.ts"
export { McpServers } from "./McpServers.ts"
export { Request } from "./Request.ts"
export { Source } from "./Source.ts"
export { ToolChoice, Tools } from "./Tools.ts"
