import { dualBound } from './dual-bound.ts'
import {
  byRate,
  fillSources,
  isWithin,
  type PoolInputs,
  polish,
  poolInputs,
} from './fill-sources.ts'
import { type Fillable, largestFillable } from './largest-fillable.ts'
import {
  type ExecutionLeg,
  type ExecutionLimits,
  type ExecutionSource,
  netOf,
  type PoolSource,
  type QuoteSource,
  totalIn,
  totalOut,
} from './source.ts'

/** A split of an order, and how far from the best it can be. */
export interface ExecutionSplit {
  /** Quotes before pools, each in the order of their ids. */
  readonly legs: readonly ExecutionLeg[]
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Gas cost of all legs, in output atoms. */
  readonly gasBuy: bigint
  readonly optimality: {
    /** EXHAUSTIVE: every choice of sources was filled or ruled out by its bound. BOUNDED: the search ended before. */
    readonly method: 'EXHAUSTIVE' | 'BOUNDED'
    /** Upper bound of the net output of any split, after gas. */
    readonly upperBoundNet: bigint
    /** How much the bound lies above what this split brings, millionths of the bound, rounded up. */
    readonly gapPips: bigint
    /** Choices of sources that were filled exactly, and nodes of the search. */
    readonly filled: number
    readonly nodes: number
  }
}

/** The requested order cannot be filled; `largest` can. */
export interface Unfillable {
  readonly unfillable: Fillable
}

/** Maximum nodes of the search. If it stops here, the result reports it. */
export const MOST_NODES = 20_000
export const MOST_FILLED = 300
const MILLION = 1_000_000n

/**
 * Splits an exact-input order over signed quotes and pools for the maximum output after gas.
 *
 * Branch and bound over the set of used sources. Each quote has a smallest fill and each source
 * costs gas, so its use is a discrete choice. Weak duality (`dualBound`) bounds a branch. A branch
 * without open choices is filled at one marginal price (`fillSources`). The result is optimal over
 * all choices. Within a choice it is optimal except for rounding of one atom per leg. Ties go to
 * fewer legs, then to the ids that sort first.
 *
 * @param amount input, atoms, above zero
 * @throws RangeError for an amount that is not above zero, or two sources with one id
 * @see Land and Doig, An Automatic Method of Solving Discrete Programming Problems, 1960
 */
export function splitExactIn(
  sources: readonly ExecutionSource[],
  amount: bigint,
  limits: ExecutionLimits,
): ExecutionSplit | Unfillable {
  if (amount <= 0n) throw new RangeError(`an order of ${amount}; expected a positive amount`)
  const ids = new Set(sources.map(({ sourceId }) => sourceId))
  if (ids.size < sources.length) throw new RangeError('two sources have the same ID')
  const search = new Search(sources, amount, limits)
  search.run()
  return search.result() ?? { unfillable: largestFillable(sources, amount, limits) }
}

interface Best {
  readonly legs: readonly ExecutionLeg[]
  readonly net: bigint
}

class Search {
  readonly #sources: readonly ExecutionSource[]
  readonly #amount: bigint
  readonly #limits: ExecutionLimits
  readonly #inputs: PoolInputs
  readonly #bounds: ReturnType<typeof dualBound>
  #best: Best | null = null
  #nodes = 0
  #filled = 0
  /** The highest bound among the unexplored nodes when the search ended. */
  #left: bigint | null = null

  constructor(sources: readonly ExecutionSource[], amount: bigint, limits: ExecutionLimits) {
    this.#sources = [...quotesOf(sources).toSorted(byRate), ...poolsOf(sources)]
    this.#amount = amount
    this.#limits = limits
    this.#inputs = poolInputs(amount)
    this.#bounds = dualBound(this.#sources, amount)
  }

  run(): void {
    this.#visit([], 0)
  }

