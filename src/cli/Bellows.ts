/** The command `bellows`: its subcommands are files of their own. */
import { Command } from "effect/cli"
import { check } from "./Check.ts"
import { send } from "./Send.ts"
import { translate } from "./Translate.ts"

/** The whole command. */
export const bellows = Command.make("bellows").pipe(
  Command.withDescription(
    "Expand what a person writes into what each language-model API wants, and read what each API sends back"
  ),
  Command.withSubcommands([translate, send, check])
)
