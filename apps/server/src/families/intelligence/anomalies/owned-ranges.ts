import type { contract } from '@liquidity-os/contract'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { readTokenOf } from '../../../market/own-positions.ts'
import type { OwnedRange } from './venue-material.ts'

type Named = contract.OwnedPosition

/** Key of a position; independent of the notation of its addresses. */
export function refOf(position: Named): string {
  const owner = position.owner.toLowerCase()
  if (!('tokenId' in position)) return `${owner}:${position.tickLower}:${position.tickUpper}`
  const { manager = '', tokenId } = position
  return `${owner}:${manager.toLowerCase()}#${tokenId}`
}

/**
 * Positions of a profile that can be tracked. A token position counts from the first observation of
 * its range.
 */
export function ownedRangesOf(
  named: readonly Named[],
  observations: readonly ObservationRecord[],
): OwnedRange[] {
  return named.flatMap((position): OwnedRange[] => {
    const ref = refOf(position)
    if (!('tokenId' in position)) return [{ ...position, ref, course: null }]
    const read = observations.flatMap(({ payload }) => {
      const token = readTokenOf(position, payload.positionTokens)
      return token ? [{ at: Date.parse(payload.range.to.timestamp) / 1000, token }] : []
    })
    const known = read.find(({ token }) => token.tickLower !== null && token.tickUpper !== null)
    if (!known) return []
    const { tickLower, tickUpper } = known.token
    if (tickLower === null || tickUpper === null) return []
    const course = read
      .map(({ at, token }) => ({
        at,
        liquidity: BigInt(token.liquidity),
        isOwn: token.state === 'OWNED',
      }))
      .sort((a, b) => a.at - b.at)
    return [{ ref, owner: position.owner, tickLower, tickUpper, course }]
  })
}
