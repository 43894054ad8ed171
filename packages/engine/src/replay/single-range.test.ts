import { expect, test } from 'vitest'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import { decodeLog, LogDecodeError } from './decode-log.ts'
import type { SwapEvent } from './events.ts'
import { SingleRangeReplay } from './single-range.ts'

const [FEE_PIPS, SPACING] = [3000, 60]
const FORGED_AT = 7

test('genuine swaps of one range are exact, and each names the call behind it', () => {
  const verdicts = judge(record(20, 10n ** 18n))
  expect(verdicts[0]).toEqual({ status: 'REFUSED', reason: 'STATE_BEFORE_UNKNOWN' })
  for (const verdict of verdicts.slice(1)) {
    expect(verdict).toEqual({ status: 'EXACT', mode: 'EXACT_INPUT' })
  }
})

test.each(['amount0', 'amount1', 'sqrtPriceX96'] as const)(
  'a %s that is forged by one counts as exact only with the call that gives it',
  (field) => {
    const swaps = record(20, 10n ** 18n)
    let different = 0
    for (let at = 1; at < swaps.length; at++) {
      for (const by of [1n, -1n]) {
        const forged = swaps.with(at, { ...swaps[at]!, [field]: swaps[at]![field] + by })
        const verdict = judge(forged)[at]!
        if (verdict.status === 'DIFFERENT') different += 1
        else expect(verdict).toEqual({ status: 'EXACT', mode: expect.any(String) })
      }
    }
    expect(different).toBeGreaterThan(field === 'sqrtPriceX96' ? 15 : 30)
  },
)

test.each([1, -1, 5000])('a tick that is forged by %i is a difference of the tick', (by) => {
  const swaps = record(20, 10n ** 18n)
  const { tick } = swaps[FORGED_AT]!
  const verdict = judge(swaps.with(FORGED_AT, { ...swaps[FORGED_AT]!, tick: tick + by }))[FORGED_AT]
  expect(verdict).toEqual({
    status: 'DIFFERENT',
    mismatches: [{ field: 'tick', recorded: `${tick + by}`, computed: `${tick}` }],
  })
})

test.each([
  [
    'tokens that moved against the price',
    ({ amount0, amount1 }: SwapEvent) => [-amount0, -amount1],
  ],
  [
    'two tokens that both entered',
    ({ amount0, amount1 }: SwapEvent) => [abs(amount0), abs(amount1)],
  ],
  [
    'two tokens that both left',
    ({ amount0, amount1 }: SwapEvent) => [-abs(amount0), -abs(amount1)],
  ],
] as const)('%s are a difference, even where a tick may have been crossed', (_what, forge) => {
  for (const size of [10n ** 18n, 10n ** 20n]) {
    const swaps = record(20, size)
    const [amount0, amount1] = forge(swaps[FORGED_AT]!)
    const swap = { ...swaps[FORGED_AT]!, amount0: amount0!, amount1: amount1! }
    expect(judge(swaps.with(FORGED_AT, swap))[FORGED_AT]).toMatchObject({
      status: 'DIFFERENT',
      mismatches: [{ field: 'outcome' }],
    })
  }
})

test.each([
  ['sqrtPriceX96', 1n << 160n],
  ['sqrtPriceX96', 0n],
  ['liquidity', 1n << 128n],
  ['liquidity', -1n],
] as const)('a %s of %i is in no log of a swap', (field, value) => {
  const swaps = record(20, 10n ** 18n)
  const verdict = judge(swaps.with(FORGED_AT, { ...swaps[FORGED_AT]!, [field]: value }))[FORGED_AT]
  expect(verdict).toMatchObject({ status: 'DIFFERENT', mismatches: [{ field }] })
})

