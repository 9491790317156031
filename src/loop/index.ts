/** Models with tools and with typed answers: what is made of many requests. */
export * as Loop from "./Loop.ts"
export * as Offer from "./Offer.ts"
export * as Structured from "./Structured.ts"
