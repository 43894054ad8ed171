import { isDeepStrictEqual } from 'node:util'
import type { contract } from '@liquidity-os/contract'
import { priceKey } from './normal-form.ts'

type AssumptionSet = contract.TreasuryAssumptionSet
type Line = AssumptionSet['lines'][number]
type Scenario = AssumptionSet['scenarios'][number]
type Change = contract.TreasuryAssumptions['changes'][number]
type Members = Readonly<Record<string, unknown>>

/** Identifier of the elements, by set name. */
const nameOf: Readonly<Record<string, (element: never) => string>> = {
  lines: ({ lineId }: Line) => lineId,
  scenarios: ({ scenarioId }: Scenario) => scenarioId,
  prices: priceKey,
}

/**
 * Minimal changes from one set to another, sorted by path.
 *
 * A path is a JSON Pointer (RFC 6901). Set elements use their names: a line its `lineId`, a
 * scenario its `scenarioId`, a price its asset or tier. An element missing on one side is one
 * change against null. So is a change of kind, because fields of different kinds are not
 * comparable. An ordered list is one value.
 */
export function changesBetween(before: AssumptionSet, after: AssumptionSet): Change[] {
  return changed(before, after, [])
}

function changed(from: unknown, to: unknown, path: readonly string[]): Change[] {
  if (isDeepStrictEqual(from, to)) return []
  const [was, is] = [membersOf(from, path.at(-1)), membersOf(to, path.at(-1))]
  if (was === null || is === null || kindOf(was) !== kindOf(is)) {
    return [{ path: path.map((name) => `/${escaped(name)}`).join(''), from, to }]
  }
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()
  return names.flatMap((name) => changed(memberOf(was, name), memberOf(is, name), [...path, name]))
}

/** Fields of an object, or elements of a set by name; null for any other value. */
function membersOf(value: unknown, name = ''): Members | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return value as Members
  // Only an array under a set name is a set; a line or scenario with the same name is not.
  const called = Object.hasOwn(nameOf, name) ? nameOf[name] : undefined
  return called
    ? Object.fromEntries(value.map((element) => [called(element as never), element]))
    : null
}

/** A line can have the name of an inherited object property. No field of a set is null. */
const memberOf = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : null

/** Discriminator of a union: a string. A line with this name is an object. */
const kindOf = (members: Members): unknown =>
  ['kind', 'mode'].map((name) => memberOf(members, name)).find((word) => typeof word === 'string')

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
