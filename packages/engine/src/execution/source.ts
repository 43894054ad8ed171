import type { Rat } from '../arithmetic/integer.ts'
import type { Route } from '../routing/route.ts'

/** A price that a maker has signed: the same for every atom from its smallest fill to its whole amount. */
export interface QuoteSource {
  readonly kind: 'QUOTE'
  /** Hash of the quote; ties are broken by it. */
  readonly sourceId: string
  readonly maker: string
  /** Maximum input and its output, in atoms. */
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  /** What goes in at least where it is used at all, 1..sellAmount; the whole amount of a quote that is filled or killed. */
  readonly minimumFill: bigint
  /** Whether the maker is bound; one with a last look is not. */
  readonly isFirm: boolean
  /** Gas cost of using the source, in output atoms, rounded up. */
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

/** Constraints of a split. */
export interface ExecutionLimits {
  /** WHOLE: exactly the order goes in. AT_MOST: what cannot be filled may stay. */
  readonly fill: 'WHOLE' | 'AT_MOST'
  /** Sources that may be used at most. */
  readonly maximumLegs: number
  /** Minimum input to firm quotes, in input atoms. */
  readonly minimumFirm: bigint
  /** Maximum input to all quotes of one maker; null if unlimited. */
  readonly maximumMaker: bigint | null
}

/** Exact input and output of one source. */
export interface ExecutionLeg {
  readonly source: ExecutionSource
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/**
 * Output of a quote for an amount: ⌊amountIn · buyAmount / sellAmount⌋, never above the signed
 * amount.
 */
export const quotePays = (
  { buyAmount, sellAmount }: Pick<QuoteSource, 'buyAmount' | 'sellAmount'>,
  amountIn: bigint,
): bigint => (amountIn * buyAmount) / sellAmount

/** Output per input atom, at the source's best rate. */
export const rateOf = (source: ExecutionSource): Rat =>
  source.kind === 'QUOTE' ? { num: source.buyAmount, den: source.sellAmount } : source.route.best

/** Output of a source for an amount; null if it cannot take the whole amount. */
export function pays(source: ExecutionSource, amountIn: bigint): bigint | null {
  if (amountIn === 0n) return 0n
  if (source.kind === 'QUOTE') return quotePays(source, amountIn)
  const fill = source.route.swap(amountIn)
  return fill?.amountIn === amountIn ? fill.amountOut : null
}

/** Total output of the legs after their gas costs. */
export const netOf = (legs: readonly ExecutionLeg[]): bigint =>
  legs.reduce((sum, { amountOut, source }) => sum + amountOut - source.gasBuy, 0n)

export const totalIn = (legs: readonly ExecutionLeg[]): bigint =>
  legs.reduce((sum, { amountIn }) => sum + amountIn, 0n)

export const totalOut = (legs: readonly ExecutionLeg[]): bigint =>
  legs.reduce((sum, { amountOut }) => sum + amountOut, 0n)
