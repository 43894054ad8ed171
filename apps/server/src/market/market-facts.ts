import type { LoggedMarket } from '@liquidity-os/engine/amm'
import { limits } from '../limits.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { daySeconds } from '../units.ts'
import type { ObservationRecord } from './completed-observations.ts'
import { minReturns, type Sample, volatilityOf } from './realized-volatility.ts'

/** Statistics from an observation in addition to its last state; null if it is too short. */
export interface MarketFacts {
  /** Standard deviation of ln price per root of a second, and the returns behind it. */
  volatility: ReturnType<typeof volatilityOf>
  /** Daily fees of all positions together, quote atoms. */
  feesQuotePerDay: bigint | null
}

export async function marketFacts(
  records: TenantRecords,
  { payload: { range, samples, metrics } }: ObservationRecord,
): Promise<MarketFacts> {
  const seconds = (Date.parse(range.to.timestamp) - Date.parse(range.from.timestamp)) / 1000
  const isReadable = samples.count > minReturns && samples.count <= limits.volatilitySamples
  return {
    volatility: isReadable
      ? volatilityOf(JSON.parse(`${await records.artifact(samples.artifactHash)}`) as Sample[])
      : null,
    feesQuotePerDay:
      seconds < daySeconds
        ? null
        : (BigInt(metrics.feesQuote) * BigInt(daySeconds)) / BigInt(seconds),
  }
}

/**
 * Fees per day that positions would have earned at the observed price, by their share of the
 * liquidity in range. Rounded down; null for a market without ranges.
 */
export function expectedFees(
  { feesQuotePerDay }: MarketFacts,
  market: LoggedMarket,
  positions: readonly { tickLower: number; tickUpper: number; liquidity: bigint }[],
): bigint | null {
  if (feesQuotePerDay === null || market.kind !== 'UNISWAP_V3') return null
  const own = positions
    .filter(({ tickLower, tickUpper }) => tickLower <= market.tick && market.tick < tickUpper)
    .reduce((sum, { liquidity }) => sum + liquidity, 0n)
  return own === 0n ? 0n : (feesQuotePerDay * own) / (market.liquidity + own)
}
