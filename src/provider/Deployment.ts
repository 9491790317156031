/** Makes clients and layers of a provider: with options, from the environment, with a function in place of the network. */
import { Config, type Effect, Layer } from "effect"
import type { HttpClient } from "effect/http"
import * as Client from "../pipeline/Client.ts"
import type { Options, Provider } from "../pipeline/Provider.ts"
import * as InMemory from "./InMemory.ts"

export interface Deployment<O> {
  /** The provider as data, for `Pipeline.send`. */
  readonly configure: (options?: O) => Provider
  /** A client, for combinators and fallbacks. */
  readonly make: (options?: O) => Effect.Effect<Client.Client, never, HttpClient.HttpClient>
  /** The `Client` service. */
  readonly layer: (options?: O) => Layer.Layer<Client.Client, never, HttpClient.HttpClient>
  /** The `Client` service, with its key and base URL from the environment. */
  readonly layerConfig: Layer.Layer<Client.Client, Config.ConfigError, HttpClient.HttpClient>
  /** The `Client` service, with a function in place of the network. */
  readonly layerTest: (handler: InMemory.Handler, options?: O) => Layer.Layer<Client.Client>
}

/** `settle` makes a provider of the options; those of the environment are a part of what it takes. */
export const deploy = <O extends Options>(
  environment: Config.Config<Options>,
  settle: ((options: O) => Provider) & ((options: Options) => Provider)
): Deployment<O> => {
  const configure = (options?: O) => options === undefined ? settle({}) : settle(options)
  const layer = (options?: O) => Client.layer(configure(options))
  return {
    configure,
    make: (options) => Client.fromProvider(configure(options)),
    layer,
    layerConfig: Layer.unwrap(Config.map(environment, (options) => Client.layer(settle(options)))),
    layerTest: (handler, options) => layer(options).pipe(Layer.provide(InMemory.layer(handler)))
  }
}

/** The key, and the base URL where it is set: an empty variable counts as absent. */
export const environment = (apiKey: string, baseUrl: string): Config.Config<Options> =>
  Config.map(
    Config.all({ apiKey: Config.Redacted(apiKey), baseUrl: Config.String(baseUrl).pipe(Config.withDefault("")) }),
    ({ apiKey, baseUrl }) => ({ apiKey, ...(baseUrl === "" ? {} : { baseUrl }) })
  )

/** `Authorization: Bearer <key>`. */
export const bearer = (key: string): readonly [string, string] => ["authorization", `Bearer ${key}`]
