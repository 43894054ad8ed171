import type { Rat } from '../arithmetic/integer.ts'
import type { Holdings } from '../study/arm.ts'

/** Inventory target of an arm: base share of its value, within a tolerance. */
export interface BaseShareTarget {
  readonly pips: number
  readonly tolerancePips: number
}

/** Default tolerance around a target share, pips. */
const TARGET_TOLERANCE_PIPS = 10_000

/** Quote below this share of the capital's worth counts as used up, pips. */
export const DEPLETED_PIPS = 1_000n

/** What became of an arm's inventory. */
export interface InventoryCourse {
  /** First sample with the base share at its target; null if never, or without a target. */
  readonly secondsToTarget: number | null
  readonly hasTarget: boolean
  /** First sample with remaining quote below a thousandth of the capital; null if never. */
  readonly quoteDepletedAt: number | null
  /** Base given up over the run less base taken, fees left out, atoms; below zero it was bought. */
  readonly baseSold: bigint
  /** Quote that came in for it. */
  readonly quoteReceived: bigint
  /** Quote per base of the net exchange times 10^18, rounded down; null if one side is zero. */
  readonly averagePriceX18: bigint | null
  /**
   * Volume-weighted average price of the market's trades in the window, rounded down; null without
   * trades.
   */
  readonly vwapX18: bigint | null
  /** Average price over it less one, pips: above zero a sale did better than the market's trades. */
  readonly versusVwapPips: number | null
}

/** Both sides of the trades of a market. */
export interface TradedVolume {
  base: bigint
  quote: bigint
}

const X18 = 10n ** 18n

/** The share of base that an arm steers to, or else the study's. */
export function targetOf(
  arm: { readonly targetBaseSharePips?: number },
  usual: BaseShareTarget | null,
): BaseShareTarget | null {
  const { targetBaseSharePips: pips } = arm
  if (pips === undefined) return usual
  return { pips, tolerancePips: usual?.tolerancePips ?? TARGET_TOLERANCE_PIPS }
}

export type InventorySamples = Pick<
  InventoryCourse,
  'secondsToTarget' | 'hasTarget' | 'quoteDepletedAt'
>

/** Quote below which it counts as used up. @param capital worth of the capital at the start, quote atoms */
export function depletedBelow(capital: bigint): bigint {
  return (capital * DEPLETED_PIPS) / 1_000_000n
}

/** Watches the inventory of one arm. */
export class InventoryWatch {
  readonly #target: BaseShareTarget | null
  readonly #least: bigint
  #secondsToTarget: number | null = null
  #quoteDepletedAt: number | null = null

  /** @param capital worth of the capital at the start, quote atoms */
  constructor(target: BaseShareTarget | null, capital: bigint) {
    this.#target = target
    this.#least = depletedBelow(capital)
  }

  /** @param quote inventory of the arm, without fees */
  see(seconds: number, baseSharePips: number, quote: bigint): void {
    const target = this.#target
    if (target !== null && Math.abs(baseSharePips - target.pips) <= target.tolerancePips) {
      this.#secondsToTarget ??= seconds
    }
    if (quote < this.#least) this.#quoteDepletedAt ??= seconds
  }

  /** @param start,end what the arm had and has, fees left out */
  finish(start: Holdings, end: Holdings, traded: TradedVolume): InventoryCourse {
    const samples = {
      secondsToTarget: this.#secondsToTarget,
      hasTarget: this.#target !== null,
      quoteDepletedAt: this.#quoteDepletedAt,
    }
    return inventoryCourse(samples, start, end, traded)
  }
}

/** @param start,end what the arm had and has, fees left out */
export function inventoryCourse(
  samples: InventorySamples,
  start: Holdings,
  end: Holdings,
  traded: TradedVolume,
): InventoryCourse {
  const baseSold = start.base - end.base
  const quoteReceived = end.quote - start.quote
  const average = priceOf(quoteReceived, baseSold)
  const vwap = priceOf(traded.quote, traded.base)
  return {
    ...samples,
    baseSold,
    quoteReceived,
    averagePriceX18: average === null ? null : (average.num * X18) / average.den,
    vwapX18: vwap === null ? null : (vwap.num * X18) / vwap.den,
    versusVwapPips: average === null || vwap === null ? null : premiumPips(average, vwap),
  }
}

/** Quote per base where both changed hands, the one against the other. */
function priceOf(quote: bigint, base: bigint): Rat | null {
  if (base > 0n && quote > 0n) return { num: quote, den: base }
  return base < 0n && quote < 0n ? { num: -quote, den: -base } : null
}

function premiumPips(price: Rat, market: Rat): number {
  return Number((price.num * market.den * 1_000_000n) / (price.den * market.num)) - 1_000_000
}
