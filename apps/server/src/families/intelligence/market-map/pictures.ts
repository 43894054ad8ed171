import type { PictureFamily, PictureRequest } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { venuesToEvaluate } from '../../../market/named-venue.ts'
import { pairMapOf } from './pair-map.ts'

export const pictures: PictureFamily = {
  operationId: 'getUnifiedLiquidityMap',
  read: readMap,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/** Reads the map of the pair in the query. Fails if no venue trades the pair. */
async function readMap({ query, records, services }: PictureRequest): Promise<object> {
  const { chainId, base, quote, sizesQuote } = query
  const same = (a: unknown, b: string) => `${a}`.toLowerCase() === b.toLowerCase()
  const venues = (await venuesToEvaluate(records)).filter(
    ({ payload: { pair } }) =>
      pair.chainId === chainId && same(base, pair.base) && same(quote, pair.quote),
  )
  if (venues.length === 0) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const sizes = typeof sizesQuote === 'string' ? sizesQuote.split(',') : null
  return pairMapOf(records, services, venues.slice(0, limits.mapVenues), sizes)
}
