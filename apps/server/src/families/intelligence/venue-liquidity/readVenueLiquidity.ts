import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { ownPositionsAt } from '../../../market/own-positions.ts'
import { managersAsOne } from '../../../market/provider-depths.ts'
import { readInThread, sourceOf, venueState } from './read-liquidity.ts'

type Answer = contract.VenueLiquidity

export default handle(contract.readVenueLiquidity, async (request): Promise<Outcome> => {
  const { params, query, records, services, fail } = request
  const found = await venueState(records, params.id)
  if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { venue, observation } = found
  const { withinPips, bins } = { ...contract.liquidityDefaults, ...query }
  const nothing = { bins: [], providers: [], withinPips }
  if (!observation) {
    const data: Answer = {
      ...sourceOf(venue, null, null),
      ...nothing,
      state: 'ABSTAINED',
      reasons: ['VENUE_NOT_OBSERVED'],
    }
    return { data }
  }
  const own = ownPositionsAt(venue.payload.ownedPositions, observation.payload.positionTokens)
  const namesOwn = (venue.payload.ownedPositions?.length ?? 0) > 0
  const read = await readInThread(records, services, venue, observation, {
    bins: { withinPips, bins, own: namesOwn && own.areKnown ? own.positions : null },
  })
  const source = sourceOf(venue, observation, read.priceX36)
  if (read.bins === null) {
    const reason = read.priceX36 === null ? 'NO_PRICE' : 'NO_PRICE_RANGES'
    const data: Answer = { ...source, ...nothing, state: 'ABSTAINED', reasons: [reason] }
    return { data }
  }
  const { metrics, evidence } = observation.payload
  const isManagerOneProvider = evidence.assumptions.some(({ code }) => code === managersAsOne)
  const reasons: Answer['reasons'] = []
  if (namesOwn && !read.isOwnKnown) reasons.push('OWN_LIQUIDITY_UNKNOWN')
  if (!metrics.providers) reasons.push('PROVIDERS_UNKNOWN')
  if (isManagerOneProvider) reasons.push('POSITION_MANAGER_AS_ONE_PROVIDER')
  const data: Answer = {
    ...source,
    state: reasons.length === 0 ? 'COMPLETED' : 'PARTIAL',
    reasons,
    withinPips,
    bins: read.bins,
    providers: providersOf(venue, observation),
  }
  return { data }
})

/** Largest providers of an observation; empty if it does not know them. */
function providersOf(
  { payload }: VenueRecord,
  { payload: { metrics } }: ObservationRecord,
): Answer['providers'] {
  const own = new Set(payload.ownedPositions?.map(({ owner }) => owner.toLowerCase()))
  return (metrics.providers ?? []).map((one) => ({
    ...one,
    isOwn: own.has(one.address.toLowerCase()),
  }))
}
