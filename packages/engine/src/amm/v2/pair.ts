import { integerSquareRoot, MAX_UINT256 } from '../../arithmetic/integer.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { type CpmmState, LOCKED_ACCOUNT, PAIR_ACCOUNT } from './state.ts'

const MINIMUM_LIQUIDITY = 1000n
const MAX_UINT112 = (1n << 112n) - 1n

export interface PairLiquidityChange {
  state: CpmmState
  liquidity: bigint
  amount0: bigint
  amount1: bigint
}

/** Tokens that arrive at the pair by a plain transfer; the next call books them or they are a donation. */
export function transferToPair(state: CpmmState, amount0: bigint, amount1: bigint): CpmmState {
  return { ...state, balance0: state.balance0 + amount0, balance1: state.balance1 + amount1 }
}

/** @throws PoolRevertError ds-math-sub-underflow when the sender holds less */
export function transferLiquidity(
  state: CpmmState,
  from: string,
  to: string,
  amount: bigint,
): CpmmState {
  return credit(debit(state, from, amount), to, amount)
}

/**
 * Mints liquidity for the excess of balances over reserves.
 *
 *     first: √(a0·a1) − 1000, and 1000 are locked; later: min(a0·S/R0, a1·S/R1), rounded down
 *
 * @throws PoolRevertError INSUFFICIENT_LIQUIDITY_MINTED, OVERFLOW, ds-math-sub-underflow
 * @see Uniswap v2 whitepaper, §3.4 and §2.4
 */
export function mintPair(before: CpmmState, to: string): PairLiquidityChange {
  const amount0 = subtract(before.balance0, before.reserve0)
  const amount1 = subtract(before.balance1, before.reserve1)
  let state = mintProtocolShare(before)
  let liquidity: bigint
  if (state.totalSupply === 0n) {
    liquidity = subtract(integerSquareRoot(multiply(amount0, amount1)), MINIMUM_LIQUIDITY)
    state = issue(state, LOCKED_ACCOUNT, MINIMUM_LIQUIDITY)
  } else {
    const { totalSupply, reserve0, reserve1 } = state
    if (reserve0 === 0n || reserve1 === 0n) throw new PoolRevertError({ reason: 'INVALID' })
    const share0 = multiply(amount0, totalSupply) / reserve0
    const share1 = multiply(amount1, totalSupply) / reserve1
    liquidity = share0 < share1 ? share0 : share1
  }
  if (liquidity <= 0n) throw pairRevert('INSUFFICIENT_LIQUIDITY_MINTED')
  state = rememberProduct(updateReserves(issue(state, to, liquidity)))
  return { state, liquidity, amount0, amount1 }
}

/**
 * Burns the liquidity the pair itself holds and pays its share of the balances, rounded down.
 *
 * @throws PoolRevertError INSUFFICIENT_LIQUIDITY_BURNED when a side would be zero
 */
export function burnPair(before: CpmmState): PairLiquidityChange {
  const liquidity = before.liquidityOf[PAIR_ACCOUNT] ?? 0n
  let state = mintProtocolShare(before)
  if (state.totalSupply === 0n) throw new PoolRevertError({ reason: 'INVALID' })
  const amount0 = multiply(liquidity, state.balance0) / state.totalSupply
  const amount1 = multiply(liquidity, state.balance1) / state.totalSupply
  if (amount0 === 0n || amount1 === 0n) throw pairRevert('INSUFFICIENT_LIQUIDITY_BURNED')
  state = debit(state, PAIR_ACCOUNT, liquidity)
  state = transferToPair(
    { ...state, totalSupply: state.totalSupply - liquidity },
    -amount0,
    -amount1,
  )
  return { state: rememberProduct(updateReserves(state)), liquidity, amount0, amount1 }
}

/** Amounts of a swap. Inputs are derived from balances, not from the request. */
export interface PairSwap {
  state: CpmmState
  amount0In: bigint
  amount1In: bigint
  amount0Out: bigint
  amount1Out: bigint
}

/**
 * Pays the outputs and accepts any input, if the product of the fee-adjusted balances does not
 * fall. Both tokens can enter and leave in one swap.
 *
 * @throws PoolRevertError INSUFFICIENT_OUTPUT_AMOUNT, INSUFFICIENT_LIQUIDITY,
 * INSUFFICIENT_INPUT_AMOUNT, K, OVERFLOW
 * @see Uniswap v2 whitepaper, §3.2.1
 */
