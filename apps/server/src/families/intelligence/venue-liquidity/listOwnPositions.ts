import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { readTokenOf } from '../../../market/own-positions.ts'
import { type NamedPosition, totalOf } from './position-values.ts'
import { readFlows } from './read-flows.ts'
import { readInThread, sourceOf, venueState } from './read-liquidity.ts'

export default handle(contract.listOwnPositions, async (request): Promise<Outcome> => {
  const { params, query, records, services, fail } = request
  const found = await venueState(records, params.id)
  if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { venue, observation } = found
  const nothing = { state: 'ABSTAINED' as const, positions: [], total: null }
  if (!observation) {
    const data: contract.VenuePositions = {
      ...sourceOf(venue, null, null),
      ...nothing,
      reasons: ['VENUE_NOT_OBSERVED'],
    }
    return { data }
  }
  const { ownedPositions = [] } = venue.payload
  const direct = ownedPositions.flatMap((position) => ('tokenId' in position ? [] : [position]))
  const areResultsRequested = query.results !== 'false'
  const flows = areResultsRequested
    ? await readFlows(records, services, venue, observation, direct)
    : direct.map(() => ({ missing: 'RESULTS_NOT_REQUESTED' as const }))
  const named = ownedPositions.map(
    (position): NamedPosition =>
      'tokenId' in position
        ? { ...position, token: readTokenOf(position, observation.payload.positionTokens) }
        : { ...position, flows: flows[direct.indexOf(position)]! },
  )
  const { positions, priceX36 } = await readInThread(records, services, venue, observation, {
    positions: named,
  })
  const total = totalOf(positions)
  const isIncomplete = positions.some(({ reasons }) => reasons.some(isMissingResult))
  const source = sourceOf(venue, observation, priceX36)
  const data: contract.VenuePositions =
    priceX36 === null
      ? { ...source, ...nothing, reasons: ['NO_PRICE'] }
      : {
          ...source,
          reasons: [],
          state: total === null || isIncomplete ? 'PARTIAL' : 'COMPLETED',
          positions,
          total,
        }
  return { data }
})

/**
 * No index can provide the results of a position token, so a list without them is complete. The same
 * holds for results that were not requested.
 */
const isMissingResult = (reason: contract.PositionReason): boolean =>
  reason !== 'RESULTS_NEED_WALLET_POSITION' &&
  reason !== 'RESULTS_NOT_REQUESTED' &&
  contract.resultReasons.some((missing) => missing === reason)
