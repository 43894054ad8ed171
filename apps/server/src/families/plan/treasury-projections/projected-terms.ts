import type { contract } from '@liquidity-os/contract'
import type { ProjectedAsset, Tier, TreasuryTerms } from '@liquidity-os/engine/treasury'
import { priceOfAsset } from '../../../market/prices/price-of-asset.ts'
import type { AssetClassifier } from '../../../market/treasury/asset-classes.ts'
import { monthStart, monthsUntil } from '../../../market/treasury/months.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { textOrEmpty } from '../../../texts.ts'
import type { Opening } from './opening-balances.ts'
import type { Flow } from './projected-flows.ts'
import type { Entry } from './read-sources.ts'
import { engineMarketOf, type SaleMarkets } from './sale-markets.ts'

type AssumptionSet = contract.TreasuryAssumptionSet
type Gap = contract.TreasuryGap

/** All inputs of the projection for one asset. */
export interface KnownAsset {
  readonly assetKey: string
  readonly tier: contract.TreasuryTier
  readonly providerId: string | null
  readonly price: contract.TreasuryPrice | null
}

const numberOf = (tier: contract.TreasuryTier) => Number(tier.slice(1)) as Tier

/**
 * Assets sorted by key, each with its tier and price at the moment.
 *
 * @param read.named price provider for every asset
 */
export async function knownAssetsOf(
  records: TenantRecords,
  read: {
    readonly quoteKey: string
    readonly keys: readonly string[]
    readonly entries: readonly Entry[]
    readonly openings: readonly Opening[]
    readonly classifier: AssetClassifier
    readonly asOf: number
    readonly named: string | undefined
  },
): Promise<{ assets: KnownAsset[]; gaps: Gap[] }> {
  const { quoteKey, entries, openings, classifier, asOf, named } = read
  const keys = [...new Set(read.keys)].sort()
  const assets = await Promise.all(
    keys.map(async (assetKey): Promise<KnownAsset> => {
      const direct = openings.find((one) => one.isDirect && one.assetKey === assetKey)
      const tier = direct?.tier ?? (await classifier.classOf({ assetKey })).tier
      const providerId = named ?? providerOf(entries, assetKey)
      // The quote in itself has price 1 without a provider.
      const pair = { assetKey, quoteKey, providerId: textOrEmpty(providerId) }
      const isKnown = providerId !== null || assetKey === quoteKey
      const price = isKnown ? await priceOfAsset(records, pair, asOf) : null
      return { assetKey, tier, providerId, price }
    }),
  )
  return {
    assets,
    gaps: assets.flatMap((asset) => (asset.price ? [] : [unpriced(asset, quoteKey)])),
  }
}

/** Price provider of the oldest entry valued in the asset or in a claim on it. */
function providerOf(entries: readonly Entry[], assetKey: string): string | null {
  const valued = entries.find(
    ({ payload }) =>
      payload.valuation !== undefined &&
      (payload.asset === assetKey ||
        payload.observed?.legs.some((leg) => leg.asset === assetKey) === true),
  )
  return valued?.payload.valuation?.oracleProviderId ?? null
}

const unpriced = ({ assetKey, providerId }: KnownAsset, quoteKey: string): Gap => ({
  code: 'PRICE_UNAVAILABLE',
  subject: assetKey,
  effect: 'EXCLUDED',
  detail:
    providerId === null
      ? 'Neither its entries nor the request name a price provider. Quote figures exclude it.'
      : `${providerId} has no current price in ${quoteKey}. Quote figures exclude it.`,
})

/** Completed months of the horizon at a moment. @param at milliseconds since 1970 */
export function elapsedMonths({ startMonth, horizonMonths }: AssumptionSet, at: number): number {
  let elapsed = 0
  while (elapsed < horizonMonths && monthStart(startMonth, elapsed + 1) <= at) elapsed += 1
  return elapsed
}

/**
 * Remaining share of the current month, in thousandths rounded down. @param at milliseconds since
 * 1970
 */
export function remainderOfFirstMonthX3(set: AssumptionSet, at: number): number {
  const elapsed = elapsedMonths(set, at)
  const [from, to] = [monthStart(set.startMonth, elapsed), monthStart(set.startMonth, elapsed + 1)]
  return at <= from ? 1000 : Math.floor(((to - at) * 1000) / (to - from))
}

