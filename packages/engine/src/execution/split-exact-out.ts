import { isBelow } from '../routing/route.ts'
import { type ExecutionSplit, splitExactIn } from './plan-execution.ts'
import { type ExecutionLimits, type ExecutionSource, rateOf } from './source.ts'

/** Limits as shares of what goes in, which is not known before. */
export interface ExecutionShares {
  readonly maximumLegs: number
  /** Millionths. */
  readonly minimumFirmPips: number
  readonly maximumMakerPips: number | null
}

const MILLION = 1_000_000n
/** Relative resolution of the input search. */
const PRECISION_BITS = 32n
const MOST_ROUNDS = 96

/**
 * Rounds the firm minimum up and the maker maximum down, so both limits are never looser than
 * requested.
 */
export function limitsOf(
  { maximumLegs, minimumFirmPips, maximumMakerPips }: ExecutionShares,
  amount: bigint,
  fill: ExecutionLimits['fill'] = 'WHOLE',
): ExecutionLimits {
  return {
    fill,
    maximumLegs,
    minimumFirm: (amount * BigInt(minimumFirmPips) + MILLION - 1n) / MILLION,
    maximumMaker: maximumMakerPips === null ? null : (amount * BigInt(maximumMakerPips)) / MILLION,
  }
}

/**
 * The smallest order that pays an exact output. The maximum output never falls when the input rises
 * (gas is not deducted from the output). So the input is found by false position and bisection, and
 * each candidate is split by `splitExactIn`. The resulting split pays at least the output. An input
 * smaller by more than 2^-32 of the amount, or by an atom, does not.
 *
 * @param output required output, atoms, above zero
 * @param most maximum input
 * @returns the split; if even the maximum input is insufficient, its output
 */
export function splitExactOut(
  sources: readonly ExecutionSource[],
  output: bigint,
  shares: ExecutionShares,
  most: bigint,
): ExecutionSplit | { readonly largestOutput: bigint } {
  if (output <= 0n) throw new RangeError(`an output of ${output}; expected a positive amount`)
  const split = (amount: bigint) => {
    const found = splitExactIn(sources, amount, limitsOf(shares, amount, 'AT_MOST'))
    return 'unfillable' in found ? null : found
  }
  // From here on every quote can be used whole, so what brings no more never will.
  const whole = sources.reduce(
    (sum, source) => (source.kind === 'QUOTE' ? sum + source.sellAmount : sum),
    1n,
  )
  let low = { amount: 0n, out: 0n }
  for (let amount = firstGuess(sources, output, most); ; ) {
    const found = split(amount)
    const out = found?.amountOut ?? 0n
    if (found && out >= output) return narrow(split, output, low, { amount, split: found })
    const isSpent = low.amount >= whole && out <= low.out
    if (amount >= most || isSpent) return { largestOutput: out }
    low = { amount, out }
    amount = amount * 2n > most ? most : amount * 2n
  }
}

function narrow(
  split: (amount: bigint) => ExecutionSplit | null,
  output: bigint,
  from: { amount: bigint; out: bigint },
  to: { amount: bigint; split: ExecutionSplit },
): ExecutionSplit {
  let low = from
  let high = to
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const width = high.amount - low.amount
    if (width <= 1n || width <= high.amount >> PRECISION_BITS) break
    const rise = high.split.amountOut - low.out
    const ahead = rise <= 0n ? width / 2n : (width * (output - low.out) + rise - 1n) / rise
    // A step beyond the line catches what curves away from it; every third round halves.
    const wanted = round % 3 === 2 ? width / 2n : ahead + (ahead >> 16n)
    const step = wanted < 1n ? 1n : wanted >= width ? width - 1n : wanted
    const amount = low.amount + step
    const found = split(amount)
    if (found && found.amountOut >= output) high = { amount, split: found }
    else low = { amount, out: found?.amountOut ?? low.out }
  }
  return high.split
}

/** Input at the best rate: a lower bound for every split. */
function firstGuess(sources: readonly ExecutionSource[], output: bigint, most: bigint): bigint {
  const top = sources
    .map(rateOf)
    .reduce((high, rate) => (isBelow(high, rate) ? rate : high), { num: 0n, den: 1n })
  if (top.num === 0n) return most
  const needed = (output * top.den + top.num - 1n) / top.num
  return needed < 1n ? 1n : needed > most ? most : needed
}
