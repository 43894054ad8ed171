/** Limits of liquidity operations in one market. Amounts are decimals of the quote. */
export interface LiquidityPolicyTerms {
  readonly kind: 'UNISWAP_V2' | 'UNISWAP_V3'
  readonly base: string
  readonly quote: string
  /** Address of the market. Shares of a v2 pair are an asset, because they need an allowance. */
  readonly market: string
  readonly perAction: string
  readonly perDay: string
  /** Slippage limit in %, with up to four decimals. */
  readonly slippagePercent: string
  /** Last day, YYYY-MM-DD in UTC. */
  readonly lastDay: string
}

const adapters = {
  UNISWAP_V2: 'uniswap-v2-liquidity',
  UNISWAP_V3: 'uniswap-v3-positions',
} as const

/**
 * Sentences of the policy grammar that allow liquidity operations in one market, at level 2. The
 * alias of an adapter names its contracts on the chain of the vault.
 */
export function liquidityPolicyText(terms: LiquidityPolicyTerms): string {
  const { kind, base, quote, market, perAction, perDay, slippagePercent, lastDay } = terms
  const adapter = adapters[kind]
  const assets = kind === 'UNISWAP_V2' ? `${base}, ${quote} and ${market}` : `${base} and ${quote}`
  return [
    'level prepare',
    `at most ${perAction} ${quote} per transaction`,
    `daily limit ${perDay} ${quote}`,
    `slippage at most ${slippagePercent} %`,
    `allow contracts @${adapter}`,
    `allow assets ${assets}`,
    `allow adapters erc20-allowance and ${adapter}`,
    'wait at least 0 seconds between actions',
    'oracle age at most 1 hour',
    `expires ${lastDay}`,
    'never public mempool',
    'no price limit',
  ].join('\n')
}
