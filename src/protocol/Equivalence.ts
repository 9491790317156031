/** When two canonical values mean the same to a protocol. */
import type { Equivalence } from "effect"
import { type Frame, isEquivalent } from "../canonical/Losses.ts"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import type { Protocol } from "./Protocol.ts"

/** What a comparison has to know of a protocol. */
export const frame = (protocol: Protocol): Frame => ({ protocol: protocol.name, defaults: protocol.defaults })

/** Do two requests mean the same? */
export const request = (protocol: Protocol): Equivalence.Equivalence<Request> => (a, b) =>
  isEquivalent(a, b, frame(protocol))

/** Do two responses mean the same? */
export const response = (protocol: Protocol): Equivalence.Equivalence<Response> => (a, b) =>
  isEquivalent(a, b, { protocol: protocol.name })
