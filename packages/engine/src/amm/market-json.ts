import type { Market } from './market.ts'

/** A value JSON can carry without loss: amounts are decimal strings. */
export type JsonSafe =
  | string
  | number
  | boolean
  | null
  | readonly JsonSafe[]
  | { readonly [key: string]: JsonSafe }

/**
 * A market as JSON: the same members, amounts as decimal strings. Equal markets give equal JSON, so its
 * canonical form can be hashed.
 */
export function marketToJson(market: Market): JsonSafe {
  return toJsonSafe(market)
}

/** Replaces every bigint of a plain value by its decimal text. */
export function toJsonSafe(value: unknown): JsonSafe {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(toJsonSafe)
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return Object.fromEntries(members.map(([name, member]) => [name, toJsonSafe(member)]))
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new TypeError(`${typeof value} ${String(value)} has no exact JSON form`)
}
