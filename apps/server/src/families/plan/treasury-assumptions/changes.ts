import { isDeepStrictEqual } from 'node:util'
import type { contract } from '@liquidity-os/contract'
import { priceKey } from './normal-form.ts'

type AssumptionSet = contract.TreasuryAssumptionSet
type Line = AssumptionSet['lines'][number]
type Scenario = AssumptionSet['scenarios'][number]
type Change = contract.TreasuryAssumptions['changes'][number]
type Members = Readonly<Record<string, unknown>>

/** What an element of each set is called. */
const nameOf: Readonly<Record<string, (element: never) => string>> = {
  lines: ({ lineId }: Line) => lineId,
  scenarios: ({ scenarioId }: Scenario) => scenarioId,
  prices: priceKey,
}

/**
 * The least changes that make one set of another, in order of their paths.
 *
 * A path is a JSON Pointer (RFC 6901) in which an element of a set stands under its name: a line under its `lineId`, a
 * scenario under its `scenarioId`, a price under its asset or tier. What is nowhere on the other side is told as a
 * whole, against null; so is a form of another kind, since members of two kinds are not compared. A list whose order
 * counts is one value.
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

/** Members of an object, or elements of a set by their names; null of anything else. */
function membersOf(value: unknown, name = ''): Members | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return value as Members
  // A list under the name of a set is one: a line or a scenario of that name is no list.
  const called = Object.hasOwn(nameOf, name) ? nameOf[name] : undefined
  return called
    ? Object.fromEntries(value.map((element) => [called(element as never), element]))
    : null
}

/** A line may be called as something that every object has. No member of a set is null. */
const memberOf = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : null

/** What tells forms of a union apart: a word, and no line that is called so. */
const kindOf = (members: Members): unknown =>
  ['kind', 'mode'].map((name) => memberOf(members, name)).find((word) => typeof word === 'string')

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
