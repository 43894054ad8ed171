import { PoolRevertError } from '../amm/pool-revert.ts'
import { getAmountIn, getAmountOut } from '../amm/v2/formulas.ts'
import { swapPair, transferToPair } from '../amm/v2/pair.ts'
import type { CpmmState, PairFee } from '../amm/v2/state.ts'
import type { CpmmEvent } from './events.ts'
import { compareFields, type Verdict } from './fidelity.ts'

/** What a v2 swap was, measured against both formulas. */
export type PairSwapClass = 'EXACT_IN' | 'EXACT_OUT' | 'K_SLACK' | 'MULTI_SIDED' | 'OTHER_FEE'

/** The four amounts of a v2 Swap log. */
export interface PairAmounts {
  readonly amount0In: bigint
  readonly amount1In: bigint
  readonly amount0Out: bigint
  readonly amount1Out: bigint
}

/**
 * Says what a v2 swap was: exactly the formula one way or the other, less than the caller could take,
 * both tokens in or out, or not allowed at this fee.
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

/**
 * Replays the log of a v2 pair. Its logs say what moved, not what was called, so each one is checked
 * against the reserves: a swap must pass the product check and lead from the reserves before to the
 * Sync that preceded it; deposits and withdrawals must account for the Sync to the atom.
 */
export class CpmmReplay {
  #pair: CpmmState
  /** Reserves of the last Sync, until the event of the same call explains them. */
  #synced: { reserve0: bigint; reserve1: bigint } | null = null
  #anchored: boolean

  /** @param anchored whether the reserves of `start` are known; otherwise the first Sync sets them */
  constructor(start: CpmmState, anchored: boolean) {
    this.#pair = start
    this.#anchored = anchored
  }

  /** Judges one event and goes on from the recorded reserves. */
  apply(event: CpmmEvent): Verdict {
    if (event.timestamp !== null) {
      this.#pair = { ...this.#pair, blockTimestamp: event.timestamp }
    }
    if (event.type === 'Sync') return this.#sync(event)
    if (!this.#anchored) return this.#anchor()
    if (event.type === 'Swap') return this.#swap(event)
    const { reserve0, reserve1 } = this.#pair
    const { amount0, amount1 } = event
    if (event.type === 'Mint') return this.#explain(reserve0 + amount0, reserve1 + amount1)
    return this.#burn(reserve0 - amount0, reserve1 - amount1)
  }

  /** The pair after the last event. Liquidity tokens are not in its logs and stay as they were given. */
  final(): CpmmState {
    return this.#settled()
  }

  #sync(event: Extract<CpmmEvent, { type: 'Sync' }>): Verdict {
    const { reserve0, reserve1 } = event
    // A Sync that no other event explained was a call of sync(): the donation is now part of the pool.
    this.#pair = this.#settled()
    this.#synced = { reserve0, reserve1 }
    return { status: 'EXACT' }
  }

  #anchor(): Verdict {
    this.#pair = this.#settled()
    this.#synced = null
    this.#anchored = this.#pair.reserve0 > 0n
    return { status: 'REFUSED', reason: 'RESERVES_BEFORE_UNKNOWN' }
  }

  #swap(event: Extract<CpmmEvent, { type: 'Swap' }>): Verdict {
    const { amount0In, amount1In, amount0Out, amount1Out } = event
    try {
      const paid = transferToPair(this.#pair, amount0In, amount1In)
      const { state } = swapPair(paid, amount0Out, amount1Out)
      return this.#explain(state.reserve0, state.reserve1)
    } catch (error) {
      if (!(error instanceof PoolRevertError)) throw error
      this.#pair = this.#settled()
      this.#synced = null
      return {
        status: 'DIFFERENT',
        mismatches: [{ field: 'outcome', recorded: 'success', computed: `revert ${error.reason}` }],
      }
    }
  }

  /** A burn also books what was transferred before without a call; then its own share cannot be told apart. */
  #burn(reserve0: bigint, reserve1: bigint): Verdict {
    const synced = this.#synced
    const verdict = this.#explain(reserve0, reserve1)
    const absorbed =
      verdict.status === 'DIFFERENT' &&
      synced !== null &&
      synced.reserve0 >= reserve0 &&
      synced.reserve1 >= reserve1
    return absorbed ? { status: 'REFUSED', reason: 'UNBOOKED_TRANSFER' } : verdict
  }

  /** Compares computed reserves with the Sync of the same call, and books what was recorded. */
  #explain(reserve0: bigint, reserve1: bigint): Verdict {
    const verdict =
      this.#synced === null
        ? ({ status: 'REFUSED', reason: 'NO_SYNC_BEFORE' } as const)
        : compareFields(this.#synced, { reserve0, reserve1 })
    this.#synced ??= { reserve0, reserve1 }
    this.#pair = this.#settled()
    this.#synced = null
    return verdict
  }

  #settled(): CpmmState {
    if (this.#synced === null) return this.#pair
    const { reserve0, reserve1 } = this.#synced
    return { ...this.#pair, reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
  }
}
