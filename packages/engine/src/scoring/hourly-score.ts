import { HOUR_SECONDS } from '../arithmetic/time-units.ts'
import { toPips } from '../numerics/half-even.ts'
import type { DrawStream } from '../random/streams.ts'
import { automaticBlockLength } from '../statistics/block-length.ts'
import { median } from '../statistics/quantile.ts'
import { scoreInterval, scoreMarket } from './market-quality.ts'
import {
  balanceOf,
  depthRatioOf,
  type MarketSample,
  measureMarket,
  type ScoreWindow,
  thinnerOf,
  worseSlippageOf,
} from './measure-market.ts'
import { medianRecovery, type Recovery } from './recovery-watch.ts'

/** Volume of one hour of a window; suspicious is null where trades were not looked through. */
export interface HourOfFlow {
  readonly volumeQuote: bigint
  readonly suspiciousVolumeQuote: bigint | null
}

/** A window with what belongs to which of its hours. */
export interface HourlyWindow extends ScoreWindow {
  readonly recoveries: { readonly durations: readonly Recovery[]; readonly method: string } | null
  /** One per hour from the begin of the window on. */
  readonly flow: readonly HourOfFlow[]
}

/**
 * 90 % interval of a window's score. Whole hours are resampled in stationary blocks, and the score
 * is computed for each resample. The hourly depth determines the mean block length. Measures
 * without hours, for example the concentration of depth at the end, stay constant.
 *
 * @returns null for a window of fewer than ten hours with samples
 */
export function hourlyInterval(
  window: HourlyWindow,
  stream: DrawStream,
): [low: number, high: number] | null {
  const hours = Math.ceil((window.to - window.from) / HOUR_SECONDS)
  const resample = new HourlyResample(window, hours)
  const levels = resample.depthByHour()
  if (levels.length < 10) return null
  const meanBlock = Math.max(1, automaticBlockLength(levels))
  return scoreInterval(hours, (indices) => resample.score(indices), { stream, meanBlock })
}

/** Every figure of a window, sorted once, so that a resample costs one walk along it. */
class HourlyResample {
  readonly #window: HourlyWindow
  readonly #hours: number
  readonly #features: ReturnType<typeof measureMarket>
  readonly #samplesByHour: readonly (readonly MarketSample[])[]
  readonly #series: Readonly<Record<'depth' | 'cost' | 'spread' | 'balance' | 'deviation', Sorted>>
  readonly #usable: Uint32Array
  readonly #recoveries: readonly (readonly Recovery[])[]

