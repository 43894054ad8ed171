import type { PlanAmounts, PlanStep } from '@liquidity-os/engine/migration'
import { keyOf, type StepRecord } from '../plan-types.ts'

/**
 * The simulated step of a record; null for a step without a market, or one that creates a market.
 */
export function planStepOf(record: StepRecord): PlanStep | null {
  const { kind, venueId: world, position, swap, amounts, expected } = record
  if (world === null) return null
  const location =
    position && keyOf({ ...position, venueId: world, owner: position.owner as never })
  switch (kind) {
    case 'REMOVE':
      return location && { kind, world, position: location, liquidity: BigInt(expected.liquidity) }
    case 'COLLECT':
      return location && { kind, world, position: location }
    case 'SWAP':
      return swap && { kind, world, side: swap.side, amountIn: BigInt(swap.amountIn) }
    case 'MINT':
      return location && amounts && { kind, world, position: location, amounts: exact(amounts) }
    case 'APPROVE':
    case 'REVOKE_APPROVAL':
      return { kind, world }
    default:
      return null
  }
}

export const exact = ({ base, quote }: { base: string; quote: string }): PlanAmounts => ({
  base: BigInt(base),
  quote: BigInt(quote),
})

export const sumOf = (amounts: readonly PlanAmounts[]): PlanAmounts =>
  amounts.reduce((sum, { base, quote }) => ({ base: sum.base + base, quote: sum.quote + quote }), {
    base: 0n,
    quote: 0n,
  })
