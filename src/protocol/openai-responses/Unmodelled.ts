/** Names what this protocol knows of and does not model: such is kept as it stands, and reaches no other protocol. */
export const unmodelled = {
  items: ["item_reference", "compaction_trigger", "configuration_update"],
  tools: [],
  toolChoices: [
    "apply_patch",
    "code_interpreter",
    "computer",
    "computer_use",
    "computer_use_preview",
    "file_search",
    "image_generation",
    "mcp",
    "programmatic_tool_calling",
    "shell",
    "web_search_preview",
    "web_search_preview_2025_03_11"
  ],
  contents: [],
  annotations: [],
  formats: []
} as const
