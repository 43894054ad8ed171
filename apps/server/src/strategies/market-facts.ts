import { type LoggedMarket, ln } from '@liquidity-os/engine'
import type { ObservationRecord } from '../observations/completed-observations.ts'
import type { TenantRecords } from '../records/tenant-records.ts'

/** What an observation says of its market beside its last state; null where it is too short to say it. */
export interface MarketFacts {
  /** Standard deviation of ln price per root of a second, and the returns behind it. */
  volatility: { value: number; returns: number } | null
  /** What all positions together earned in a day, quote atoms. */
  feesQuotePerDay: bigint | null
}

/** A point of the cadence, as the index job wrote it. */
export interface Sample {
  at: number
  midX18: string | null
}

const day = 86_400
const year = 365 * day
/** Fewest returns from which a volatility is said. */
export const fewestReturns = 100
/** Most samples that are read for it. */
const mostSamples = 50_000

export async function marketFacts(
  records: TenantRecords,
  { payload: { range, samples, metrics } }: ObservationRecord,
): Promise<MarketFacts> {
  const seconds = (Date.parse(range.to.timestamp) - Date.parse(range.from.timestamp)) / 1000
  const isReadable = samples.count > fewestReturns && samples.count <= mostSamples
  return {
    volatility: isReadable
      ? volatilityOf(JSON.parse(`${await records.artifact(samples.artifactHash)}`) as Sample[])
      : null,
    feesQuotePerDay:
      seconds < day ? null : (BigInt(metrics.feesQuote) * BigInt(day)) / BigInt(seconds),
  }
}

/**
 * Realised volatility: squared returns of ln price over the time they took, which is also how a strategy
 * measures it while it runs.
 */
export function volatilityOf(samples: readonly Sample[]): MarketFacts['volatility'] {
  let squares = 0
  let seconds = 0
  let returns = 0
  let last: { at: number; price: number } | null = null
  for (const { at, midX18 } of samples) {
    if (midX18 === null) continue
    const price = Number(midX18)
    if (last !== null) {
      squares += ln(price / last.price) ** 2
      seconds += at - last.at
      returns += 1
    }
    last = { at, price }
  }
  return returns < fewestReturns ? null : { value: Math.sqrt(squares / seconds), returns }
}

/**
 * What positions would have earned in a day at the observed price, had they been there: their part of the
 * liquidity in range of what was earned. Rounded down; null for a market without ranges.
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

/** The same in pips a year, as models name it. */
export const annualPips = (volatility: number) =>
  Math.round(volatility * Math.sqrt(year) * 1_000_000)
