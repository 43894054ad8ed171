import type { AnomalyKind, FeatureSample, Severity } from '@liquidity-os/engine/detection'
import type { PricesOfPair } from '../../../market/prices/prices-of-pair.ts'
import type { VenueMaterial } from './venue-material.ts'

/** One kind for one subject. */
export interface Question {
  readonly kind: Exclude<AnomalyKind, 'SIMULATED_REALIZED_DIVERGENCE'>
  /** The evaluated venue; null for a price across several venues. */
  readonly venueId: string | null
  /** References of the owned ranges in question. */
  readonly positions: readonly string[]
  /** Token of the pair that is compared with the peg. */
  readonly asset: 'BASE' | 'QUOTE'
  /** Times 10^18; null without a peg. */
  readonly pegX18: string | null
  /** Periods of earlier CRITICAL evaluations. */
  readonly criticalAt: readonly { from: number; to: number }[]
}

export interface Contributor {
  kind: string
  ref: string
  amount: bigint
}

/** Detector input for one anomaly kind, with its explanation. */
export interface Feature {
  readonly unit: 'QUOTE_ATOMS' | 'PIPS'
  readonly samples: readonly FeatureSample[]
  readonly isQualified?: boolean
  readonly absoluteBreach?: boolean
  readonly cap?: Severity
  readonly indicators?: readonly string[]
  /** True for an indicator that counts before the detector detects. */
  readonly isEarlyWarning?: boolean
  /** Reason for missing data; the samples are then empty. */
  readonly missing?: { code: string; detail: string }
  readonly gaps?: readonly { code: string; detail: string }[]
  readonly contributors?: (before: number) => Contributor[]
  readonly words: string
}

/** Inputs of all features. */
export interface FeatureInputs {
  readonly materials: readonly VenueMaterial[]
  readonly moments: readonly number[]
  readonly at: number
  readonly baselineSeconds: number
  readonly cadenceSeconds: number
  /** Prices of the pair from price feeds. */
  readonly feeds: readonly PricesOfPair[]
}

export function missing(code: string, detail: string): Feature {
  return { unit: 'PIPS', samples: [], missing: { code, detail }, words: detail }
}

/** The venue of a request. */
export function materialOf(
  { materials }: FeatureInputs,
  { venueId }: Question,
): VenueMaterial | null {
  return materials.find(({ history }) => history.venueId === venueId) ?? null
}

/** Items in a trailing time window. Both ends only move forward. */
export class TrailingWindow<Item extends { readonly at: number }> {
  readonly #items: readonly Item[]
  readonly #seconds: number
  #first = 0
  #next = 0

  /** @param items ascending */
  constructor(items: readonly Item[], seconds: number) {
    this.#items = items
    this.#seconds = seconds
  }

  /** Items after `at − seconds`, up to and including `at`. Calls must be in ascending order. */
  at(at: number): readonly Item[] {
    const { first, next } = this.placesAt(at)
    return this.#items.slice(first, next)
  }

  placesAt(at: number): { first: number; next: number } {
    while ((this.#items[this.#next]?.at ?? at + 1) <= at) this.#next += 1
    while (this.#first < this.#next && this.#items[this.#first]!.at <= at - this.#seconds) {
      this.#first += 1
    }
    return { first: this.#first, next: this.#next }
  }
}

/**
 * Sum over a trailing window. Prefix sums avoid repeated addition: a busy venue needs thousands of
 * queries per day.
 */
export class TrailingSum<Item extends { readonly at: number }> {
  readonly #window: TrailingWindow<Item>
  /** Prefix sums: total of all items before each index. */
  readonly #before: readonly bigint[]

  /** @param items ascending */
  constructor(items: readonly Item[], seconds: number, amountOf: (item: Item) => bigint) {
    this.#window = new TrailingWindow(items, seconds)
    const before = [0n]
    for (const item of items) before.push(before.at(-1)! + amountOf(item))
    this.#before = before
  }

  /**
   * Sum and count of items after `at − seconds`, up to and including `at`. Calls must be in
   * ascending order.
   */
  at(at: number): { sum: bigint; count: number } {
    const { first, next } = this.#window.placesAt(at)
    return { sum: this.#before[next]! - this.#before[first]!, count: next - first }
  }
}
