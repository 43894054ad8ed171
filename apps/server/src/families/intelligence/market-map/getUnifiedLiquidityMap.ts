import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { venuesToEvaluate } from '../../../market/named-venue.ts'
import { pairKey } from '../../../market/pair.ts'
import { pairMapOf } from './pair-map.ts'

/** Maps the requested pairs, by default all. */
export default handle(contract.getUnifiedLiquidityMap, async (request): Promise<Outcome> => {
  const { query, records, services } = request
  const isRequested = ({
    chainId,
    base,
    quote,
  }: {
    chainId: number
    base: string
    quote: string
  }) =>
    (query.chainId === undefined || query.chainId === chainId) &&
    (query.base === undefined || query.base.toLowerCase() === base.toLowerCase()) &&
    (query.quote === undefined || query.quote.toLowerCase() === quote.toLowerCase())
  const venues = (await venuesToEvaluate(records)).filter(({ payload }) =>
    isRequested(payload.pair),
  )
  const groups = [...Map.groupBy(venues, ({ payload }) => pairKey(payload.pair)).values()]
  const sizes = query.sizesQuote?.split(',') ?? null
  const markets = await Promise.all(
    groups
      .slice(0, limits.mapPairs)
      .map((group) => pairMapOf(records, services, group.slice(0, limits.mapVenues), sizes)),
  )
  return { data: { markets } }
})
