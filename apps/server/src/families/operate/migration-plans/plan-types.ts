import type { contract } from '@liquidity-os/contract'
import type { Orientation, PositionKey } from '@liquidity-os/engine/amm'
import type { Static } from 'typebox'
import { type Address, getAddress } from 'viem'

export type PlanRequest = Static<typeof contract.MigrationPlanRequest>
export type PlanPayload = Static<typeof contract.MigrationPlan>
export type StepRecord = Static<typeof contract.MigrationStep>
export type Invariant = Static<typeof contract.MigrationInvariant>
export type Realized = Static<typeof contract.RealizedStep>
export type Transition = Static<typeof contract.MigrationTransition>
export type VenueProfile = Static<typeof contract.VenueProfile>

/** A venue of a plan; the engine identifies its market by the venue id. */
export interface PlanVenue {
  readonly id: string
  readonly status: string
  readonly profile: VenueProfile
}

/** Location of liquidity: venue, owner and range. */
export interface LiquidityLocation {
  readonly venueId: string
  readonly owner: Address
  readonly tickLower: number | null
  readonly tickUpper: number | null
  readonly tokenId: string | null
}

/** Key of a position in the engine. A position token of the manager has a separate key. */
export function keyOf({ owner, tickLower, tickUpper, tokenId }: LiquidityLocation): PositionKey {
  return {
    owner: tokenId === null ? getAddress(owner) : `nft:${tokenId}`,
    tickLower: tickLower ?? 0,
    tickUpper: tickUpper ?? 0,
  }
}

/** A pool orders its tokens by address. */
export function orientationOf({ base, quote }: { base: string; quote: string }): Orientation {
  return BigInt(base) < BigInt(quote) ? { base: 0, quote: 1 } : { base: 1, quote: 0 }
}
