import type { AnomalyKind, FeatureSample, Severity } from '@liquidity-os/engine/detection'
import type { PricesOfPair } from '../../../market/prices/prices-of-pair.ts'
import type { VenueMaterial } from './venue-material.ts'

/** One kind on one subject. */
export interface Question {
  readonly kind: Exclude<AnomalyKind, 'SIMULATED_REALIZED_DIVERGENCE'>
  /** The venue that is judged; null for a price that several venues say. */
  readonly venueId: string | null
  /** Refs of the owned ranges that it is about. */
  readonly positions: readonly string[]
  /** Of the pair: whose price is held against the peg. */
  readonly asset: 'BASE' | 'QUOTE'
  /** Times 10^18; null without a peg. */
  readonly pegX18: string | null
  /** Times at which an earlier judgement was CRITICAL. */
  readonly criticalAt: readonly { from: number; to: number }[]
}

export interface Contributor {
  kind: string
  ref: string
  amount: bigint
}

/** What a detector is given of a kind, and what explains it. */
export interface Feature {
  readonly unit: 'QUOTE_ATOMS' | 'PIPS'
  readonly samples: readonly FeatureSample[]
  readonly isQualified?: boolean
  readonly absoluteBreach?: boolean
  readonly cap?: Severity
  readonly indicators?: readonly string[]
  /** A sign that is told before the detector says anything. */
  readonly isEarlyWarning?: boolean
  /** Why nothing can be said; the samples are then empty. */
  readonly missing?: { code: string; detail: string }
  readonly gaps?: readonly { code: string; detail: string }[]
  readonly contributors?: (before: number) => Contributor[]
  readonly words: string
}

/** What the features are made from. */
export interface Grounds {
  readonly materials: readonly VenueMaterial[]
  readonly moments: readonly number[]
  readonly at: number
  readonly baselineSeconds: number
  readonly cadenceSeconds: number
  /** Prices that feeds told of the pair. */
  readonly feeds: readonly PricesOfPair[]
}

export function missing(code: string, detail: string): Feature {
  return { unit: 'PIPS', samples: [], missing: { code, detail }, words: detail }
}

/** The venue that a question is about. */
export function materialOf({ materials }: Grounds, { venueId }: Question): VenueMaterial | null {
  return materials.find(({ history }) => history.venueId === venueId) ?? null
}

/** Items of a time, both ends of which only move forward. */
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

  /** Those after `at − seconds` up to `at`; asked for in ascending order. */
  at(at: number): readonly Item[] {
    const { first, next } = this.placesAt(at)
    return this.#items.slice(first, next)
  }

  /** Where they begin and end among the items. */
  placesAt(at: number): { first: number; next: number } {
    while ((this.#items[this.#next]?.at ?? at + 1) <= at) this.#next += 1
    while (this.#first < this.#next && this.#items[this.#first]!.at <= at - this.#seconds) {
      this.#first += 1
    }
    return { first: this.#first, next: this.#next }
  }
}

/** What items of a time add up to: a day of a busy venue is asked about at thousands of moments. */
export class TrailingSum<Item extends { readonly at: number }> {
  readonly #window: TrailingWindow<Item>
  /** Of all items before each. */
  readonly #before: readonly bigint[]

  /** @param items ascending */
  constructor(items: readonly Item[], seconds: number, amountOf: (item: Item) => bigint) {
    this.#window = new TrailingWindow(items, seconds)
    const before = [0n]
    for (const item of items) before.push(before.at(-1)! + amountOf(item))
    this.#before = before
  }

  /** Of those after `at − seconds` up to `at`; asked for in ascending order. */
  at(at: number): { sum: bigint; count: number } {
    const { first, next } = this.#window.placesAt(at)
    return { sum: this.#before[next]! - this.#before[first]!, count: next - first }
  }
}
