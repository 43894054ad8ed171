import type { contract } from '@liquidity-os/contract'
import { type PictureFamily, payloadOf } from '../../../drawing/picture-family.ts'
import { venuesToEvaluate } from '../../../market/named-venue.ts'
import { venueTokens } from '../../../market/venue-tokens.ts'
import type { DrawnReconciliation } from './charts.ts'

export const pictures: PictureFamily = {
  operationId: 'getTreasuryReconciliation',
  read: async ({ id, records }): Promise<DrawnReconciliation> => {
    const [payload, venues] = await Promise.all([
      payloadOf<contract.TreasuryLedgerReconciliation>(records, 'TreasuryReconciliation', id),
      venuesToEvaluate(records),
    ])
    const tokens = venueTokens(venues).map(
      ({ assetKey, symbol, decimals }) => [assetKey, { symbol, decimals }] as const,
    )
    return { ...payload, tokens: Object.fromEntries(tokens) }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
