import type { PoolMarket } from '@liquidity-os/engine/amm'
import { parseExact } from '../../../market/exact-json.ts'
import { ownLiquidityIn } from '../../../market/own-positions.ts'
import type { ProgramVenue } from './program-problem.ts'

/** The issuer's share of active liquidity, 0..1; null for a pair, where it is unknown. */
export function ownShareOf({ state, owned }: Pick<ProgramVenue, 'state' | 'owned'>): number {
  if (owned.length === 0) return 0
  const market = parseExact(new TextDecoder().decode(state)) as PoolMarket
  if (market.kind !== 'UNISWAP_V3' || market.liquidity === 0n) return 0
  const { tick, liquidity: active } = market
  const own = ownLiquidityIn(market, owned)
    .filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper)
    .reduce((sum, { liquidity }) => sum + liquidity, 0n)
  // Capped, because a response must be possible even if the issuer provides all liquidity.
  return Math.min(0.99, Number(own) / Number(active))
}
