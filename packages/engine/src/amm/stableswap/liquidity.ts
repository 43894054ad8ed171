import { checked, divide, require } from './checked.ts'
import { asViewed, curveOf } from './exchange.ts'
import { dynamicFee, imbalanceFee } from './fee.ts'
import { getD, getYOfD } from './invariant.ts'
import { FEE_DENOMINATOR, PRECISION, type StableState, scaledBalances } from './state.ts'

export interface StableLiquidityChange {
  readonly state: StableState
  /** Liquidity tokens minted or burned. */
  readonly liquidity: bigint
  /** Atomic units per coin that came in or went out. */
  readonly amounts: readonly bigint[]
  /** Fees per coin, atomic units. */
  readonly fees: readonly bigint[]
}

/**
 * Deposits any amounts. Each coin pays a fee on its difference from a proportional deposit. The
 * first deposit pays no fee and needs every coin.
 *
 *     minted = S·(D2 − D0)/D0,   D2 after fees; the first time D1
 *
 * @param amounts atomic units per coin
 * @throws PoolRevertError without a reason: all amounts are zero, or the first deposit lacks a coin
 */
export function addStableLiquidity(
  state: StableState,
  amounts: readonly bigint[],
): StableLiquidityChange {
  const { balances, totalSupply } = state
  require(amounts.length === balances.length && amounts.every((amount) => amount >= 0n))
  const isFirst = totalSupply === 0n
  if (isFirst) require(amounts.every((amount) => amount > 0n))
  const before = isFirst ? 0n : invariantOf(state, balances)
  const deposited = add(balances, amounts)
  const after = invariantOf(state, deposited)
  require(after > before)
  if (isFirst) {
    const minted = { ...state, balances: deposited, totalSupply: after }
    return { state: minted, liquidity: after, amounts, fees: amounts.map(() => 0n) }
  }
  const charged = chargeImbalance(state, deposited, before, after)
  const grown = checked(invariantOf(state, charged.counted) - before)
  const liquidity = (totalSupply * grown) / before
  return { ...settle(charged, totalSupply + liquidity), liquidity, amounts }
}

/**
 * Withdraws a share of every coin, rounded down, without a fee.
 *
 * @throws PoolRevertError without a reason when more is burned than exists
 */
export function removeStableLiquidity(
  state: StableState,
  liquidity: bigint,
): StableLiquidityChange {
  const { balances, totalSupply } = state
  require(liquidity >= 0n && liquidity <= totalSupply && totalSupply > 0n)
  const amounts = balances.map((held) => (held * liquidity) / totalSupply)
  const left = add(
    balances,
    amounts.map((amount) => -amount),
  )
  return {
    state: { ...state, balances: left, totalSupply: totalSupply - liquidity },
    liquidity,
    amounts,
    fees: amounts.map(() => 0n),
  }
}

/**
 * Withdraws exact amounts. Burns their cost plus one unit that stays with the pool.
 *
 *     burned = S·(D0 − D2)/D0 + 1,   D2 after fees
 *
 * @throws PoolRevertError without a reason if a balance is too small or the burn would be zero
 */
export function removeStableImbalance(
  state: StableState,
  amounts: readonly bigint[],
): StableLiquidityChange {
  const { balances, totalSupply } = state
  require(amounts.length === balances.length && totalSupply > 0n)
  require(amounts.every((amount, coin) => amount >= 0n && amount <= balances[coin]!))
  const before = invariantOf(state, balances)
  const withdrawn = add(
    balances,
    amounts.map((amount) => -amount),
  )
  const after = invariantOf(state, withdrawn)
  const charged = chargeImbalance(state, withdrawn, before, after)
  const shrunk = checked(before - invariantOf(state, charged.counted))
  const share = divide(shrunk * totalSupply, before)
  require(share !== 0n)
  const liquidity = share + 1n
  return { ...settle(charged, checked(totalSupply - liquidity)), liquidity, amounts }
}

/**
 * Burns liquidity for one coin.
 *
 * @throws PoolRevertError without a reason when more is burned than exists or the coin does not suffice
 */
export function removeStableOneCoin(
  state: StableState,
  liquidity: bigint,
  coin: number,
): StableLiquidityChange {
  const { balances, adminBalances, totalSupply } = state
  require(liquidity <= totalSupply)
  const { amount, fee } = withdrawOneCoin(state, liquidity, coin)
  const adminFee = (fee * state.adminFeeX10) / FEE_DENOMINATOR
  const of = (value: bigint) => balances.map((_, at) => (at === coin ? value : 0n))
  // The coin was checked with the price.
  checked(balances[coin]! - amount - adminFee)
  return {
    state: {
      ...state,
      balances: add(balances, of(-amount - adminFee)),
      adminBalances: add(adminBalances, of(adminFee)),
      totalSupply: totalSupply - liquidity,
    },
    liquidity,
    amounts: of(amount),
    fees: of(fee),
  }
}

