import type { contract } from '@liquidity-os/contract'

export interface DrawnPlan {
  readonly plan: contract.ProtectedExecutionPlan
  readonly set: contract.QuoteSet | null
  /** Transitions of legs, in order. */
  readonly beads: readonly {
    readonly legIndex: number
    readonly to: string
    readonly hash: string
  }[]
}

type Plan = contract.ProtectedExecutionPlan

/** Decimals of the sold and the bought tokens. */
export const decimalsOf = ({ side, pair }: Pick<Plan, 'side' | 'pair'>) =>
  side === 'SELL'
    ? { sell: pair.baseDecimals, buy: pair.quoteDecimals }
    : { sell: pair.quoteDecimals, buy: pair.baseDecimals }

/** Whole quote tokens per whole base token. */
export const priceOf = (priceX36: string, { pair }: Pick<Plan, 'pair'>): number =>
  (Number(priceX36) / 1e36) * 10 ** (pair.baseDecimals - pair.quoteDecimals)

/** The mean price of a leg, quote per base. */
export function meanPriceOf(
  { sellAmount, expectedBuy }: Plan['legs'][number],
  plan: Pick<Plan, 'side' | 'pair'>,
): number | null {
  const { sell, buy } = decimalsOf(plan)
  const [sold, bought] = [Number(sellAmount) / 10 ** sell, Number(expectedBuy) / 10 ** buy]
  if (sold === 0 || bought === 0) return null
  return plan.side === 'SELL' ? bought / sold : sold / bought
}

export const shortHash = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`
export const nameOf = (kind: string, sourceId: string, maker: string | null): string =>
  maker === null ? `${kind.toLowerCase()} ${sourceId.slice(-6)}` : `quote of ${shortHash(maker)}`
