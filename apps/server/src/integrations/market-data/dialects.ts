import { dexScreener } from './dexscreener.ts'
import type { MarketDialect } from './dialect.ts'
import { geckoTerminal } from './geckoterminal.ts'

/** The providers that public discovery can read, by the name in PUBLIC_MARKET_DATA. */
export const marketDialects = {
  GECKOTERMINAL: geckoTerminal,
  DEXSCREENER: dexScreener,
} as const satisfies Readonly<Record<string, MarketDialect>>

export type MarketDialectName = keyof typeof marketDialects