export function swapPair(before: CpmmState, amount0Out: bigint, amount1Out: bigint): PairSwap {
  const { reserve0, reserve1, fee } = before
  if (amount0Out <= 0n && amount1Out <= 0n) throw pairRevert('INSUFFICIENT_OUTPUT_AMOUNT')
  if (amount0Out >= reserve0 || amount1Out >= reserve1) throw pairRevert('INSUFFICIENT_LIQUIDITY')
  const state = transferToPair(before, -amount0Out, -amount1Out)
  const amount0In = excess(state.balance0, reserve0 - amount0Out)
  const amount1In = excess(state.balance1, reserve1 - amount1Out)
  if (amount0In === 0n && amount1In === 0n) throw pairRevert('INSUFFICIENT_INPUT_AMOUNT')
  const adjusted = (balance: bigint, amountIn: bigint): bigint =>
    subtract(multiply(balance, fee.denominator), multiply(amountIn, fee.numerator))
  const product = multiply(adjusted(state.balance0, amount0In), adjusted(state.balance1, amount1In))
  if (product < reserve0 * reserve1 * fee.denominator * fee.denominator) throw pairRevert('K')
  return { state: updateReserves(state), amount0In, amount1In, amount0Out, amount1Out }
}

/** Takes the balances as the new reserves: a donation becomes part of the pool. */
export function syncPair(state: CpmmState): CpmmState {
  return updateReserves(state)
}

/** Pays out what the balances exceed the reserves by. */
export function skimPair(state: CpmmState): { state: CpmmState; amount0: bigint; amount1: bigint } {
  const amount0 = subtract(state.balance0, state.reserve0)
  const amount1 = subtract(state.balance1, state.reserve1)
  return { state: transferToPair(state, -amount0, -amount1), amount0, amount1 }
}

/**
 * The protocol's share of the growth of √k since the last liquidity change, as new liquidity.
 *
 *     S·(√k − √k_last)·n / ((d − n)·√k + n·√k_last),   share n/d (one sixth: 5·√k + √k_last)
 *
 * @see Uniswap v2 whitepaper, §2.4
 */
export function mintProtocolShare(state: CpmmState): CpmmState {
  if (state.feeTo === null) return state.kLast === 0n ? state : { ...state, kLast: 0n }
  if (state.kLast === 0n) return state
  const root = integerSquareRoot(state.reserve0 * state.reserve1)
  const rootLast = integerSquareRoot(state.kLast)
  if (root <= rootLast) return state
  const { num, den } = state.protocolShare
  const numerator = multiply(state.totalSupply, (root - rootLast) * num)
  const liquidity = numerator / (root * (den - num) + rootLast * num)
  return liquidity > 0n ? issue(state, state.feeTo, liquidity) : state
}

/** Books the balances and, at most once per second, the prices that held until now. */
function updateReserves(state: CpmmState): CpmmState {
  const { balance0, balance1, reserve0, reserve1 } = state
  if (balance0 > MAX_UINT112 || balance1 > MAX_UINT112) throw pairRevert('OVERFLOW')
  const now = state.blockTimestamp >>> 0
  const elapsed = BigInt((now - state.blockTimestampLast) >>> 0)
  const priced = elapsed > 0n && reserve0 > 0n && reserve1 > 0n
  const accumulate = (sum: bigint, of: bigint, per: bigint): bigint =>
    priced ? BigInt.asUintN(256, sum + ((of << 112n) / per) * elapsed) : sum
  return {
    ...state,
    reserve0: balance0,
    reserve1: balance1,
    blockTimestampLast: now,
    price0CumulativeLast: accumulate(state.price0CumulativeLast, reserve1, reserve0),
    price1CumulativeLast: accumulate(state.price1CumulativeLast, reserve0, reserve1),
  }
}

function rememberProduct(state: CpmmState): CpmmState {
  return state.feeTo === null ? state : { ...state, kLast: state.reserve0 * state.reserve1 }
}

function issue(state: CpmmState, to: string, liquidity: bigint): CpmmState {
  return { ...credit(state, to, liquidity), totalSupply: state.totalSupply + liquidity }
}

function credit(state: CpmmState, to: string, amount: bigint): CpmmState {
  return withHolding(state, to, (state.liquidityOf[to] ?? 0n) + amount)
}

function debit(state: CpmmState, from: string, amount: bigint): CpmmState {
  return withHolding(state, from, subtract(state.liquidityOf[from] ?? 0n, amount))
}

function withHolding(state: CpmmState, holder: string, amount: bigint): CpmmState {
  const { [holder]: previous, ...others } = state.liquidityOf
  return { ...state, liquidityOf: amount === 0n ? others : { ...others, [holder]: amount } }
}

function excess(balance: bigint, expected: bigint): bigint {
  return balance > expected ? balance - expected : 0n
}

function subtract(a: bigint, b: bigint): bigint {
  if (a < b) throw new PoolRevertError({ reason: 'ds-math-sub-underflow' })
  return a - b
}

function multiply(a: bigint, b: bigint): bigint {
  const product = a * b
  if (product > MAX_UINT256) throw new PoolRevertError({ reason: 'ds-math-mul-overflow' })
  return product
}

function pairRevert(what: string): PoolRevertError {
  return new PoolRevertError({ reason: `UniswapV2: ${what}` })
}