  result(): ExecutionSplit | null {
    if (this.#best === null) return null
    const legs = this.#best.legs.toSorted(byKindAndId)
    const { net } = this.#best
    const isWhole = this.#left === null
    // What rounding hides is below an atom for each leg.
    const rounding = net + BigInt(legs.length)
    const upperBoundNet = this.#left !== null && this.#left > rounding ? this.#left : rounding
    const gap = upperBoundNet - net
    return {
      legs,
      amountIn: totalIn(legs),
      amountOut: totalOut(legs),
      gasBuy: totalOut(legs) - net,
      optimality: {
        method: isWhole ? 'EXHAUSTIVE' : 'BOUNDED',
        upperBoundNet,
        gapPips: upperBoundNet <= 0n ? 0n : (gap * MILLION + upperBoundNet - 1n) / upperBoundNet,
        filled: this.#filled,
        nodes: this.#nodes,
      },
    }
  }

  /** @param place the first source whose use is not decided */
  #visit(used: readonly number[], place: number): void {
    const more = this.#limits.maximumLegs - used.length
    const open = Array.from({ length: this.#sources.length - place }, (_, index) => place + index)
    const bound = this.#bounds.bound(used, more === 0 ? [] : open, more)
    if (this.#isBeaten(bound, used.length)) return
    if (this.#nodes >= MOST_NODES || this.#filled >= MOST_FILLED) {
      if (this.#left === null || bound > this.#left) this.#left = bound
      return
    }
    this.#nodes += 1
    if (place === this.#sources.length || more === 0) {
      this.#fill(used)
      return
    }
    this.#visit([...used, place], place + 1)
    this.#visit(used, place + 1)
  }

  #isBeaten(bound: bigint, legs: number): boolean {
    if (this.#best === null) return false
    if (bound !== this.#best.net) return bound < this.#best.net
    return legs > this.#best.legs.length
  }

  #fill(used: readonly number[]): void {
    if (used.length === 0) return
    this.#filled += 1
    const chosen = used.map((index) => this.#sources[index]!)
    const found = fillSources(
      { quotes: quotesOf(chosen), pools: poolsOf(chosen) },
      this.#amount,
      this.#limits,
      this.#inputs,
    )
    if (found === null || !isWithin(found, this.#limits)) return
    const rough = netOf(found)
    const nearest = rough + roundingOf(found)
    const legs =
      this.#best !== null && nearest < this.#best.net ? found : polish(found, this.#limits)
    const candidate = { legs, net: netOf(legs) }
    if (this.#best === null || isBetter(candidate, this.#best)) this.#best = candidate
  }
}

/** What moving an atom in each leg can bring at most. */
const roundingOf = (legs: readonly ExecutionLeg[]): bigint =>
  legs.reduce((sum, { source, amountIn, amountOut }) => {
    const each = source.kind === 'QUOTE' ? source.buyAmount / source.sellAmount : 0n
    const mean = amountOut / amountIn
    return sum + 2n + (each > mean ? each : mean) * 2n
  }, 0n)

const quotesOf = (sources: readonly ExecutionSource[]): QuoteSource[] =>
  sources.filter((source) => source.kind === 'QUOTE')
const poolsOf = (sources: readonly ExecutionSource[]): PoolSource[] =>
  sources
    .filter((source) => source.kind === 'POOL')
    .toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))

function byKindAndId({ source: a }: ExecutionLeg, { source: b }: ExecutionLeg): number {
  if (a.kind !== b.kind) return a.kind === 'QUOTE' ? -1 : 1
  return a.sourceId < b.sourceId ? -1 : 1
}

function isBetter(a: Best, b: Best): boolean {
  if (a.net !== b.net) return a.net > b.net
  if (a.legs.length !== b.legs.length) return a.legs.length < b.legs.length
  const idsOf = ({ legs }: Best) =>
    legs
      .map(({ source }) => source.sourceId)
      .toSorted()
      .join(' ')
  return idsOf(a) < idsOf(b)
}
