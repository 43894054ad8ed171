import { DAY_SECONDS, HOUR_SECONDS } from '../arithmetic/time-units.ts'
import type { PartyLeg } from './closed-runs.ts'
import { type Funding, fundedGroups, MOST_FUNDED, noFunding } from './common-funding.ts'
import { magnitude } from './median-deviation.ts'

/** A swap with data from its event and its transaction. */
export interface SignedLeg extends PartyLeg {
  readonly venueId: string
  /** Who signed the transaction. */
  readonly origin: string
  /** The contract that called the pool, and who received; empty where the event does not say. */
  readonly sender: string
  readonly recipient: string
}

/**
 * Maximum callers of a private contract. A contract with more callers is a router, shared by
 * unrelated users.
 */
export const MOST_OWNERS = 3
/** Represents all signers whose signature was not read. They can be any account. */
const UNKNOWN = ''
/**
 * Minimum digits before trailing zeros of a distinctive amount. Shorter amounts are common choices.
 */
const TELLING_DIGITS = 7
const LEAST_TELLING = 10n ** BigInt(TELLING_DIGITS - 1)
/** Legs of one side that are tried as parts of an amount that was handed on. */
const MOST_PARTS = 16
/** Minimum number of reversed sizes between two signers. Fewer can be chance. */
const LEAST_SIZES = 2
/** Legs of the other side that are looked through for the size of one. */
const MOST_OPEN = 64

/**
 * Groups of related signers, derived from swaps. A relation is no evidence of abuse. Each group is
 * only checked for self-trading.
 *
 * - **Contract**: exactly two or three signers used a contract.
 * - **Receipt**: one signer's swap pays another signer of the window.
 * - **Amount**: within a day two signers trade exactly the same base or quote amount in opposite
 *   directions. The amount has at least seven digits before its zeros. So the bought or received
 *   amount passed from one to the other.
 * - **Parts**: within an hour two signers sell exactly the amount bought by a third, or the
 *   reverse.
 * - **Sizes**: two signers reversed each other's size within an hour, to a hundredth, for at least
 *   two sizes. One trade per pair has at least seven digits before its zeros. These trades are at
 *   least half of either signer's volume.
 * - **Funding**: one account funded two signers, or a signer funded another one. Groups of more
 *   than sixteen signers with only such links are treated as exchange customers. They are not
 *   linked.
 *
 * @param legs of one venue, in chain order
 * @param usersBy users by contract, over all venues
 * @param funding accounts that sent tokens to the signers, as far as read
 * @returns by signer, the same set for all members of a group of at least two
 */
export function linkedSigners(
  legs: readonly SignedLeg[],
  usersBy: Users,
  funding: Funding = noFunding,
): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new SignerGroups()
  for (const [a, b] of contractLinks(legs, usersBy)) groups.join(a, b)
  for (const [a, b] of amountLinks(legs)) groups.join(a, b)
  for (const [a, b] of partLinks(legs)) groups.join(a, b)
  for (const [a, b] of sizeLinks(legs)) groups.join(a, b)
  for (const [a, b] of fundingLinks(legs, funding)) groups.join(a, b)
  return groups.bySigner
}

export type Users = ReturnType<typeof usersOf>
type Link = readonly [string, string]

/** Sets that are joined, the smaller one into the larger, so that n links cost n log n at most. */
class SignerGroups {
  readonly bySigner = new Map<string, Set<string>>()

  join(a: string, b: string): void {
    if (a === b) return
    const [one, other] = [this.#groupOf(a), this.#groupOf(b)]
    if (one === other) return
    const [small, large] = one.size < other.size ? [one, other] : [other, one]
    for (const signer of small) {
      large.add(signer)
      this.bySigner.set(signer, large)
    }
  }

  #groupOf(signer: string): Set<string> {
    const known = this.bySigner.get(signer)
    if (known) return known
    const alone = new Set([signer])
    this.bySigner.set(signer, alone)
    return alone
  }
}

/**
 * Signers of transactions, by the contract or address that the pools report.
 *
 * @param legs of all venues of one window: the total number of users identifies a router
 */
export function usersOf(
  legs: readonly { origin: string | null; sender: string; recipient: string }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>()
  for (const { origin, sender, recipient } of legs) {
    for (const contract of new Set([sender, recipient])) {
      if (contract === '') continue
      const known = owners.get(contract)
      if (known) known.add(origin ?? UNKNOWN)
      else owners.set(contract, new Set([origin ?? UNKNOWN]))
    }
  }
  return owners
}

function contractLinks(legs: readonly SignedLeg[], usersBy: Users): Link[] {
  const signers = new Set(legs.map(({ origin }) => origin))
  const named = new Set(legs.flatMap(({ sender, recipient }) => [sender, recipient]))
  return [...named].flatMap((contract) => {
    const users = usersBy.get(contract)
    if (users === undefined || users.has(UNKNOWN) || users.size > MOST_OWNERS) return []
    const [first, ...others] = signers.has(contract) ? [contract, ...users] : users
    return others.map((other): Link => [first!, other])
  })
}

function fundingLinks(legs: readonly SignedLeg[], funding: Funding): Link[] {
  const signers = new Set(legs.map(({ origin }) => origin))
  const joined = new SignerGroups()
  const groups = fundedGroups(signers, funding).filter(({ traders }) => traders.size <= MOST_FUNDED)
  const links = groups.flatMap(({ traders: [first, ...others] }) =>
    others.map((other): Link => [first!, other]),
  )
  for (const [a, b] of links) joined.join(a, b)
  // Groups that share a trader are one: a hot wallet of an exchange and its customers each have few.
  return links.filter(([signer]) => joined.bySigner.get(signer)!.size <= MOST_FUNDED)
}

