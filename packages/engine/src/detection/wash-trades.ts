import { findClosedRuns, findRunsToTheCrumb, legsOfPattern } from './closed-runs.ts'
import { type Funding, noFunding } from './common-funding.ts'
import {
  linkedSigners,
  MOST_OWNERS,
  type SignedLeg,
  type Users,
  usersOf,
} from './linked-signers.ts'

/** By whom trades were undone: one signer, signers that belong together, or whoever used one contract. */
export type WashParty = 'ONE_SIGNER' | 'LINKED_SIGNERS' | 'ONE_CONTRACT'

/**
 * Trades by which a party has traded with itself, with the least that must be assumed to say so.
 *
 * Of a pool everybody trades with the pool, so a party is no circle of counterparties as it is on an order book: it is one
 * signer, a group that swaps tell to belong together, or all who used one contract, and it has to close up.
 *
 * Whoever buys on one venue and sells on another carries prices over, so each venue is looked at by itself.
 *
 * @param legs of one window, in chain order
 * @param usersBy who used which contract, over all venues: where legs are not of all of them, it must be
 * @param funding which accounts sent tokens to the signers, as far as it was read
 * @see `findClosedRuns`, `linkedSigners`
 * @see Victor and Weintraud, “Detecting and quantifying wash trading on decentralized cryptocurrency exchanges” (2021),
 *   on positions of trader sets that net to nothing in a window
 */
export function washTrades<Leg extends SignedLeg>(
  legs: readonly Leg[],
  usersBy: Users = usersOf(legs),
  funding: Funding = noFunding,
): Map<Leg, WashParty> {
  const found = new Map<Leg, WashParty>()
  for (const own of Map.groupBy(legs, ({ venueId }) => venueId).values()) {
    for (const [party, some] of closedBy(own, usersBy, funding)) {
      for (const leg of some) if (!found.has(leg)) found.set(leg, party)
    }
  }
  return found
}

/** What closes up on one venue, the plainest party first. */
function closedBy<Leg extends SignedLeg>(
  legs: readonly Leg[],
  usersBy: Users,
  funding: Funding,
): [WashParty, Leg[]][] {
  const signers = [...Map.groupBy(legs, ({ origin }) => origin).values()]
  const groups = linkedSigners(legs, usersBy, funding)
  const linked = legs.filter(({ origin }) => groups.has(origin))
  // Who uses a new signer for every leg has many groups of one run each: runs of groups are neighbours of each other.
  const runs = [...Map.groupBy(linked, ({ origin }) => groups.get(origin)).values()]
    .flatMap(findClosedRuns)
    .sort((a, b) => a.legs[0]!.at - b.legs[0]!.at)
  const shared = (['sender', 'recipient'] as const).flatMap((role) =>
    [...Map.groupBy(legs, (leg) => leg[role])].flatMap(([contract, own]) =>
      (usersBy.get(contract)?.size ?? 0) > MOST_OWNERS ? [own] : [],
    ),
  )
  return [
    ['ONE_SIGNER', signers.flatMap((own) => legsOfPattern(findClosedRuns(own)))],
    ['LINKED_SIGNERS', legsOfPattern(runs)],
    ['ONE_CONTRACT', shared.flatMap((own) => legsOfPattern(findRunsToTheCrumb(own)))],
  ]
}
