import { dayMilliseconds, hourMilliseconds } from '../../src/units.ts'

/**
 * Finds request members that have an effect. Changes each member of a valid body in turn. A member
 * has an effect if the response changes beyond echoed values, or if the error names it. A change
 * that only affects a request hash counts as an echo.
 */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Members of a body down to their leaves, places in lists as `*`. */
export function leavesOf(body: unknown, path: readonly string[] = []): string[][] {
  if (Array.isArray(body)) {
    return body.flatMap((one, index) => leavesOf(one, [...path, `${index}`]))
  }
  if (typeof body !== 'object' || body === null) return [[...path]]
  return Object.entries(body).flatMap(([name, member]) => leavesOf(member, [...path, name]))
}

export const nameOf = (path: readonly string[]): string =>
  path.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.')

/** Other values of the same kind, the farthest first: rounding hides a small change. */
function othersOf(value: Json): Json[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value * 2 + 1, Math.floor(value / 2), -value, value + 1]
  if (typeof value !== 'string') return [3600, '3600']
  if (/^-?\d+$/.test(value)) return [`${BigInt(value) * 3n + 1n}`, `${BigInt(value) / 2n}`]
  if (/^0x[0-9a-fA-F]+$/.test(value)) return [`0x${'3'.repeat(value.length - 2)}`]
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return otherTimes(value)
  return [`${value}-changed`, 'changed']
}

const decades = 20 * 365 * dayMilliseconds

/** Other times in the same format: near ones, and ones far before or after the test's period. */
function otherTimes(value: string): string[] {
  const print = (time: number) => {
    const text = new Date(time).toISOString()
    return value.includes('.') ? text : text.replace('.000Z', 'Z')
  }
  return [hourMilliseconds, -hourMilliseconds, -decades, decades].map((by) =>
    print(Date.parse(value) + by),
  )
}

export function variantsOf(body: unknown, path: readonly string[]): unknown[] {
  const at = (root: unknown, steps: readonly string[]) =>
    steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], root)
  return othersOf(at(body, path) as Json).map((other) => {
    // Serialized first, so that a part referenced twice becomes two copies, and only one changes.
    const changed = JSON.parse(JSON.stringify(body))
    const parent = at(changed, path.slice(0, -1)) as Record<string, unknown>
    parent[path.at(-1)!] = other
    return changed
  })
}

/** An answer without what repeats the request: its hashes, and the members named. */
export function withoutEcho(answer: unknown, echoes: readonly string[]): string {
  const kept = JSON.stringify(answer, (name, value) => (echoes.includes(name) ? undefined : value))
  return kept.replaceAll(/0x[0-9a-f]{64}/g, '#')
}

type Schema = { [name: string]: unknown }

/** Every member that a schema knows, down to its leaves, in the names of `nameOf`. */
export function membersOf(schema: unknown, path: readonly string[] = []): string[] {
  const { anyOf, allOf, properties, items } = schema as Schema
  const inner = (anyOf ?? allOf) as Schema[] | undefined
  const found = inner
    ? inner.flatMap((one) => membersOf(one, path))
    : properties
      ? Object.entries(properties).flatMap(([name, one]) => membersOf(one, [...path, name]))
      : items
        ? membersOf(items, [...path, '*'])
        : [path.join('.')]
  return [...new Set(found)]
}
