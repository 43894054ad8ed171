import type { contract } from '@liquidity-os/contract'
import { priceOfAsset, valueAt } from '../../../market/prices/price-of-asset.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { ComparedLine } from './compare-place.ts'

type Line = contract.ReconciliationLine
type Request = contract.TreasuryReconciliationPreviewRequest

/** Value of differences, for display only: quantities alone decide whether sources agree. */
export interface Worth {
  readonly prices: readonly contract.TreasuryPrice[]
  readonly gaps: readonly contract.TreasuryGap[]
  readonly ofLine: (
    line: Pick<Line, 'assetKey' | 'differences'>,
    isOpen: boolean,
  ) => Pick<Line, 'material' | 'valueQuote'>
}

/** @param at Unix seconds */
export async function worthOf(
  records: TenantRecords,
  { valuation, materialityQuote = '0' }: Request,
  lines: readonly ComparedLine[],
  at: number,
): Promise<Worth> {
  const assets = valuation ? [...new Set(lines.map(({ assetKey }) => assetKey))] : []
  const priced = await Promise.all(
    assets.map(async (assetKey) => {
      const { quoteKey = '', oracleProviderId: providerId = '' } = valuation ?? {}
      const price = await priceOfAsset(records, { assetKey, quoteKey, providerId }, at)
      return [assetKey, price] as const
    }),
  )
  const prices = new Map(priced)
  return {
    prices: priced.flatMap(([, price]) => price ?? []),
    gaps: priced.flatMap(([subject, price]) =>
      price
        ? []
        : [
            {
              code: 'PRICE_UNAVAILABLE',
              subject,
              effect: 'FLAGGED' as const,
              detail: 'The difference has no value. The match does not depend on a value.',
            },
          ],
    ),
    ofLine: ({ assetKey, differences }, isOpen) => {
      const price = prices.get(assetKey)
      const off = differences.ledgerMinusChain ?? differences.ledgerMinusCustody
      const amount = off === null ? null : BigInt(off.replace('-', ''))
      const value = price && amount !== null ? valueAt(amount, price.priceX36, 'UP') : null
      return {
        valueQuote: value === null ? null : `${value}`,
        material: isOpen && (value === null || value >= BigInt(materialityQuote)),
      }
    },
  }
}
