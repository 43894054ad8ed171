import { PoolRevertError } from '../amm/pool-revert.ts'
import { getAmountIn, getAmountOut } from '../amm/v2/formulas.ts'
import {
  burnPair,
  mintPair,
  mintProtocolShare,
  swapPair,
  syncPair,
  transferLiquidity,
  transferToPair,
} from '../amm/v2/pair.ts'
import { type CpmmState, PAIR_ACCOUNT, type PairFee } from '../amm/v2/state.ts'
import { divideRoundingUp } from '../arithmetic/integer.ts'
import type { CpmmEvent } from './events.ts'
import { compareFields, type Verdict } from './fidelity.ts'

/** Class of a v2 swap, by comparison with both formulas. */
export type PairSwapClass = 'EXACT_IN' | 'EXACT_OUT' | 'K_SLACK' | 'MULTI_SIDED' | 'OTHER_FEE'

/** The four amounts of a v2 Swap log. */
export interface PairAmounts {
  readonly amount0In: bigint
  readonly amount1In: bigint
  readonly amount0Out: bigint
  readonly amount1Out: bigint
}

/**
 * Classifies a v2 swap. It matches one of the formulas exactly, takes less than possible, moves
 * both tokens in or out, or violates the K check at this fee.
 */
export function classifyPairSwap(
  reserve0: bigint,
  reserve1: bigint,
  amounts: PairAmounts,
  fee: PairFee,
): PairSwapClass {
  const { amount0In, amount1In, amount0Out, amount1Out } = amounts
  const forward = amount0In > 0n
  if (forward === amount1In > 0n || (forward ? amount0Out : amount1Out) > 0n) return 'MULTI_SIDED'
  const [amountIn, amountOut] = forward ? [amount0In, amount1Out] : [amount1In, amount0Out]
  const [reserveIn, reserveOut] = forward ? [reserve0, reserve1] : [reserve1, reserve0]
  if (amountOut >= reserveOut || reserveIn === 0n) return 'OTHER_FEE'
  const best = getAmountOut(amountIn, reserveIn, reserveOut, fee)
  if (amountOut === best) return 'EXACT_IN'
  if (amountOut > best) return 'OTHER_FEE'
  if (amountOut > 0n && getAmountIn(amountOut, reserveIn, reserveOut, fee) === amountIn) {
    return 'EXACT_OUT'
  }
  return 'K_SLACK'
}

/** uint112 */
const MAX_RESERVE = (1n << 112n) - 1n

/** Fields of a pair that not every recording determines. */
export type UndeterminedField =
  | 'totalSupply'
  | 'kLast'
  | 'price0CumulativeLast'
  | 'price1CumulativeLast'
  | 'blockTimestampLast'

/**
 * Account name for all liquidity tokens of a replay: the pair's logs do not contain their holders.
 */
const HOLDERS = 'holders'

/**
 * Replays the log of a v2 pair. Logs contain amounts, not calls, so each one is checked against the
 * reserves. A swap must pass the product check and lead from the old reserves to the preceding
 * Sync. Deposits and withdrawals must match the Sync exactly. If the liquidity supply is known,
 * they must also match the contract's mint or payout.
 *
 * Prices accumulate like in the contract while every event has a time. The supply is known from the
 * start state or the first deposit. A withdrawal with an ambiguous burned liquidity ends this,
 * unless the recording contains it.
 */
export class CpmmReplay {
  #pair: CpmmState
  /** Reserves of the last Sync, until the event of the same call explains them. */
  #synced: { reserve0: bigint; reserve1: bigint } | null = null
  #anchored: boolean
  /** Whether the start state declares the protocol fee. */
  readonly #isDeclared: boolean
  #knowsSupply: boolean
  #knowsPrices: boolean

  /** @param anchored whether the reserves of `start` are known; otherwise the first Sync sets them */
  constructor(start: CpmmState, anchored: boolean) {
    const isFresh = anchored && start.reserve0 === 0n && start.totalSupply === 0n
    this.#pair = start
    this.#anchored = anchored
    this.#isDeclared = anchored
    this.#knowsSupply = isFresh || (anchored && start.totalSupply > 0n)
    this.#knowsPrices = isFresh || (anchored && start.blockTimestampLast > 0)
  }