/** Links signers that traded exactly the same base or quote amount in opposite directions. */
function amountLinks(legs: readonly SignedLeg[]): Link[] {
  const links: Link[] = []
  const newSide = () => ({
    base: new Map<bigint, SignedLeg>(),
    quote: new Map<bigint, SignedLeg>(),
  })
  const [bought, sold] = [newSide(), newSide()]
  for (const leg of legs) {
    const [own, others] = leg.base > 0n ? [bought, sold] : [sold, bought]
    const amounts = { base: magnitude(leg.base), quote: leg.volumeQuote }
    for (const unit of ['base', 'quote'] as const) {
      const other = others[unit].get(amounts[unit])
      if (other && leg.at - other.at <= DAY_SECONDS) links.push([other.origin, leg.origin])
      if (isTelling(amounts[unit])) own[unit].set(amounts[unit], leg)
    }
  }
  return links
}

/** Who bought what two others sold, or sold what two others bought, all within an hour. */
function partLinks(legs: readonly SignedLeg[]): Link[] {
  const links: Link[] = []
  const bought = { bySize: new Map<bigint, SignedLeg>(), latest: [] as SignedLeg[] }
  const sold = { bySize: new Map<bigint, SignedLeg>(), latest: [] as SignedLeg[] }
  for (const leg of legs) {
    const [own, others] = leg.base > 0n ? [bought, sold] : [sold, bought]
    // Two legs of one side equal one leg of the other side, in any order of the three.
    for (const latest of [own.latest, others.latest]) {
      for (const part of latest) {
        const whole = part.base + leg.base
        const nets = whole > 0n === leg.base > 0n
        if (!nets || leg.at - part.at > HOUR_SECONDS) continue
        const other = others.bySize.get(magnitude(whole))
        if (!other || other === part || leg.at - other.at > HOUR_SECONDS) continue
        links.push([leg.origin, part.origin], [leg.origin, other.origin])
      }
    }
    if (isTelling(magnitude(leg.base))) own.bySize.set(magnitude(leg.base), leg)
    own.latest.push(leg)
    if (own.latest.length > MOST_PARTS) own.latest.shift()
  }
  return links
}

const isTelling = (amount: bigint): boolean =>
  amount >= LEAST_TELLING && `${amount}`.replace(/0+$/, '').length >= TELLING_DIGITS

interface OpenLeg {
  readonly leg: SignedLeg
  isUndone: boolean
}

function sizeLinks(legs: readonly SignedLeg[]): Link[] {
  const matches = new Map<string, { pair: Link; sizes: Set<string>; quote: bigint }>()
  for (const [a, b] of undoneSizes(legs)) {
    const pair: Link = a.origin < b.origin ? [a.origin, b.origin] : [b.origin, a.origin]
    const key = pair.join(' ')
    const known = matches.get(key) ?? { pair, sizes: new Set(), quote: 0n }
    known.sizes.add([a.base, b.base].map(magnitude).join(' '))
    known.quote += a.volumeQuote + b.volumeQuote
    matches.set(key, known)
  }
  const repeated = [...matches.values()].filter(({ sizes }) => sizes.size >= LEAST_SIZES)
  const matched = new Map<string, bigint>()
  for (const { pair, quote } of repeated) {
    for (const signer of pair) matched.set(signer, (matched.get(signer) ?? 0n) + quote)
  }
  const traded = new Map<string, bigint>()
  for (const { origin, volumeQuote } of legs) {
    traded.set(origin, (traded.get(origin) ?? 0n) + volumeQuote)
  }
  // A match counts both legs, one from each signer. So half of its volume corresponds to the
  // signer's share.
  const isMost = (signer: string) => (matched.get(signer) ?? 0n) >= (traded.get(signer) ?? 0n)
  return repeated.filter(({ pair }) => pair.every(isMost)).map(({ pair }) => pair)
}

/**
 * Pairs of legs from two signers; each leg is in at most one pair. Matches the earliest leg of the
 * opposite side with nearly the same size. At least one of the sizes must be distinctive.
 */
function undoneSizes(legs: readonly SignedLeg[]): [SignedLeg, SignedLeg][] {
  const open = { bought: [] as OpenLeg[], sold: [] as OpenLeg[] }
  const pairs: [SignedLeg, SignedLeg][] = []
  for (const leg of legs) {
    const [own, others] = leg.base > 0n ? [open.bought, open.sold] : [open.sold, open.bought]
    while (others[0] && (others[0].isUndone || leg.at - others[0].leg.at > HOUR_SECONDS)) {
      others.shift()
    }
    const undone = others.find(
      (other) =>
        !other.isUndone &&
        other.leg.origin !== leg.origin &&
        areOfOneSize(other.leg, leg) &&
        [other.leg, leg].some(({ base }) => isTelling(magnitude(base))),
    )
    if (undone) {
      undone.isUndone = true
      pairs.push([undone.leg, leg])
      continue
    }
    own.push({ leg, isUndone: false })
    if (own.length > MOST_OPEN) own.shift()
  }
  return pairs
}

function areOfOneSize(a: PartyLeg, b: PartyLeg): boolean {
  return magnitude(a.base + b.base) * 100n <= magnitude(a.base)
}
