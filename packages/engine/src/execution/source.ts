import type { Rat } from '../arithmetic/integer.ts'
import type { Route } from '../routing/route.ts'

/** A price that a maker has signed: the same for every atom from its smallest fill to its whole amount. */
export interface QuoteSource {
  readonly kind: 'QUOTE'
  /** Hash of the quote; ties are broken by it. */
  readonly sourceId: string
  readonly maker: string
  /** What goes in at most, and what comes out for it; atoms. */
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  /** What goes in at least where it is used at all, 1..sellAmount; the whole amount of a quote that is filled or killed. */
  readonly minimumFill: bigint
  /** Whether the maker is bound; one with a last look is not. */
  readonly isFirm: boolean
  /** What using it costs in gas, atoms of what comes out, rounded up. */
  readonly gasBuy: bigint
}

/** A pool, prepared for the direction of the order. */
export interface PoolSource {
  readonly kind: 'POOL'
  readonly sourceId: string
  readonly route: Route
  readonly gasBuy: bigint
}

export type ExecutionSource = QuoteSource | PoolSource

/** What a split must keep. */
export interface ExecutionLimits {
  /** WHOLE: exactly the order goes in. AT_MOST: what cannot be filled may stay. */
  readonly fill: 'WHOLE' | 'AT_MOST'
  /** Sources that may be used at most. */
  readonly maximumLegs: number
  /** What must go to quotes that bind their makers, atoms that go in. */
  readonly minimumFirm: bigint
  /** What may go to all quotes of one maker; null where nothing bounds it. */
  readonly maximumMaker: bigint | null
}

/** What one source takes and pays, by its own exact rules. */
export interface ExecutionLeg {
  readonly source: ExecutionSource
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** What a quote pays for an amount: floor(amountIn · buyAmount / sellAmount), never more than was signed for. */
export const quotePays = (
  { buyAmount, sellAmount }: Pick<QuoteSource, 'buyAmount' | 'sellAmount'>,
  amountIn: bigint,
): bigint => (amountIn * buyAmount) / sellAmount

/** What comes out for an atom that goes in. */
export const rateOf = (source: ExecutionSource): Rat =>
  source.kind === 'QUOTE' ? { num: source.buyAmount, den: source.sellAmount } : source.route.best

/** What a source pays for an amount; null where it does not take all of it. */
export function pays(source: ExecutionSource, amountIn: bigint): bigint | null {
  if (amountIn === 0n) return 0n
  if (source.kind === 'QUOTE') return quotePays(source, amountIn)
  const fill = source.route.swap(amountIn)
  return fill?.amountIn === amountIn ? fill.amountOut : null
}

/** What comes out of legs after the gas of each. */
export const netOf = (legs: readonly ExecutionLeg[]): bigint =>
  legs.reduce((sum, { amountOut, source }) => sum + amountOut - source.gasBuy, 0n)

export const totalIn = (legs: readonly ExecutionLeg[]): bigint =>
  legs.reduce((sum, { amountIn }) => sum + amountIn, 0n)

export const totalOut = (legs: readonly ExecutionLeg[]): bigint =>
  legs.reduce((sum, { amountOut }) => sum + amountOut, 0n)
