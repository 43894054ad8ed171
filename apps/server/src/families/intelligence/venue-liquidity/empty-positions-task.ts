import type { LoggedMarket } from '@liquidity-os/engine/amm'
import { parseExact } from '../../../market/exact-json.ts'
import { isMatching } from '../../../market/own-positions.ts'
import type { PositionRange } from './position-flows-task.ts'

export interface EmptyPositionsTask {
  /** A sealed state, as JSON. */
  readonly state: Uint8Array
  readonly positions: readonly PositionRange[]
  /** False if the state lists only the positions of the events that follow it. */
  readonly areAllListed: boolean
}

/**
 * Per position: true if it had no liquidity and was owed nothing in a sealed state. Pure; runs in a
 * thread.
 */
export default function readEmptyPositions({
  state,
  positions,
  areAllListed,
}: EmptyPositionsTask): boolean[] {
  const market = parseExact(new TextDecoder().decode(state)) as LoggedMarket
  if (market.kind !== 'UNISWAP_V3') return positions.map(() => false)
  return positions.map((position) => {
    const found = market.positions.find((one) => isMatching(one, position))
    if (!found) return areAllListed
    return found.liquidity === 0n && found.tokensOwed0 === 0n && found.tokensOwed1 === 0n
  })
}
