import { PoolRevertError } from '../../pool-revert.ts'
import type { SwapRequest } from '../swap.ts'
import { ClmmMemory } from './memory.ts'
import { type ClmmSession, REVERTS, type SwapOutcome } from './session.ts'

/** As `assembly/batch.ts`. */
const REQUEST_BYTES = 64
const OUTCOME = {
  crossed: 4,
  tick: 8,
  exhausted: 12,
  amountIn: 16,
  amountOut: 48,
  fee: 80,
  sqrtPriceX96: 112,
  liquidity: 136,
  bytes: 152,
}
const INT256 = 1n << 255n
const UINT160 = 1n << 160n
const UINT64 = 1n << 64n

/** Outcomes of a batch by index, decoded on access. */
export class SwapOutcomes {
  readonly length: number
  readonly #memory: ClmmMemory

  constructor(bytes: ArrayBuffer) {
    this.length = bytes.byteLength / OUTCOME.bytes
    this.#memory = new ClmmMemory({ memory: { buffer: bytes } })
  }

  /** @throws PoolRevertError where the contract would have reverted: AS, LOK, SPL, TF */
  at(index: number): SwapOutcome {
    const at = this.#assertDone(index)
    const memory = this.#memory
    return {
      amountIn: memory.read256(at + OUTCOME.amountIn),
      amountOut: memory.read256(at + OUTCOME.amountOut),
      fee: memory.read256(at + OUTCOME.fee),
      sqrtPriceX96: memory.read192(at + OUTCOME.sqrtPriceX96),
      tick: memory.readNumber(at + OUTCOME.tick),
      liquidity: memory.read128(at + OUTCOME.liquidity),
      crossed: memory.readNumber(at + OUTCOME.crossed),
      exhausted: memory.readNumber(at + OUTCOME.exhausted) !== 0,
    }
  }

  /** @throws PoolRevertError as `at` */
  amountOut(index: number): bigint {
    return this.#memory.read256(this.#assertDone(index) + OUTCOME.amountOut)
  }

  #assertDone(index: number): number {
    if (!(index >= 0 && index < this.length)) throw new RangeError(`no outcome ${index}`)
    const at = index * OUTCOME.bytes
    const status = this.#memory.readNumber(at)
    if (status !== 0) throw new PoolRevertError({ reason: REVERTS[status] ?? '' })
    return at
  }
}

/**
 * Executes many swaps in order with one call into WebAssembly. A reverted swap changes no state,
 * and the next swap runs.
 */
export function swapBatch(session: ClmmSession, requests: readonly SwapRequest[]): SwapOutcomes {
  return run(session, requests, 0)
}

/** Computes many swaps, each from the current pool state, which stays unchanged. */
export function quoteBatch(session: ClmmSession, requests: readonly SwapRequest[]): SwapOutcomes {
  return run(session, requests, 1)
}

function run(
  session: ClmmSession,
  requests: readonly SwapRequest[],
  isQuote: number,
): SwapOutcomes {
  const { exports, memory } = session.inside
  const first = exports.reserve(requests.length)
  const outcomes = first + requests.length * REQUEST_BYTES
  const { words, numbers } = memory
  let at = first
  // Most requests of a direction have the same limit, so its words are taken from the one before.
  const limits: [down: LimitWords, up: LimitWords] = [NO_LIMIT, NO_LIMIT]
  for (const { zeroForOne, amountSpecified, sqrtPriceLimitX96 } of requests) {
    const isInput = amountSpecified > 0n
    const word = at >> 3
    writeAmount(words, word, isInput ? amountSpecified : -amountSpecified)
    const side = zeroForOne ? 0 : 1
    let limit = limits[side]
    if (limit.value !== sqrtPriceLimitX96) {
      limit = wordsOfLimit(sqrtPriceLimitX96)
      limits[side] = limit
    }
    words[word + 4] = limit.low
    words[word + 5] = limit.middle
    words[word + 6] = limit.high
    numbers[(at + 56) >> 2] = (zeroForOne ? 1 : 0) | (isInput ? 2 : 0)
    at += REQUEST_BYTES
  }
  exports.runBatch(first, outcomes, requests.length, isQuote)
  const end = outcomes + requests.length * OUTCOME.bytes
  return new SwapOutcomes(exports.memory.buffer.slice(outcomes, end))
}

interface LimitWords {
  readonly value: bigint
  readonly low: bigint
  readonly middle: bigint
  readonly high: bigint
}
const NO_LIMIT: LimitWords = { value: -1n, low: 0n, middle: 0n, high: 0n }

/** A limit beyond its type is refused as one beyond the range is: SPL. */
function wordsOfLimit(value: bigint): LimitWords {
  if (value < 0n || value >= UINT160) return { ...NO_LIMIT, value }
  const low = BigInt.asUintN(64, value)
  return { value, low, middle: BigInt.asUintN(64, value >> 64n), high: value >> 128n }
}

/** Writes 256 bits; most amounts have at most 128. */
function writeAmount(words: BigUint64Array, at: number, amount: bigint): void {
  const high = amount >> 64n
  words[at] = amount
  words[at + 1] = high
  if (high < UINT64) {
    words[at + 2] = 0n
    words[at + 3] = 0n
    return
  }
  if (amount > INT256) throw new RangeError('an amount above int256')
  words[at + 2] = high >> 64n
  words[at + 3] = high >> 128n
}
