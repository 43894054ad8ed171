import type { contract } from '@liquidity-os/contract'
import { LEAST_BOOTSTRAP_ROWS, type Matrix } from '@liquidity-os/engine/stress'
import { H } from '@liquidity-os/evidence'
import { type DailyPrices, dailyPricesOf } from '../../../market/prices/daily-prices.ts'
import { dailyVolatilityOf, minDailyReturns } from '../../../market/prices/daily-volatility.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import type { KnownAsset } from '../../plan/treasury-projections/api.ts'

type Input = contract.TreasuryStressInput
type Gap = contract.TreasuryGap
type Supplied = NonNullable<NonNullable<Input['returns']>['supplied']>[number]

/** Daily returns of an asset. */
export interface AssetReturns {
  readonly assetKey: string
  readonly source: DailyPrices['source'] | 'CALLER_SUPPLIED'
  readonly of: string
  readonly returns: ReadonlyMap<number, number>
  /** σ of a day, the newest days weighing most. */
  readonly volatility: number
}

export interface ReadReturns {
  /** Held assets first, then factors that are not held. */
  readonly series: readonly AssetReturns[]
  /** Simulation input: days with a return for all of `columns`, in time order. */
  readonly rows: Matrix
  /** Keys of assets that are held and whose history is long enough not to shorten that of the others. */
  readonly columns: readonly string[]
  readonly supplied: readonly { assetKey: string; vectorHash: string; isUsed: boolean }[]
  readonly gaps: readonly Gap[]
}

const defaultWindowDays = 730

/**
 * Daily asset returns from the price store, or from the request if the store has too few.
 *
 * @param held assets with simulated prices
 * @param factors other factor assets of legs
 * @param at Unix seconds
 */
export async function readReturns(
  records: TenantRecords,
  { quoteKey, returns }: Input,
  {
    held,
    factors,
  }: { readonly held: readonly KnownAsset[]; readonly factors: readonly KnownAsset[] },
  at: number,
): Promise<ReadReturns> {
  const window = { from: at - (returns?.windowDays ?? defaultWindowDays) * daySeconds, to: at }
  const suppliedAssets: ReadReturns['supplied'][number][] = []
  const found = await Promise.all(
    [...held, ...factors].map(async ({ assetKey, providerId }): Promise<AssetReturns[]> => {
      if (assetKey === quoteKey) return []
      const prices = await dailyPricesOf(records, {
        assetKey,
        quoteKey,
        window,
        ...(providerId === null ? {} : { providerId }),
      })
      const own = prices && prices.returns.size >= minDailyReturns ? prices : null
      const supplied = returns?.supplied?.find((one) => one.assetKey === assetKey)
      const vectorHash = supplied && H('caller-returns/v1', supplied)
      if (vectorHash) suppliedAssets.push({ assetKey, vectorHash, isUsed: own === null })
      if (own) {
        const { source, of } = own
        return [
          {
            assetKey,
            source,
            of,
            returns: own.returns,
            volatility: dailyVolatilityOf(own.returns),
          },
        ]
      }
      if (!supplied || !vectorHash) return []
      const vector = vectorOf(supplied)
      return [
        {
          assetKey,
          source: 'CALLER_SUPPLIED',
          of: vectorHash,
          returns: vector,
          volatility: dailyVolatilityOf(vector),
        },
      ]
    }),
  )
  const series = found.flat()
  const drawn = longHistories(
    series.filter(({ assetKey }) => held.some((asset) => asset.assetKey === assetKey)),
  )
  const days = commonDays(drawn)
  return {
    series,
    rows: days.map((day) => drawn.map((one) => one.returns.get(day) ?? 0)),
    columns: drawn.map(({ assetKey }) => assetKey),
    supplied: suppliedAssets.toSorted((a, b) => (a.assetKey < b.assetKey ? -1 : 1)),
    gaps: suppliedAssets
      .filter(({ isUsed }) => isUsed)
      .map(({ assetKey, vectorHash }) => ({
        code: 'CALLER_SUPPLIED',
        subject: assetKey,
        effect: 'BOUNDED',
        detail: `It has fewer than ${minDailyReturns} sealed daily returns; the returns supplied by the caller are used instead, ${vectorHash}.`,
      })),
  }
}

function commonDays(series: readonly AssetReturns[]): number[] {
  const [first, ...others] = series
  return [...(first?.returns.keys() ?? [])]
    .filter((day) => others.every((one) => one.returns.has(day)))
    .sort((a, b) => a - b)
}

/**
 * Drops short series that would leave too few common days for a bootstrap. Repeatedly removes the
 * shortest series while the common days are insufficient and it is their limit. Removed assets move
 * by their β in simulated paths.
 */
function longHistories(series: readonly AssetReturns[]): AssetReturns[] {
  const usable = [...series]
  while (usable.length > 1) {
    const days = commonDays(usable).length
    if (days >= LEAST_BOOTSTRAP_ROWS) return usable
    const shortest = usable.reduce((min, one) => (one.returns.size < min.returns.size ? one : min))
    const rest = usable.filter((one) => one !== shortest)
    if (commonDays(rest).length === days) return usable
    usable.splice(usable.indexOf(shortest), 1)
  }
  return usable
}

/** Declared returns by end of day, in Unix seconds. */
function vectorOf({ from, returnsPips }: Supplied): ReadonlyMap<number, number> {
  const first = Math.floor(Date.parse(from) / 1000 / daySeconds) * daySeconds
  return new Map(returnsPips.map((pips, day) => [first + (day + 1) * daySeconds, pips / 1e6]))
}
