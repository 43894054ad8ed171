import { toPips } from '../numerics/half-even.ts'
import type { Duration } from '../statistics/kaplan-meier.ts'
import { ascending, median, quantileOfSorted } from '../statistics/quantile.ts'
import type { ComponentFeature, MarketFeatures } from './market-quality.ts'
import { medianRecovery } from './recovery-watch.ts'

/** The composite market of all venues at one moment, quoted exactly. */
export interface MarketSample {
  /** Unix seconds. */
  readonly at: number
  /** Depth at ±2 %, quote atoms. */
  readonly depthBuy: bigint
  readonly depthSell: bigint
  /** All-in slippage of the reference size. */
  readonly slippageBuyPips: number
  readonly slippageSellPips: number
  readonly spreadPips: number
  /** Deviation from the other sources beyond the fee bands; null without another source. */
  readonly deviationPips: number | null
}

/** Everything a score is measured from. */
export interface ScoreWindow {
  /** Unix seconds. */
  readonly from: number
  readonly to: number
  readonly sampleSeconds: number
  readonly referenceTradeSizeQuote: bigint
  readonly usableSlippagePips: number
  /** Ascending; missing ones are simply not there. */
  readonly samples: readonly MarketSample[]
  /** Recoveries after large trades; null without a trade large enough. */
  readonly recoveries: { readonly durations: readonly Duration[]; readonly method: string } | null
  /** 2 % depth by provider, or by venue where providers are not known; null where neither is. */
  readonly concentration: {
    readonly depths: readonly bigint[]
    readonly by: 'PROVIDER' | 'VENUE'
  } | null
  readonly volumeQuote: bigint
  /** Volume of wash trades and sandwiches; null where trades were not looked through. */
  readonly suspiciousVolumeQuote: bigint | null
  readonly trades: number
  /** Number of wash and sandwich trades among `trades`; null if trades were not checked. */
  readonly suspiciousTrades: number | null
  readonly priceSources: number
  readonly hasCriticalAnomaly: boolean
}

/** A billion times the reference size counts for no more depth: the best anchor is at fifty. */
const mostDepth = 1e9

/** Measures the nine components of a window. A component without data is null, never estimated. */
export function measureMarket(window: ScoreWindow): MarketFeatures {
  const { samples, from, to, sampleSeconds } = window
  const expected = Math.floor((to - from) / sampleSeconds) + 1
  const last = samples.at(-1)
  const deviations = samples.flatMap(({ deviationPips }) =>
    deviationPips === null ? [] : [deviationPips],
  )
  const coverage = (count: number) =>
    Math.min(1_000_000, Math.floor((count * 1_000_000) / expected))
  const sampled = (raw: number | null, count: number, method: string): ComponentFeature => ({
    raw: count === 0 ? null : raw,
    samples: count,
    coveragePips: coverage(count),
    method,
  })
  const timed = (raw: () => number, method: string) =>
    sampled(samples.length === 0 ? null : raw(), samples.length, method)
  const deviation = deviations.length === 0 ? null : Math.round(p95(deviations))
  return {
    components: {
      DEPTH: timed(() => toPips(medianDepthRatio(window)), 'TIME_MEDIAN'),
      EXECUTION_COST: timed(() => Math.round(median(samples.map(worseSlippageOf))), 'TIME_MEDIAN'),
      SPREAD: timed(() => Math.round(median(samples.map((s) => s.spreadPips))), 'TIME_MEDIAN'),
      RESILIENCE: measureResilience(window),
      CONTINUITY: timed(() => toPips(shareUsable(window)), 'SHARE_OF_TIME'),
      BALANCE: timed(() => toPips(median(samples.map(balanceOf))), 'TIME_MEDIAN'),
      CONCENTRATION: measureConcentration(window),
      FLOW_INTEGRITY: measureFlow(window),
      PRICE_INTEGRITY: {
        ...sampled(deviation, deviations.length, window.priceSources >= 2 ? 'SOURCES' : 'OWN_TWAP'),
        isWeakMethod: window.priceSources < 2,
      },
    },
    samplesPresent: samples.length,
    samplesExpected: expected,
    dataAgeSeconds: last === undefined ? Number.MAX_SAFE_INTEGER : Math.max(0, to - last.at),
    trades: window.trades - (window.suspiciousTrades ?? 0),
    priceSources: window.priceSources,
    sourceDeviationPips: window.priceSources >= 2 ? deviation : null,
    thinnerDepthAtEnd: last === undefined ? 0n : thinnerOf(last),
    hasCriticalAnomaly: window.hasCriticalAnomaly,
  }
}

