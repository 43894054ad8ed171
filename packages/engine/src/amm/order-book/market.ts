import { divideRoundingUp, type Rat } from '../../arithmetic/integer.ts'
import type { Dir, Orientation, SwapOut } from '../market.ts'
import type { BookLevel, BookState } from './state.ts'

const MILLION = 1_000_000n

/**
 * The middle of the best bid and the best ask, quote atoms per base atom.
 *
 * @throws RangeError if a side is empty: a one-sided book has no price
 */
export function bookMidPrice({ bids, asks, tickSize }: BookState, o: Orientation): Rat {
  const [bid, ask] = [bids[0], asks[0]]
  if (bid === undefined || ask === undefined) {
    throw new RangeError('a book with an empty side has no mid price')
  }
  const num = (bid.ticks + ask.ticks) * tickSize.num
  const den = 2n * tickSize.den
  return o.base === 0 ? { num, den } : { num: den, den: num }
}

/**
 * Fills an exact input from displayed orders, best price first.
 *
 * Rounding favors the maker at each level: a buyer's payment is rounded up, a seller's proceeds are
 * rounded down. Leftover input that buys less than an atom is not taken.
 *
 * @param limit worst price of a level, atoms of `to` per atom of `from`
 */
export function bookSwapExactIn(
  book: BookState,
  d: Dir,
  amountIn: bigint,
  limit?: Rat,
): SwapOut<BookState> {
  let left = amountIn
  return d.from === 1
    ? walk(book, d, limit, ({ ticks, base }) => {
        const whole = costOf(book, ticks, base)
        const isWhole = whole <= left
        const taken = isWhole ? base : (left * book.tickSize.den) / (ticks * book.tickSize.num)
        const paid = costOf(book, ticks, taken)
        left -= paid
        return { base: taken, quote: paid, isDone: !isWhole || left === 0n }
      })
    : walk(book, d, limit, ({ ticks, base }) => {
        const taken = base < left ? base : left
        left -= taken
        return { base: taken, quote: proceedsOf(book, ticks, taken), isDone: left === 0n }
      })
}

/**
 * Fills an exact output after the taker's fee from displayed orders, best price first. Whole atoms
 * can make the output slightly larger than requested.
 *
 * @param limit worst price of a level, atoms of `to` per atom of `from`
 */
export function bookSwapExactOut(
  book: BookState,
  d: Dir,
  amountOut: bigint,
  limit?: Rat,
): SwapOut<BookState> {
  let left = grossOf(book, amountOut)
  return d.from === 1
    ? walk(book, d, limit, ({ ticks, base }) => {
        const taken = base < left ? base : left
        left -= taken
        return { base: taken, quote: costOf(book, ticks, taken), isDone: left === 0n }
      })
    : walk(book, d, limit, ({ ticks, base }) => {
        const whole = proceedsOf(book, ticks, base)
        const isWhole = whole < left
        const { num, den } = book.tickSize
        const taken = isWhole ? base : divideRoundingUp(left * den, ticks * num)
        const received = proceedsOf(book, ticks, taken)
        left -= received
        return { base: taken, quote: received, isDone: left <= 0n }
      })
}

/** Takes every displayed order up to a price, quote per base; none beyond it. */
export function bookSwapToPrice(book: BookState, o: Orientation, target: Rat): SwapOut<BookState> {
  const mid = bookMidPrice(book, o)
  const buys = target.num * mid.den > mid.num * target.den
  const d = buys ? { from: o.quote, to: o.base } : { from: o.base, to: o.quote }
  const limit = buys ? { num: target.den, den: target.num } : target
  const takeAll = ({ ticks, base }: BookLevel) => ({
    base,
    quote: d.from === 1 ? costOf(book, ticks, base) : proceedsOf(book, ticks, base),
    isDone: false,
  })
  return { ...walk(book, d, limit, takeAll), exhausted: false }
}

interface Taken {
  readonly base: bigint
  readonly quote: bigint
  /** Whether the order is filled. */
  readonly isDone: boolean
}

/** Takes level after level until the order is filled, the limit is passed or the side is empty. */
function walk(
  book: BookState,
  d: Dir,
  limit: Rat | undefined,
  take: (level: BookLevel) => Taken,
): SwapOut<BookState> {
  const buys = d.from === 1
  const side = buys ? book.asks : book.bids
  const left: BookLevel[] = []
  let [base, quote] = [0n, 0n]
  let isDone = false
  let passed = 0
  for (const level of side) {
    if (isDone || !isAllowed(book, level, buys, limit)) {
      left.push(level)
      continue
    }
    const taken = take(level)
    base += taken.base
    quote += taken.quote
    isDone = taken.isDone
    if (taken.base === level.base) passed += 1
    else left.push({ ...level, base: level.base - taken.base })
  }
  const state = buys ? { ...book, asks: left } : { ...book, bids: left }
  const [amountIn, gross] = buys ? [quote, base] : [base, quote]
  const fee = divideRoundingUp(gross * BigInt(book.takerFeePips), MILLION)
  const feeIn = gross === 0n ? 0n : divideRoundingUp(amountIn * fee, gross)
  return {
    state,
    amountIn,
    amountOut: gross - fee,
    fee: feeIn,
    crossed: passed,
    exhausted: !isDone,
  }
}

/** Whether a level satisfies the limit, given as `to` per `from`. */
function isAllowed(
  { tickSize }: BookState,
  { ticks }: BookLevel,
  buys: boolean,
  limit: Rat | undefined,
): boolean {
  if (limit === undefined) return true
  const [num, den] = [ticks * tickSize.num, tickSize.den]
  return buys ? den * limit.den >= limit.num * num : num * limit.den >= limit.num * den
}

/** Quote atoms a buyer pays, rounded up. */
function costOf({ tickSize }: BookState, ticks: bigint, base: bigint): bigint {
  return divideRoundingUp(base * ticks * tickSize.num, tickSize.den)
}

/** Quote atoms a seller receives, rounded down. */
function proceedsOf({ tickSize }: BookState, ticks: bigint, base: bigint): bigint {
  return (base * ticks * tickSize.num) / tickSize.den
}

/** Smallest output before the fee that leaves `net` after it; the fee is rounded up. */
function grossOf({ takerFeePips }: BookState, net: bigint): bigint {
  return divideRoundingUp(net * MILLION, MILLION - BigInt(takerFeePips))
}