/**
 * The result of the view `calc_token_amount`: liquidity for a deposit, or cost of a withdrawal.
 * Only NG includes the fee. On older builds a deposit mints slightly less than this result, and a
 * withdrawal costs more.
 */
export function viewCalcTokenAmount(
  pool: StableState,
  amounts: readonly bigint[],
  kind: 'DEPOSIT' | 'WITHDRAWAL',
): bigint {
  const state = asViewed(pool)
  const { balances, totalSupply } = state
  require(amounts.length === balances.length)
  const before = invariantOf(state, balances)
  const signed = kind === 'DEPOSIT' ? amounts : amounts.map((amount) => -amount)
  const changed = add(balances, signed)
  let after = invariantOf(state, changed)
  if (state.variant === 'NG') {
    if (totalSupply === 0n) return after
    after = invariantOf(state, chargeImbalance(state, changed, before, after).counted)
  }
  const moved = checked(kind === 'DEPOSIT' ? after - before : before - after)
  return divide(moved * totalSupply, before)
}

/** The answer of the view `calc_withdraw_one_coin`: what burning liquidity pays of one coin. */
export function viewCalcWithdrawOneCoin(
  state: StableState,
  liquidity: bigint,
  coin: number,
): bigint {
  return withdrawOneCoin(state, liquidity, coin).amount
}

/** Value of one liquidity token in the common scale: D·10^18/S. @throws PoolRevertError when none exist */
export function viewVirtualPrice(state: StableState): bigint {
  return divide(invariantOf(state, state.balances) * PRECISION, state.totalSupply)
}

/** The invariant of some balances in atomic units, under the terms of a pool. */
export function invariantOf(state: StableState, balances: readonly bigint[]): bigint {
  return getD(scaledBalances(state.rates, balances), curveOf(state))
}

interface Charged {
  readonly state: StableState
  /** Balances less all fees. Liquidity is computed from them. */
  readonly counted: readonly bigint[]
  readonly fees: readonly bigint[]
}

/**
 * Charges the fee on each balance's difference from its proportional value. The admin's share
 * leaves the balances; the rest stays in the pool.
 */
function chargeImbalance(
  state: StableState,
  changed: readonly bigint[],
  before: bigint,
  after: bigint,
): Charged {
  const { balances, rates, adminFeeX10 } = state
  const coins = BigInt(rates.length)
  const baseFee = imbalanceFee(state)
  const fees = changed.map((held, coin) => {
    // One balance and one rate per coin.
    const ideal = divide(after * balances[coin]!, before)
    const apart = ideal > held ? ideal - held : held - ideal
    const averages = (rates[coin]! * (balances[coin]! + held)) / PRECISION
    const fee = dynamicFee(state, averages, (before + after) / coins, baseFee)
    return (fee * apart) / FEE_DENOMINATOR
  })
  const adminFees = fees.map((fee) => (fee * adminFeeX10) / FEE_DENOMINATOR)
  const kept = { ...state, balances: subtract(changed, adminFees) }
  return {
    state: { ...kept, adminBalances: add(state.adminBalances, adminFees) },
    counted: subtract(changed, fees),
    fees,
  }
}

function settle({ state, fees }: Charged, totalSupply: bigint) {
  return { state: { ...state, totalSupply }, fees }
}

/**
 * Payout in one coin for burned liquidity. The new balance preserves the smaller D, after each coin
 * paid the fee on its exchanged share.
 */
function withdrawOneCoin(
  state: StableState,
  liquidity: bigint,
  coin: number,
): { amount: bigint; fee: bigint } {
  const { rates, balances, totalSupply } = state
  require(coin in rates)
  const curve = curveOf(state)
  const xp = scaledBalances(rates, balances)
  const before = getD(xp, curve)
  const after = checked(before - divide(liquidity * before, totalSupply))
  // The coin was just found in the rates.
  const held = xp[coin]!
  const without = getYOfD(coin, xp, after, curve)
  const baseFee = imbalanceFee(state)
  const peg = (before + after) / (2n * BigInt(xp.length))
  const reduced = xp.map((x, at) => {
    const kept = (x * after) / before
    const exchanged = checked(at === coin ? kept - without : x - kept)
    const fee = dynamicFee(state, at === coin ? (x + without) / 2n : x, peg, baseFee)
    return checked(x - (fee * exchanged) / FEE_DENOMINATOR)
  })
  const paid = checked(reduced[coin]! - getYOfD(coin, reduced, after, curve))
  const amount = toAtoms(state, coin, checked(paid - 1n))
  return { amount, fee: checked(toAtoms(state, coin, checked(held - without)) - amount) }
}

function toAtoms({ rates }: StableState, coin: number, scaled: bigint): bigint {
  // The coin was checked by the caller.
  return (scaled * PRECISION) / rates[coin]!
}

function add(a: readonly bigint[], b: readonly bigint[]): readonly bigint[] {
  return a.map((value, index) => checked(value + b[index]!))
}

function subtract(a: readonly bigint[], b: readonly bigint[]): readonly bigint[] {
  return a.map((value, index) => checked(value - b[index]!))
}