/** The side of the 2 % depth that has less, quote atoms. */
export const thinnerOf = ({ depthBuy, depthSell }: MarketSample): bigint =>
  depthBuy < depthSell ? depthBuy : depthSell

/** Slippage of the side that costs more, pips. */
export const worseSlippageOf = (s: MarketSample): number =>
  Math.max(s.slippageBuyPips, s.slippageSellPips)

/** Two-sided depth over the reference size, a billion at most. */
export const depthRatioOf = (sample: MarketSample, referenceQuote: bigint): number =>
  Math.min(mostDepth, Number(thinnerOf(sample)) / Number(referenceQuote))

/** The thinner side over the thicker, 0..1. */
export function balanceOf({ depthBuy, depthSell }: MarketSample): number {
  const [low, high] = depthBuy < depthSell ? [depthBuy, depthSell] : [depthSell, depthBuy]
  return high === 0n ? 0 : Number(low) / Number(high)
}

function medianDepthRatio({ samples, referenceTradeSizeQuote }: ScoreWindow): number {
  return median(samples.map((sample) => depthRatioOf(sample, referenceTradeSizeQuote)))
}

function shareUsable({ samples, usableSlippagePips }: ScoreWindow): number {
  const usable = samples.filter((sample) => worseSlippageOf(sample) <= usableSlippagePips)
  return usable.length / samples.length
}

/**
 * If more than half of the trades were not seen to recover, uses the longest time, and the method
 * states it.
 */
function measureResilience({ recoveries }: ScoreWindow): ComponentFeature {
  const durations = recoveries?.durations ?? []
  if (recoveries === null || durations.length === 0) {
    return { raw: null, samples: 0, coveragePips: 0, method: 'NO_LARGE_TRADE' }
  }
  const { seconds, isReached } = medianRecovery(durations)
  return {
    raw: seconds,
    samples: durations.length,
    coveragePips: 1_000_000,
    method: isReached ? recoveries.method : `${recoveries.method}_NOT_RECOVERED_AS_LONGEST`,
  }
}

/** 1 − Σ share². */
function measureConcentration({ concentration }: ScoreWindow): ComponentFeature {
  const depths = concentration?.depths ?? []
  const total = depths.reduce((sum, depth) => sum + Number(depth), 0)
  if (concentration === null || total === 0) {
    return { raw: null, samples: 0, coveragePips: 0, method: 'UNKNOWN' }
  }
  const index = depths.reduce(
    (sum, depth) => sum + (Number(depth) / total) * (Number(depth) / total),
    0,
  )
  return {
    raw: toPips(1 - index),
    samples: depths.length,
    coveragePips: 1_000_000,
    method: `${concentration.by}_HHI`,
    isWeakMethod: concentration.by === 'VENUE',
  }
}

function measureFlow({
  volumeQuote,
  suspiciousVolumeQuote,
  trades,
}: ScoreWindow): ComponentFeature {
  if (suspiciousVolumeQuote === null || volumeQuote === 0n) {
    return { raw: null, samples: 0, coveragePips: 0, method: 'NO_TRADES' }
  }
  const share = Number(suspiciousVolumeQuote) / Number(volumeQuote)
  return {
    raw: toPips(1 - share),
    samples: trades,
    coveragePips: 1_000_000,
    method: 'SHARE_OF_VOLUME',
  }
}

function p95(values: readonly number[]): number {
  return quantileOfSorted(ascending(values), 0.95)
}