test('across a tick only amounts that are both off speak of other liquidity; one alone is a difference', () => {
  const swaps = record(20, 10n ** 20n)
  const swap = swaps[FORGED_AT]!
  expect(Math.floor(swap.tick / SPACING)).not.toBe(Math.floor(swaps[FORGED_AT - 1]!.tick / SPACING))
  const verdictOf = (forged: Partial<SwapEvent>) =>
    judge(swaps.with(FORGED_AT, { ...swap, ...forged }))[FORGED_AT]
  const less0 = (swap.amount0 * 9n) / 10n
  const less1 = (swap.amount1 * 9n) / 10n
  expect(verdictOf({ amount0: less0 })).toMatchObject({ status: 'DIFFERENT' })
  expect(verdictOf({ amount1: less1 })).toMatchObject({ status: 'DIFFERENT' })
  expect(verdictOf({ amount0: less0, amount1: less1 })).toEqual({
    status: 'REFUSED',
    reason: 'TICK_CROSSED',
  })
})

test('within the ticks of the spacing nothing can be crossed, so two wrong amounts are a difference', () => {
  const swaps = record(20, 10n ** 15n)
  const { amount0, amount1 } = swaps[FORGED_AT]!
  const forged = { ...swaps[FORGED_AT]!, amount0: amount0 * 2n, amount1: amount1 * 2n }
  expect(judge(swaps.with(FORGED_AT, forged))[FORGED_AT]).toMatchObject({ status: 'DIFFERENT' })
})

test('a word beyond its type is refused when a log is decoded', () => {
  const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
  const topics = ['c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67']
  const log = (price: bigint, liquidity: bigint, tick: bigint) => ({
    topics: [...topics, word(1n), word(1n)].map((topic) => `0x${topic}`),
    data: `0x${[5n, -4n, price, liquidity, tick].map(word).join('')}`,
  })
  const place = { block: 1, timestamp: null, logIndex: 0, line: 2 }
  const price = 1n << 96n
  expect(decodeLog(log(price, 7n, -3n), place)).toMatchObject({ liquidity: 7n, tick: -3 })
  expect(() => decodeLog(log(price + (1n << 160n), 7n, 0n), place)).toThrow(LogDecodeError)
  expect(() => decodeLog(log(price, 1n << 128n, 0n), place)).toThrow(/word 3 above 128 bits/)
  expect(() => decodeLog(log(price, 7n, 1n << 23n), place)).toThrow(/word 4 above 24 bits/)
})

/** Swaps of about `size` atoms to and fro on a pool of one wide position. */
function record(count: number, size: bigint): SwapEvent[] {
  let state: ClmmState = createClmmPool({ feePips: FEE_PIPS, tickSpacing: SPACING })
  const apply = (operation: Parameters<typeof applyOperation>[1]) => {
    const { state: next, outcome } = applyOperation(state, operation)
    if (outcome.reverted) throw new Error(`the set-up reverted with ${outcome.reason}`)
    // The state stays one of a v3 pool.
    state = next as ClmmState
    return outcome.logs[0]!.args
  }
  apply({ kind: 'v3.initialize', timestamp: 1, sqrtPriceX96: (1n << 96n) + 12_345n })
  const range = { tickLower: -60_000, tickUpper: 60_000, liquidity: 987_654_321n * 10n ** 13n }
  apply({ kind: 'v3.mint', timestamp: 1, owner: '0x01', ...range })
  return Array.from({ length: count }, (_, index): SwapEvent => {
    const zeroForOne = index % 3 === 0
    const args = apply({
      kind: 'v3.swap',
      timestamp: 1,
      zeroForOne,
      amountSpecified: size + (size / 7n) * BigInt(index) + 3n,
      sqrtPriceLimitX96: zeroForOne ? 4295128740n : 1n << 159n,
    })
    const of = (name: string) => BigInt(args[name]!)
    return {
      type: 'Swap',
      block: index,
      timestamp: 1,
      logIndex: 0,
      line: index + 2,
      amount0: of('amount0'),
      amount1: of('amount1'),
      sqrtPriceX96: of('sqrtPriceX96'),
      liquidity: of('liquidity'),
      tick: Number(of('tick')),
    }
  })
}

function judge(swaps: readonly SwapEvent[]) {
  const replay = new SingleRangeReplay(FEE_PIPS, SPACING)
  return swaps.map((swap) => replay.apply(swap))
}

function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
