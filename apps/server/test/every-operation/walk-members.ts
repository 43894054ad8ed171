import { operationById } from '@liquidity-os/contract'
import { expect } from 'vitest'
import { leavesOf, membersOf, nameOf, variantsOf } from './field-walk.ts'
import idleFields from './idle-fields.json' with { type: 'json' }
import unstaged from './unstaged-fields.json' with { type: 'json' }

interface Outcome {
  readonly status: number
  readonly code: string
  readonly fieldErrors: Record<string, string[]>
  readonly seen: unknown
}

export interface WalkedBody {
  readonly body: object
  /** Sends the body with a change; scenes set it up again each time. */
  readonly send: (change: (body: object) => unknown) => Promise<Outcome>
}

/**
 * Changes each member in turn. The visible result must change, or the error must name the member.
 * Members with neither effect are in `idle-fields.json`, and members absent from all bodies in
 * `unstaged-fields.json`, each with a reason. Both lists may only shrink.
 */
export async function walkMembers(id: string, bodies: readonly WalkedBody[]): Promise<void> {
  const idle = new Set<string>()
  const acting = new Set<string>()
  const walked = new Set<string>()
  /** Members with an accepted value that had no visible effect. */
  const ignored = new Set<string>()
  const members = membersOf(operationById.get(id)!.body!)
  for (const { body, send } of bodies) {
    const usual = await send((same) => same)
    expect(usual.status).toBeLessThan(500)
    if (usual.status >= 300) {
      expect(usual.fieldErrors, usual.code).not.toEqual({})
      for (const path of leavesOf(body).filter((one) => isRefused(usual, one, members))) {
        for (const set of [walked, acting]) set.add(nameOf(path))
      }
      continue
    }
    // Values that differ each time, such as random secrets or chain times, are ignored.
    const drawn = differences((await send((same) => same)).seen, usual.seen)
    const isOther = ({ seen }: Outcome) =>
      [...differences(seen, usual.seen)].some((place) => !drawn.has(place))
    for (const path of leavesOf(body)) {
      const name = nameOf(path)
      walked.add(name)
      if (acting.has(name)) continue
      for (let turn = 0; turn < variantsOf(body, path).length; turn += 1) {
        const response = await send((same) => variantsOf(same, path)[turn])
        expect(response.status, name).toBeLessThan(500)
        const isAnswered = response.status < 300
        if (isAnswered && !isOther(response)) ignored.add(name)
        // A range error does not show that a value within the range has an effect.
        const isOutOfRange = response.code === 'LIQUIDITY_INVALID_REQUEST' && ignored.has(name)
        if (isAnswered ? isOther(response) : names(response, path) && !isOutOfRange) {
          acting.add(name)
          break
        }
      }
      if (!acting.has(name)) idle.add(name)
    }
  }
  expect.soft([...idle].filter((name) => !acting.has(name)).sort()).toEqual(listed(idleFields, id))
  const isWalked = (name: string) => [...walked].some((one) => `${one}.`.startsWith(`${name}.`))
  const left = members.filter((name) => !isWalked(name))
  // A listed member covers all its children, and must cover at least one unchecked child.
  const roots = listed(unstaged, id)
  const rootOf = (name: string) => roots.find((root) => `${name}.`.startsWith(`${root}.`))
  expect(left.filter((name) => rootOf(name) === undefined)).toEqual([])
  expect([...new Set(left.map(rootOf))].sort()).toEqual(roots)
}

const listed = (list: object, id: string): string[] =>
  Object.keys((list as Record<string, object>)[id] ?? {}).sort()

const referenceMembers = ['resourceType', 'id', 'resourceVersion']

/**
 * True if an error concerns the member itself. It may name the member, its list, its reference
 * (validated as a unit), or its enclosing object if the schema is open. Members below a part that
 * is rejected as a whole remain undetermined.
 */
function isRefused(
  { fieldErrors }: Outcome,
  path: readonly string[],
  members: readonly string[],
): boolean {
  const [last = ''] = path.slice(-1)
  const isPart = /^\d+$/.test(last) || referenceMembers.includes(last)
  const isOpen = (field: string) =>
    members.includes(nameOf(field.split('.'))) && path.join('.').startsWith(`${field}.`)
  return (
    path.join('.') in fieldErrors ||
    (isPart && path.slice(0, -1).join('.') in fieldErrors) ||
    Object.keys(fieldErrors).some(isOpen)
  )
}

/** Whether a refusal is about the member; that a reviewed version or head is stale is the whole refusal. */
function names({ status, code, fieldErrors }: Outcome, path: readonly string[]): boolean {
  const isStale = status === 412 || code === 'LIQUIDITY_STUDY_GENERATION_MISMATCH'
  if (isStale && /(resourceVersion|timelineHead|previousTransitionHash)$/i.test(path.at(-1) ?? ''))
    return true
  return Object.keys(fieldErrors).some((field) => `${path.join('.')}.`.startsWith(`${field}.`))
}

/**
 * A response with IDs, hashes, signatures and secrets masked, because each setup creates new ones.
 * Values introduced by a change of the body stay visible.
 *
 * @param sent body as sent
 * @param staged body before the change
 */
export function comparable(answer: unknown, sent: object, staged: object): unknown {
  const [sentText, before] = [JSON.stringify(sent), JSON.stringify(staged)]
  const kept = JSON.stringify(answer).replaceAll(
    /0x[0-9a-f]{64}|[a-z_]+_[0-9a-f]{32}|(?<=")[\w-]*[A-Za-z0-9_-]{32,}(?=")|[A-Za-z0-9+/]{86}==/g,
    (one) => (sentText.includes(one) && !before.includes(one) ? one : '#'),
  )
  return JSON.parse(kept)
}

/** An answer without members that only repeat the request. */
export const withoutMembers = (answer: unknown, echoes: readonly string[]): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (echoes.includes(name) ? undefined : value)))

function partsOf(seen: unknown, index = '', parts = new Map<string, unknown>()) {
  if (typeof seen !== 'object' || seen === null) return parts.set(index, seen)
  for (const [name, part] of Object.entries(seen)) partsOf(part, `${index}/${name}`, parts)
  return parts
}

function differences(one: unknown, other: unknown): Set<string> {
  const [a, b] = [partsOf(one), partsOf(other)]
  return new Set([...a.keys(), ...b.keys()].filter((place) => a.get(place) !== b.get(place)))
}