  /** Checks one event and continues from the recorded reserves. */
  apply(event: CpmmEvent): Verdict {
    if (event.type === 'Sync') return this.#sync(event)
    this.#setTime(event.timestamp)
    if (!this.#anchored && !this.#beginsWith(event)) return this.#anchor()
    if (event.type === 'Swap') return this.#swap(event)
    return this.#liquidity(event)
  }

  /** The pair after the last event. Undetermined fields have their initial values. */
  final(): CpmmState {
    return this.#settled()
  }

  /** The fields of `final` that the recording did not determine. */
  undetermined(): readonly UndeterminedField[] {
    return [
      ...(this.#knowsSupply ? [] : (['totalSupply', 'kLast'] as const)),
      ...(this.#knowsPrices
        ? []
        : (['price0CumulativeLast', 'price1CumulativeLast', 'blockTimestampLast'] as const)),
    ]
  }

  #setTime(timestamp: number | null): void {
    if (timestamp === null) this.#knowsPrices = false
    else this.#pair = { ...this.#pair, blockTimestamp: timestamp }
  }

  #sync(event: Extract<CpmmEvent, { type: 'Sync' }>): Verdict {
    const { reserve0, reserve1 } = event
    const tooLarge =
      reserve0 > MAX_RESERVE ? 'reserve0' : reserve1 > MAX_RESERVE ? 'reserve1' : null
    if (tooLarge !== null) {
      const computed = 'a reserve below 2^112'
      const mismatch = { field: tooLarge, recorded: `${event[tooLarge]}`, computed }
      return { status: 'DIFFERENT', mismatches: [mismatch] }
    }
    // A Sync that no other event explained was a call of sync(): the donation is now part of the pool.
    this.#pair = this.#settled()
    this.#setTime(event.timestamp)
    this.#synced = { reserve0, reserve1 }
    return { status: 'EXACT' }
  }

  /**
   * Whether a deposit equals the full reserves: then the pair was empty, and this is its first
   * call.
   */
  #beginsWith(event: CpmmEvent): boolean {
    const synced = this.#synced
    if (event.type !== 'Mint' || synced === null || this.#pair.reserve0 > 0n) return false
    if (synced.reserve0 !== event.amount0 || synced.reserve1 !== event.amount1) return false
    this.#anchored = true
    this.#knowsSupply = true
    this.#knowsPrices = event.timestamp !== null
    return true
  }

