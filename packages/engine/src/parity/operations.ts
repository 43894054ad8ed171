/**
 * The operations of the two pool contracts, as data. A differential test sends the same list to the
 * engine (`applyOperation`) and to the genuine bytecode and compares results and storage.
 *
 * Every operation is one transaction from the view of the pool: it happens wholly or not at all.
 * Amounts are atomic units. `timestamp` is the time of the block in seconds, uint32, never falling
 * within a sequence. Accounts are opaque names to the engine; a test maps them to addresses.
 */
export type PoolOperation = UniswapV3Operation | UniswapV2Operation

export type UniswapV3Operation = { timestamp: number } & (
  | { kind: 'v3.initialize'; sqrtPriceX96: bigint }
  | {
      kind: 'v3.mint'
      owner: string
      tickLower: number
      tickUpper: number
      /** uint128 */
      liquidity: bigint
    }
  | {
      kind: 'v3.burn'
      owner: string
      tickLower: number
      tickUpper: number
      /** uint128; zero only updates the fees owed */
      liquidity: bigint
    }
  | {
      kind: 'v3.collect'
      owner: string
      tickLower: number
      tickUpper: number
      /** uint128 */
      amount0Requested: bigint
      amount1Requested: bigint
    }
  | {
      kind: 'v3.swap'
      zeroForOne: boolean
      /** int256: above zero an exact input, below zero an exact output */
      amountSpecified: bigint
      sqrtPriceLimitX96: bigint
    }
  | {
      kind: 'v3.flash'
      amount0: bigint
      amount1: bigint
      /** Amount repaid above the loan. */
      paid0: bigint
      paid1: bigint
    }
  | { kind: 'v3.setFeeProtocol'; feeProtocol0: number; feeProtocol1: number }
  | { kind: 'v3.collectProtocol'; amount0Requested: bigint; amount1Requested: bigint }
  | {
      kind: 'v3.increaseObservationCardinalityNext'
      /** uint16 */
      observationCardinalityNext: number
    }
)

/**
 * The pair's own functions. Tokens and liquidity tokens reach the pair by plain transfers, like on
 * chain before a router calls `mint`, `burn` or `swap`. A transfer without a call afterwards is a
 * donation.
 */
export type UniswapV2Operation = { timestamp: number } & (
  | { kind: 'v2.transfer'; token: 0 | 1; amount: bigint }
  | { kind: 'v2.transferLiquidity'; from: string; to: string; amount: bigint }
  | { kind: 'v2.mint'; to: string }
  | { kind: 'v2.burn'; to: string }
  | { kind: 'v2.swap'; amount0Out: bigint; amount1Out: bigint; to: string }
  | { kind: 'v2.sync' }
  | { kind: 'v2.skim'; to: string }
  | {
      kind: 'v2.setFeeTo'
      /** null switches the protocol share off (the zero address) */
      feeTo: string | null
    }
)
