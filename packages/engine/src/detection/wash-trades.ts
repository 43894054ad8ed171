import { findClosedRuns, findRunsToTheCrumb, legsOfPattern } from './closed-runs.ts'
import { type Funding, noFunding } from './common-funding.ts'
import {
  linkedSigners,
  MOST_OWNERS,
  type SignedLeg,
  type Users,
  usersOf,
} from './linked-signers.ts'

/**
 * Party behind offsetting trades: one signer, a group of related signers, or all users of one
 * contract.
 */
export type WashParty = 'ONE_SIGNER' | 'LINKED_SIGNERS' | 'ONE_CONTRACT'

/**
 * Wash trades, with the weakest assumption that identifies the party.
 *
 * In a pool every trader trades with the pool, so counterparties cannot form a circle as on an
 * order book. A party is one signer, a group of signers related by their swaps, or all users of one
 * contract. Its position must return to the start.
 *
 * Each venue is evaluated separately, because a buy on one venue and a sale on another is
 * arbitrage.
 *
 * @param legs of one window, in chain order
 * @param usersBy users by contract, over all venues; required if the legs do not cover all venues
 * @param funding accounts that sent tokens to the signers, as far as read
 * @see `findClosedRuns`, `linkedSigners`
 * @see Victor and Weintraud, “Detecting and quantifying wash trading on decentralized
 * cryptocurrency exchanges” (2021), on positions of trader sets that net to zero in a window
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
  // A party with a new signer per leg has many groups of one run each, so runs of different groups
  // count as neighbors.
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
