import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { AssetMarket } from '@liquidity-os/engine/treasury'
import { Failure } from '../../../failure.ts'
import { dailyVolumeOf } from '../../../market/daily-volumes.ts'
import { dailyPricesOf, venuesWithBase } from '../../../market/prices/daily-prices.ts'
import { dailyVolatilityOf, minDailyReturns } from '../../../market/prices/daily-volatility.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import type { ProjectionBody } from './read-sources.ts'

type Gap = contract.TreasuryGap
type SaleMarket = NonNullable<contract.TreasuryProjection['markets']>[number]

interface PricedAsset {
  readonly assetKey: string
  readonly providerId: string | null
  readonly price: contract.TreasuryPrice | null
}

/** Markets of the assets that a projection can sell. */
export interface SaleMarkets {
  /** Assets with a known volume and volatility. */
  readonly markets: readonly SaleMarket[]
  readonly gaps: readonly Gap[]
}

const maxVenues = 16
const returnDays = 730

/**
 * Daily volume and volatility of the assets that a projection can sell. Observed values come from
 * venues with the asset as base and from daily prices; declared values fill in for unknown ones.
 *
 * @param asOf Unix seconds
 * @throws Failure 400 if a declared market is not for a priced asset of the projection
 */
export async function readSaleMarkets(
  records: TenantRecords,
  declared: NonNullable<ProjectionBody['markets']>,
  assets: readonly PricedAsset[],
  { quoteKey, asOf }: { readonly quoteKey: string; readonly asOf: number },
): Promise<SaleMarkets> {
  const sold = assets.filter(({ price, assetKey }) => price !== null && assetKey !== quoteKey)
  requireSold(declared, sold)
  const read = await Promise.all(
    sold.map(async ({ assetKey, providerId }) => {
      const venues = (await venuesWithBase(records, assetKey)).slice(0, maxVenues)
      const volume = await dailyVolumeOf(records, venues, asOf)
      const prices = await dailyPricesOf(records, {
        assetKey,
        quoteKey,
        window: { from: asOf - returnDays * daySeconds, to: asOf },
        ...(providerId === null ? {} : { providerId }),
      })
      const returns = prices && prices.returns.size >= minDailyReturns ? prices.returns : null
      const own = declared.find((one) => one.assetKey === assetKey)
      return marketOf(assetKey, { volume, returns, own })
    }),
  )
  return {
    markets: read.flatMap(({ market }) => market ?? []),
    gaps: read.flatMap(({ gaps }) => gaps),
  }
}

interface Known {
  readonly volume: { readonly median: bigint; readonly days: number } | null
  readonly returns: ReadonlyMap<number, number> | null
  readonly own: NonNullable<ProjectionBody['markets']>[number] | undefined
}

function marketOf(assetKey: string, { volume, returns, own }: Known) {
  const dailyVolume = volume ? `${volume.median}` : own?.dailyVolume
  const observed = returns && dailyVolatilityOf(returns)
  // A price of zero has no return.
  const isObserved = observed !== null && Number.isFinite(observed)
  const dailyVolatilityPips = isObserved ? Math.ceil(observed * 1e6) : own?.dailyVolatilityPips
  const market: SaleMarket | null =
    dailyVolume === undefined || dailyVolatilityPips === undefined || dailyVolume === '0'
      ? null
      : {
          assetKey,
          volumeSource: volume ? 'OBSERVED' : 'DECLARED',
          dailyVolume,
          observedDays: volume?.days ?? 0,
          volatilitySource: isObserved ? 'OBSERVED' : 'DECLARED',
          dailyVolatilityPips,
        }
  const isDeclared = own !== undefined && (volume === null || !isObserved)
  const isUnused = own !== undefined && (volume !== null || isObserved)
  const gaps: Gap[] = [
    ...(isDeclared ? [gapOf(assetKey, 'VOLUME_DECLARED')] : []),
    ...(isUnused ? [gapOf(assetKey, 'DECLARED_NOT_USED')] : []),
  ]
  return { market, gaps }
}

const gapOf = (subject: string, code: 'VOLUME_DECLARED' | 'DECLARED_NOT_USED'): Gap =>
  code === 'VOLUME_DECLARED'
    ? {
        code,
        subject,
        effect: 'BOUNDED',
        detail:
          'Its daily volume or volatility is not observed; the value is supplied by the caller.',
      }
    : {
        code,
        subject,
        effect: 'FLAGGED',
        detail: 'An observed volume or volatility replaces its declared value.',
      }

function requireSold(
  declared: NonNullable<ProjectionBody['markets']>,
  sold: readonly PricedAsset[],
): void {
  const faults: FieldErrors = {}
  for (const [index, { assetKey }] of declared.entries()) {
    const at = `markets.${index}.assetKey`
    if (!sold.some((one) => one.assetKey === assetKey)) {
      faults[at] = [
        `must be a priced asset of the projection that is not its quote, got ${assetKey}`,
      ]
    } else if (declared.findIndex((one) => one.assetKey === assetKey) !== index) {
      faults[at] = [`must be unique, got ${assetKey} again`]
    }
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: faults })
  }
}

/** Market of an asset in the form of the engine; null if it is unknown. */
export function engineMarketOf(
  markets: readonly SaleMarket[],
  assetKey: string,
): AssetMarket | null {
  const found = markets.find((one) => one.assetKey === assetKey)
  return found
    ? {
        dailyVolume: BigInt(found.dailyVolume),
        dailyVolatilityPips: BigInt(found.dailyVolatilityPips),
      }
    : null
}