  #anchor(): Verdict {
    this.#pair = this.#settled()
    this.#synced = null
    this.#anchored = this.#pair.reserve0 > 0n
    return { status: 'REFUSED', reason: 'RESERVES_BEFORE_UNKNOWN' }
  }

  #swap(event: Extract<CpmmEvent, { type: 'Swap' }>): Verdict {
    const { amount0In, amount1In, amount0Out, amount1Out } = event
    return this.#carryOut(() => {
      const paid = transferToPair(this.#pair, amount0In, amount1In)
      return swapPair(paid, amount0Out, amount1Out).state
    })
  }

  /**
   * The factory switches the protocol fee without a trace in these logs. So a contradiction to the
   * supply makes the supply unknown, and the event is checked against the reserves alone.
   * Exception: the start state declares the fee and the recording contains the liquidity.
   */
  #liquidity(event: LiquidityLog): Verdict {
    const [pair, synced, knew] = [this.#pair, this.#synced, this.#knowsSupply]
    const judge = () => (event.type === 'Mint' ? this.#mint(event) : this.#burn(event))
    const verdict = judge()
    const isSaid = this.#isDeclared && event.liquidity !== undefined
    if (verdict.status !== 'DIFFERENT' || !knew || isSaid) return verdict
    this.#pair = pair
    this.#synced = synced
    this.#knowsSupply = false
    return judge()
  }

  #mint(event: LiquidityLog): Verdict {
    const { amount0, amount1, liquidity: recorded } = event
    const paid = transferToPair(this.#pair, amount0, amount1)
    if (!this.#knowsSupply) return this.#carryOut(() => syncPair(paid))
    return this.#carryOut(() => {
      const { state, liquidity } = mintPair(paid, HOLDERS)
      return { state, liquidity: { recorded, computed: liquidity } }
    })
  }

  /**
   * A burn also includes earlier transfers without a call: the balances are the remaining plus the
   * paid amounts.
   */
  #burn(event: LiquidityLog): Verdict {
    const { amount0, amount1 } = event
    const synced = this.#synced
    if (!this.#knowsSupply || synced === null) return this.#burnUnknown(event)
    const { reserve0, reserve1 } = this.#pair
    const donated0 = synced.reserve0 + amount0 - reserve0
    const donated1 = synced.reserve1 + amount1 - reserve1
    if (donated0 < 0n || donated1 < 0n) {
      // Only a call removes tokens from a pair, so missing tokens are a difference.
      this.#knowsSupply = false
      return this.#burnUnknown(event)
    }
    const held = transferToPair(this.#pair, donated0, donated1)
    const range = burnedRange(held, amount0, amount1)
    const burned = event.liquidity ?? range.lowest
    if (event.liquidity === undefined && range.lowest < range.highest) this.#knowsSupply = false
    return this.#carryOut(() => {
      const sent = transferLiquidity(withAllHeld(held), HOLDERS, PAIR_ACCOUNT, burned)
      // Unpaid amounts stay in the pair, so a wrong amount shows in its reserves.
      return burnPair(sent).state
    })
  }

  /** Without the supply, the share of a donation that a burn includes cannot be computed. */
  #burnUnknown(event: LiquidityLog): Verdict {
    const { reserve0, reserve1 } = this.#pair
    const [left0, left1] = [reserve0 - event.amount0, reserve1 - event.amount1]
    const synced = this.#synced
    const isAbsorbed =
      synced !== null &&
      synced.reserve0 >= left0 &&
      synced.reserve1 >= left1 &&
      (synced.reserve0 > left0 || synced.reserve1 > left1)
    const verdict = this.#explain({ reserve0: left0, reserve1: left1 }, null)
    return isAbsorbed ? { status: 'REFUSED', reason: 'UNBOOKED_TRANSFER' } : verdict
  }

  /** Runs what the contract would do; a refusal is a difference. */
  #carryOut(operation: () => CpmmState | MintedState): Verdict {
    try {
      const result = operation()
      const [state, liquidity] =
        'state' in result ? [result.state, result.liquidity] : [result, null]
      const { reserve0, reserve1 } = state
      return this.#explain({ reserve0, reserve1 }, { state, liquidity })
    } catch (error) {
      if (!(error instanceof PoolRevertError)) throw error
      this.#pair = this.#settled()
      this.#synced = null
      const computed = error.reason === '' ? 'revert' : `revert ${error.reason}`
      return {
        status: 'DIFFERENT',
        mismatches: [{ field: 'outcome', recorded: 'success', computed }],
      }
    }
  }

  /**
   * Compares computed reserves with the Sync of the same call, then continues from the recorded
   * data.
   */
  #explain(
    reserves: { reserve0: bigint; reserve1: bigint },
    computed: { state: CpmmState; liquidity: MintedState['liquidity'] | null } | null,
  ): Verdict {
    const verdict = this.#compare(reserves, computed?.liquidity ?? null)
    this.#synced ??= reserves
    if (verdict.status === 'EXACT' && computed !== null) this.#pair = computed.state
    else this.#pair = this.#settled()
    this.#synced = null
    return verdict
  }

  #compare(
    reserves: { reserve0: bigint; reserve1: bigint },
    liquidity: MintedState['liquidity'] | null,
  ): Verdict {
    if (this.#synced === null) return { status: 'REFUSED', reason: 'NO_SYNC_BEFORE' }
    const recorded = { ...this.#synced, liquidity: liquidity?.recorded ?? null }
    return compareFields(recorded, { ...reserves, liquidity: liquidity?.computed ?? 0n })
  }

  #settled(): CpmmState {
    if (this.#synced === null) return this.#pair
    const { reserve0: balance0, reserve1: balance1 } = this.#synced
    return syncPair({ ...this.#pair, balance0, balance1 })
  }
}

type LiquidityLog = Extract<CpmmEvent, { type: 'Mint' | 'Burn' }>

interface MintedState {
  readonly state: CpmmState
  /** Recorded liquidity, if any, and computed liquidity. */
  readonly liquidity: { readonly recorded: bigint | undefined; readonly computed: bigint }
}

/** The liquidity whose share of the balances, rounded down, is just what was paid. */
function burnedRange(
  pair: CpmmState,
  amount0: bigint,
  amount1: bigint,
): { lowest: bigint; highest: bigint } {
  const { totalSupply } = mintProtocolShare(pair)
  const { balance0, balance1 } = pair
  const at = (amount: bigint, balance: bigint) =>
    balance === 0n ? 0n : divideRoundingUp(amount * totalSupply, balance)
  const lowest = [at(amount0, balance0), at(amount1, balance1)]
  const highest = [at(amount0 + 1n, balance0) - 1n, at(amount1 + 1n, balance1) - 1n]
  return {
    lowest: lowest[0]! > lowest[1]! ? lowest[0]! : lowest[1]!,
    highest: highest[0]! < highest[1]! ? highest[0]! : highest[1]!,
  }
}

/** Assigns all liquidity to one holder, so that any amount can be burned. */
function withAllHeld(pair: CpmmState): CpmmState {
  return { ...pair, liquidityOf: { [HOLDERS]: pair.totalSupply } }
}
