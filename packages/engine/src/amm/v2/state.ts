import type { Rat } from '../../arithmetic/integer.ts'

/** Trading fee of a pair as a fraction of the input. Uniswap v2: 3/1000; the scale matters for rounding. */
export interface PairFee {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The fee of Uniswap v2 and SushiSwap. */
export const UNISWAP_V2_FEE: PairFee = { numerator: 3n, denominator: 1000n }

/**
 * A Uniswap v2 pair, or a fork with another fee. Contains every storage field, the pair's token
 * balances and the time of the current block. Immutable: operations return a new state.
 */
export interface CpmmState {
  readonly kind: 'UNISWAP_V2'
  readonly fee: PairFee
  /** Share of fee growth minted to `feeTo`; one sixth on Uniswap v2. */
  readonly protocolShare: Rat
  /** Holder of the protocol's liquidity; null while the share is off. */
  readonly feeTo: string | null
  /** Time of the current block in seconds; the contract reads it modulo 2^32. */
  readonly blockTimestamp: number
  /** uint112 */
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** Tokens the pair holds; above the reserves after a transfer that no call has booked yet. */
  readonly balance0: bigint
  readonly balance1: bigint
  /** uint32 */
  readonly blockTimestampLast: number
  /** Sum of price × seconds, Q112, modulo 2^256. */
  readonly price0CumulativeLast: bigint
  readonly price1CumulativeLast: bigint
  /** Product of the reserves after the last liquidity change; zero while the share is off. */
  readonly kLast: bigint
  readonly totalSupply: bigint
  /** Liquidity tokens by holder; omits zero balances. */
  readonly liquidityOf: Readonly<Record<string, bigint>>
}

/**
 * A pair as its factory deploys it, empty.
 *
 * @param terms.fee default 3/1000
 */
export function createCpmmPair(terms: {
  fee?: PairFee
  protocolShare?: Rat
  feeTo?: string | null
  blockTimestamp?: number
}): CpmmState {
  return {
    kind: 'UNISWAP_V2',
    fee: terms.fee ?? UNISWAP_V2_FEE,
    protocolShare: terms.protocolShare ?? { num: 1n, den: 6n },
    feeTo: terms.feeTo ?? null,
    blockTimestamp: terms.blockTimestamp ?? 0,
    reserve0: 0n,
    reserve1: 0n,
    balance0: 0n,
    balance1: 0n,
    blockTimestampLast: 0,
    price0CumulativeLast: 0n,
    price1CumulativeLast: 0n,
    kLast: 0n,
    totalSupply: 0n,
    liquidityOf: {},
  }
}

/** Account name of the pair's own liquidity tokens. */
export const PAIR_ACCOUNT = 'pair'
/** The holder of the 1,000 liquidity units locked by the first mint (the zero address). */
export const LOCKED_ACCOUNT = 'locked'
