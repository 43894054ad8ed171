import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { priceOfAsset, valueAt } from '../../../market/prices/price-of-asset.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

type Valuation = NonNullable<contract.TreasuryBucketInput['valuation']>
type Gap = contract.TreasuryGap

/** A value with its prices; null with gaps that state the reason. */
export interface Valued {
  readonly value: { quoteKey: string; amount: string } | null
  readonly prices: readonly contract.TreasuryPrice[]
  readonly gaps: readonly Gap[]
}

/**
 * Values quantities at the prices of a moment; a claim by its underlying asset. If one price is
 * missing, the result is null, because 0 or a partial value would be wrong.
 *
 * @param terms.at Unix seconds
 * @param terms.field prefix of the request's field paths
 * @throws Failure 409 LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE if the request pins an outdated
 * price version
 */
export async function valued(
  records: TenantRecords,
  { quoteKey, oracleProviderId, oracleGeneration }: Valuation,
  parts: readonly { readonly asset: string; readonly quantity: bigint }[],
  terms: { readonly at: number; readonly rounding: 'DOWN' | 'UP'; readonly field: string },
): Promise<Valued> {
  const { at, rounding, field } = terms
  const priced = await Promise.all(
    parts.map(async ({ asset, quantity }) => {
      const pair = { assetKey: asset, quoteKey, providerId: oracleProviderId }
      return { asset, quantity, price: await priceOfAsset(records, pair, at) }
    }),
  )
  const prices = priced.flatMap(({ price }) => price ?? [])
  requireGeneration(oracleGeneration, prices, field)
  const gaps = priced.flatMap(({ asset, price }): Gap[] =>
    price
      ? []
      : [
          {
            code: 'PRICE_UNAVAILABLE',
            subject: asset,
            effect: 'EXCLUDED',
            detail: `${oracleProviderId} has no current price in ${quoteKey}.`,
          },
        ],
  )
  if (gaps.length > 0) return { value: null, prices, gaps }
  const amount = priced.reduce(
    (sum, { quantity, price }) => sum + valueAt(quantity, price?.priceX36 ?? '0', rounding),
    0n,
  )
  return { value: { quoteKey, amount: amount.toString() }, prices, gaps }
}

function requireGeneration(
  pinned: string | undefined,
  prices: readonly contract.TreasuryPrice[],
  field: string,
): void {
  if (pinned === undefined || prices.some(({ generation }) => generation === pinned)) return
  const current = prices.map(({ generation }) => generation).join(', ')
  const message = `must be the current one, ${current === '' ? 'but none exists' : current}, got ${pinned}`
  throw new Failure('LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE', {
    fieldErrors: { [`${field}valuation.oracleGeneration`]: [message] },
  })
}