/** The treasury in the form of the engine; asset indexes refer to `assets`. */
export function projectedTerms(
  set: AssumptionSet,
  assets: readonly KnownAsset[],
  openings: readonly Opening[],
  {
    flows,
    markets,
    asOf,
  }: {
    readonly flows: readonly Flow[]
    readonly markets: SaleMarkets['markets']
    readonly asOf: number
  },
): TreasuryTerms {
  const placeOf = new Map(assets.map(({ assetKey }, index) => [assetKey, index]))
  const place = (assetKey: string) => {
    const found = placeOf.get(assetKey)
    if (found === undefined) throw new Error(`${assetKey} is not an asset of the projection.`)
    return found
  }
  const { ownTokenPolicy, haircuts } = set
  return {
    months: set.horizonMonths,
    elapsed: elapsedMonths(set, asOf * 1000),
    firstMonthX3: remainderOfFirstMonthX3(set, asOf * 1000),
    assets: assets.map(
      ({ assetKey, price, tier }): ProjectedAsset => ({
        assetKey,
        tier: numberOf(tier),
        market: engineMarketOf(markets, assetKey),
        priceX36: price ? BigInt(price.priceX36) : null,
      }),
    ),
    holdings: stocks(assets, openings).map(({ assetKey, tier, isDirect, quantity, returns }) => ({
      asset: place(assetKey),
      tier: numberOf(tier),
      isDirect,
      opening: quantity,
      returns: returnsByMonth(set, returns),
    })),
    flows: flows.map(({ assetKey, ...flow }) => ({ ...flow, asset: place(assetKey) })),
    haircutPips: [haircuts.T0, haircuts.T1, haircuts.T2, haircuts.T3, haircuts.T4],
    conversionOrder: set.conversionOrder.map(numberOf),
    ownToken:
      ownTokenPolicy.mode === 'SELL'
        ? {
            maximumParticipationPips: ownTokenPolicy.maximumParticipationPips,
            floorPriceX36: BigInt(ownTokenPolicy.floorPriceX18 ?? '0') * 10n ** 18n,
          }
        : null,
    minimumCashQuote: BigInt(set.minimumCashQuote),
  }
}

/**
 * Released amounts by month of the horizon. Releases before the first month count in it; releases
 * after the last month are omitted.
 */
export function returnsByMonth(
  { startMonth, horizonMonths }: Pick<AssumptionSet, 'startMonth' | 'horizonMonths'>,
  returns: Opening['returns'],
): TreasuryTerms['holdings'][number]['returns'] {
  const sums = new Map<number, bigint>()
  for (const { at, quantity } of returns) {
    const month = Math.max(0, monthsUntil(startMonth, at))
    if (month < horizonMonths) sums.set(month, (sums.get(month) ?? 0n) + quantity)
  }
  return [...sums].map(([month, quantity]) => ({ month, quantity }))
}

interface Stock extends Pick<Opening, 'assetKey' | 'tier' | 'isDirect' | 'returns'> {
  /** Unrestricted atoms. */
  readonly quantity: bigint
}

/**
 * One stock per asset for direct holdings, which pay obligations, and one per tier for claims.
 */
export function stocks(assets: readonly KnownAsset[], openings: readonly Opening[]): Stock[] {
  const sum = (some: readonly Opening[]) =>
    some.reduce((all, one) => all + one.quantity - one.restricted - one.reserved, 0n)
  return assets.flatMap(({ assetKey, tier }): Stock[] => {
    const of = openings.filter((one) => one.assetKey === assetKey)
    const direct = of.filter(({ isDirect }) => isDirect)
    const claims = Map.groupBy(
      of.filter(({ isDirect }) => !isDirect),
      (one) => one.tier,
    )
    return [
      { assetKey, tier, isDirect: true, quantity: sum(direct), returns: returnsOf(direct) },
      ...[...claims].map(([claimTier, some]) => ({
        assetKey,
        tier: claimTier,
        isDirect: false,
        quantity: sum(some),
        returns: returnsOf(some),
      })),
    ]
  })
}

const returnsOf = (some: readonly Opening[]) => some.flatMap(({ returns }) => returns)
