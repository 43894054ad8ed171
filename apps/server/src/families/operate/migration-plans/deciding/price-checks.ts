import { midPrice, observeOracle, PoolRevertError, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { PlanLimits, World } from '@liquidity-os/engine/migration'
import { limits } from '../../../../limits.ts'
import { storedMidX36, x36Of } from '../../../../market/mid-price.ts'
import type { PlanPayload } from '../plan-types.ts'

const x18 = 10n ** 18n
const x36 = 10n ** 36n
export const priceX18Of = ({ num, den }: Rat) => (num * x18) / den

/** Reason a price is outside its band, or null. */
export function outOfBand(world: World, { priceBand }: PlanLimits): string | null {
  const { num, den } = midPrice(world.market, world.orientation)
  const { lowest, highest } = priceBand
  const isWithin = num * lowest.den >= lowest.num * den && num * highest.den <= highest.num * den
  return isWithin ? null : `the price ${priceX18Of({ num, den })} is outside the band`
}

/**
 * Reason a price deviates too far from its reference, or null. The reference is the half-hour TWAP
 * of the pool's oracle. If the oracle has too little history, the plan's price is the reference.
 */
export function farFromReference(world: World, plan: PlanPayload): string | null {
  const deviation = BigInt(plan.request.constraints.twapDeviationPips ?? 20_000)
  const price = x36Of(midPrice(world.market, world.orientation))
  const average = averageX36(world)
  const reference = average ?? storedMidX36(plan.start) ?? 0n
  const gap = price > reference ? price - reference : reference - price
  if (gap * 1_000_000n <= deviation * reference) return null
  const named = average === null ? 'the plan price' : 'the 30-minute average'
  return `the price ${price} (X36) differs by more than ${deviation} pips from ${named}, ${reference}`
}

function averageX36({ market, orientation }: World): bigint | null {
  if (market.kind !== 'UNISWAP_V3') return null
  try {
    const [then, now] = observeOracle(market, [limits.migrationTwapSeconds, 0])
    // One observation per requested time.
    const passed = now!.tickCumulative - then!.tickCumulative
    const seconds = BigInt(limits.migrationTwapSeconds)
    const tick = passed / seconds - (passed < 0n && passed % seconds !== 0n ? 1n : 0n)
    const square = sqrtRatioAtTick(Number(tick)) ** 2n
    const one = 1n << 192n
    return orientation.base === 0 ? (square * x36) / one : (one * x36) / square
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}
