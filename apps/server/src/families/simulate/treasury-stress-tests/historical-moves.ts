import type { contract } from '@liquidity-os/contract'
import { ln } from '@liquidity-os/engine/numerics'
import { dailyPricesOf } from '../../../market/prices/daily-prices.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import type { KnownAsset } from '../../plan/treasury-projections/api.ts'
import { refuse } from './refuse.ts'
import type { RequestedScenario } from './requested-scenarios.ts'

type Historical = Extract<contract.TreasuryStressLeg, { kind: 'HISTORICAL' }>

/** The name of a window among those of a request. */
export const windowName = ({ from, to }: Historical): string => `${dayOf(from)}/${dayOf(to)}`

const dayOf = (text: string) => new Date(Date.parse(text)).toISOString().slice(0, 10)

/**
 * Log move of every asset over every window, if both prices are known. It is ln(price at 00:00 UTC
 * of its last day / of its first).
 *
 * @throws Failure 422 LIQUIDITY_STRESS_WINDOW_UNOBSERVED for a window without both prices for any
 * asset
 */
export async function historicalMoves(
  records: TenantRecords,
  quoteKey: string,
  assets: readonly KnownAsset[],
  scenarios: readonly RequestedScenario[],
): Promise<Record<string, Record<string, number>>> {
  const moves: Record<string, Record<string, number>> = {}
  for (const { legs, at } of scenarios) {
    for (const [index, leg] of legs.entries()) {
      if (leg.kind !== 'HISTORICAL') continue
      const name = windowName(leg)
      moves[name] ??= await movesWithin(records, quoteKey, assets, leg)
      if (Object.keys(moves[name]).length > 0) continue
      refuse(
        {
          [`${at}.legs.${index}.from`]: [
            `must be a period with a sealed ${quoteKey} price at its start and end, got ${leg.from} to ${leg.to}`,
          ],
        },
        'LIQUIDITY_STRESS_WINDOW_UNOBSERVED',
      )
    }
  }
  return moves
}

async function movesWithin(
  records: TenantRecords,
  quoteKey: string,
  assets: readonly KnownAsset[],
  leg: Historical,
): Promise<Record<string, number>> {
  const [from, to] = [leg.from, leg.to].map(
    (text) => Math.floor(Date.parse(text) / 1000 / daySeconds) * daySeconds,
  ) as [number, number]
  const found = await Promise.all(
    assets.map(async ({ assetKey, providerId }) => {
      const prices = await dailyPricesOf(records, {
        assetKey,
        quoteKey,
        window: { from, to },
        ...(providerId === null ? {} : { providerId }),
      })
      const [first, last] = [prices?.closes.get(from), prices?.closes.get(to)]
      return first && last ? [[assetKey, ln(Number(last) / Number(first))] as const] : []
    }),
  )
  return Object.fromEntries(found.flat())
}
