import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

const seriesKind = 'price-series'
export const seriesName = (seriesId: string) => ({ kind: seriesKind, name: seriesId })

export const priceSeries = recordFamily(contract.priceSeriesFamily, {
  names: ({ payload }) => [seriesName(payload.seriesId)],
  nameKinds: [seriesKind],
})
