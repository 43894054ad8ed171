import { operationById } from '@liquidity-os/contract'
import { expect } from 'vitest'
import { leavesOf, membersOf, nameOf, variantsOf } from './field-walk.ts'
import idleFields from './idle-fields.json' with { type: 'json' }
import unstaged from './unstaged-fields.json' with { type: 'json' }

/** What came of a request: the refusal, or what is seen of it. */
interface Outcome {
  readonly status: number
  readonly code: string
  readonly fieldErrors: Record<string, string[]>
  readonly seen: unknown
}

export interface WalkedBody {
  readonly body: object
  /** Sends the body of this place, changed; it is built anew where a scene is. */
  readonly send: (change: (body: object) => unknown) => Promise<Outcome>
}

/**
 * Changes one member after another: what is seen is another, or the refusal names it. What does neither stands in
 * `idle-fields.json`, and members that no body holds in `unstaged-fields.json`, each with a reason; both may only shrink.
 */
export async function walkMembers(id: string, bodies: readonly WalkedBody[]): Promise<void> {
  const idle = new Set<string>()
  const acting = new Set<string>()
  const walked = new Set<string>()
  /** Taken in one of their values, and nothing was seen of it. */
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
    // What is another each time, as a secret that is drawn or a time of the chain, tells nothing.
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
        // That a value is out of range says nothing of what a value in range does.
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
  // A member of the list stands for all that is in it, and is there because something of it is not walked.
  const roots = listed(unstaged, id)
  const rootOf = (name: string) => roots.find((root) => `${name}.`.startsWith(`${root}.`))
  expect(left.filter((name) => rootOf(name) === undefined)).toEqual([])
  expect([...new Set(left.map(rootOf))].sort()).toEqual(roots)
}

const listed = (list: object, id: string): string[] =>
  Object.keys((list as Record<string, object>)[id] ?? {}).sort()

const referenceMembers = ['resourceType', 'id', 'resourceVersion']

/**
 * Whether a refusal is of the member itself: it names it, the list that it stands in, the reference that it is a part of, which is
 * read as one, or the object that the schema leaves open, of which it knows no members. Of what else lies below something that is refused as a whole nobody knows whether it is read.
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
 * An answer in which ids, hashes, signatures and secrets are all alike, but for those that the change of a body brought: what is staged
 * anew for each request has others each time.
 *
 * @param sent   the body as it was sent
 * @param staged the same before it was changed
 */
export function comparable(answer: unknown, sent: object, staged: object): unknown {
  const [told, before] = [JSON.stringify(sent), JSON.stringify(staged)]
  const kept = JSON.stringify(answer).replaceAll(
    /0x[0-9a-f]{64}|[a-z_]+_[0-9a-f]{32}|(?<=")[\w-]*[A-Za-z0-9_-]{32,}(?=")|[A-Za-z0-9+/]{86}==/g,
    (one) => (told.includes(one) && !before.includes(one) ? one : '#'),
  )
  return JSON.parse(kept)
}

/** An answer without members that only repeat the request. */
export const withoutMembers = (answer: unknown, echoes: readonly string[]): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (echoes.includes(name) ? undefined : value)))

/** The leaves of what was seen by their places. */
function partsOf(seen: unknown, index = '', parts = new Map<string, unknown>()) {
  if (typeof seen !== 'object' || seen === null) return parts.set(index, seen)
  for (const [name, part] of Object.entries(seen)) partsOf(part, `${index}/${name}`, parts)
  return parts
}

/** Places at which one is other than the other. */
function differences(one: unknown, other: unknown): Set<string> {
  const [a, b] = [partsOf(one), partsOf(other)]
  return new Set([...a.keys(), ...b.keys()].filter((place) => a.get(place) !== b.get(place)))
}