  constructor(window: HourlyWindow, hours: number) {
    const { samples, from, usableSlippagePips, referenceTradeSizeQuote } = window
    this.#window = window
    this.#hours = hours
    this.#features = measureMarket(window)
    const hourOf = (at: number) => Math.min(hours - 1, Math.floor((at - from) / HOUR_SECONDS))
    const grouped = <Item extends { at: number }>(items: readonly Item[]): Item[][] => {
      const groups: Item[][] = Array.from({ length: hours }, () => [])
      // Every moment lies in the window.
      for (const item of items) groups[hourOf(item.at)]!.push(item)
      return groups
    }
    const sorted = (read: (sample: MarketSample) => number | null) =>
      new Sorted(
        samples.flatMap((sample) => {
          const value = read(sample)
          return value === null ? [] : [{ hour: hourOf(sample.at), value }]
        }),
      )
    this.#samplesByHour = grouped(samples)
    this.#series = {
      depth: sorted((sample) => depthRatioOf(sample, referenceTradeSizeQuote)),
      cost: sorted(worseSlippageOf),
      spread: sorted(({ spreadPips }) => spreadPips),
      balance: sorted(balanceOf),
      deviation: sorted(({ deviationPips }) => deviationPips),
    }
    this.#usable = Uint32Array.from(
      this.#samplesByHour,
      (group) => group.filter((sample) => worseSlippageOf(sample) <= usableSlippagePips).length,
    )
    this.#recoveries = grouped(window.recoveries?.durations ?? [])
  }

  /** Median of the smaller side's depth per hour with samples. */
  depthByHour(): number[] {
    return this.#samplesByHour.flatMap((group) =>
      group.length === 0 ? [] : [median(group.map((sample) => Number(thinnerOf(sample))))],
    )
  }

  /** Score in pips of the market made of these hours; without any sample in them zero. */
  score(indices: Uint32Array): number {
    const counts = new Uint32Array(this.#hours)
    for (const index of indices) counts[index]! += 1
    const { components } = this.#features
    const { depth, cost, spread, balance, deviation } = this.#series
    const present = this.#sum(counts, (place) => this.#samplesByHour[place]!.length)
    if (present === 0) return 0
    const usable = this.#sum(counts, (place) => this.#usable[place]!)
    const raw = {
      DEPTH: toPips(depth.quantile(counts, 0.5)),
      EXECUTION_COST: Math.round(cost.quantile(counts, 0.5)),
      SPREAD: Math.round(spread.quantile(counts, 0.5)),
      BALANCE: toPips(balance.quantile(counts, 0.5)),
      CONTINUITY: toPips(usable / present),
      PRICE_INTEGRITY: deviation.isEmpty(counts)
        ? null
        : Math.round(deviation.quantile(counts, 0.95)),
      RESILIENCE: this.#resilience(counts),
      FLOW_INTEGRITY: this.#flow(counts),
      CONCENTRATION: components.CONCENTRATION.raw,
    }
    const measured = Object.fromEntries(
      Object.entries(components).map(([code, feature]) => [
        code,
        { ...feature, raw: feature.raw === null ? null : raw[code as keyof typeof raw] },
      ]),
    ) as typeof components
    const score = scoreMarket({ ...this.#features, components: measured })
    // A component that happens to be without data in these hours leaves the score of the rest.
    return score.scorePips ?? score.indicativeScorePips ?? 0
  }

  #resilience(counts: Uint32Array): number | null {
    const drawn: Recovery[] = []
    for (const [place, group] of this.#recoveries.entries()) {
      for (let time = 0; time < counts[place]!; time++) drawn.push(...group)
    }
    if (drawn.length === 0) return this.#features.components.RESILIENCE.raw
    return medianRecovery(drawn).seconds
  }

  #flow(counts: Uint32Array): number | null {
    let [volume, suspicious] = [0, 0]
    for (const [place, { volumeQuote, suspiciousVolumeQuote }] of this.#window.flow.entries()) {
      const times = counts[place] ?? 0
      volume += times * Number(volumeQuote)
      suspicious += times * Number(suspiciousVolumeQuote ?? 0n)
    }
    return volume === 0
      ? this.#features.components.FLOW_INTEGRITY.raw
      : toPips(1 - suspicious / volume)
  }

  #sum(counts: Uint32Array, of: (place: number) => number): number {
    let total = 0
    for (const [place, times] of counts.entries()) total += times * of(place)
    return total
  }
}

/** Values in ascending order with their hours. */
class Sorted {
  readonly #values: Float64Array
  readonly #hours: Uint32Array

  constructor(items: readonly { hour: number; value: number }[]) {
    const ascending = items.toSorted((a, b) => a.value - b.value)
    this.#values = Float64Array.from(ascending, ({ value }) => value)
    this.#hours = Uint32Array.from(ascending, (item) => item.hour)
  }

  isEmpty(counts: Uint32Array): boolean {
    return this.#hours.every((one) => counts[one] === 0)
  }

  /** Type 7 quantile of the values, each as often as its hour was drawn; at least one was. */
  quantile(counts: Uint32Array, p: number): number {
    let drawn = 0
    for (const one of this.#hours) drawn += counts[one]!
    const place = (drawn - 1) * p
    const below = Math.floor(place)
    let passed = 0
    let low: number | null = null
    for (let index = 0; index < this.#values.length; index++) {
      passed += counts[this.#hours[index]!]!
      if (low === null && passed > below) low = this.#values[index]!
      if (low !== null && passed > below + 1) {
        return low + (place - below) * (this.#values[index]! - low)
      }
    }
    return low ?? 0
  }
}
