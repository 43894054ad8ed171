import type { Market, Orientation } from '../amm/market.ts'
import { ClmmSession } from './clmm-session.ts'
import { CpmmSession } from './cpmm-session.ts'
import type { MarketSession } from './market-session.ts'
import { StableSession } from './stable-session.ts'

/**
 * A new session on a market, which remains unchanged.
 *
 * @throws UnsupportedMarketError for a market type without a simulation
 */
export function openSession(market: Market, orientation: Orientation): MarketSession {
  switch (market.kind) {
    case 'UNISWAP_V3':
      return new ClmmSession(market, orientation)
    case 'UNISWAP_V2':
      return new CpmmSession(market, orientation)
    case 'STABLESWAP':
      return new StableSession(market, orientation)
    default:
      throw new UnsupportedMarketError({ kind: market.kind })
  }
}

/** Monte Carlo has no model of how such a market is traded and provided. */
export class UnsupportedMarketError extends Error {
  constructor(facts: { kind: string }) {
    super(`no simulation supports markets of kind ${facts.kind}`)
    this.name = 'UnsupportedMarketError'
  }
}
