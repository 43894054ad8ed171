import { integerSquareRoot } from '../src/arithmetic/integer.ts'
import { detectors } from '../src/detection/detectors.ts'
import { depegPips } from '../src/detection/features.ts'
import { type DetectorOutcome, type FeatureSample, robustMad } from '../src/detection/robust-mad.ts'
import { readDatasetRows } from './datasets.ts'

/** What the detector made of a stablecoin's bars. */
export interface PegQuality {
  bars: number
  /** Bars that are 2 % or more away from the peg, and those of them that were told as WARNING or worse. */
  away: number
  awayFound: number
  /** Bars from the first that is away to the first WARNING; null without one. */
  barsToWarning: number | null
  /** Bars less than 1 % away from the peg, and those of them that were told as WARNING or worse. */
  near: number
  falseWarnings: number
  /** Runs of bars told as WARNING or worse that hold no bar 1 % away. */
  falseEpisodes: number
}

const X18 = 10n ** 18n
const quarter = 900
const twoDays = 172_800
const hour = 3600
const week = 604_800
/** Hours. */
const threeDays = 72

const isWarning = ({ severity }: Pick<DetectorOutcome, 'severity'>) =>
  severity === 'WARNING' || severity === 'CRITICAL'

/**
 * Judges every bar of a stablecoin after the first day against the two days before it, by its close. The recording
 * leaves out bars without trades, in which a price stands still.
 */
export function measurePeg(file: string): PegQuality {
  const rows = readDatasetRows(`stablecoin-usdc-15min/${file}`)
  const closes = closesOf(rows, quarter, ({ close }) => close!)
  const samples = closes.map(({ at, close }): FeatureSample => {
    const priceX18 = BigInt(Math.round(close * 1e15)) * 1000n
    return { at, value: depegPips(priceX18, X18) }
  })
  const judged = judgeEach(samples, 'STABLECOIN_DEPEG', {
    ...{ cadenceSeconds: quarter, baselineSeconds: twoDays, skip: 96 },
  })
  const away = judged.filter(({ value }) => value >= 20_000n)
  const near = judged.filter(({ value }) => value < 10_000n)
  const begin = judged.findIndex(({ value }) => value >= 20_000n)
  const told = begin < 0 ? -1 : judged.findIndex((one, place) => place >= begin && one.warns)
  return {
    bars: judged.length,
    away: away.length,
    awayFound: away.filter(({ warns }) => warns).length,
    barsToWarning: told < 0 ? null : told - begin,
    near: near.length,
    falseWarnings: near.filter(({ warns }) => warns).length,
    falseEpisodes: episodesOf(judged).filter((some) => some.every(({ value }) => value < 10_000n))
      .length,
  }
}

/** What the detector made of pools of small tokens. */
export interface CollapseQuality {
  pools: number
  poolHours: number
  /** Pools whose depth halved within three days before there was a baseline to judge by. */
  tooYoung: number
  /** Pools of which it halved later, and those of which a WARNING was out within three hours of that. */
  collapsed: number
  collapsesFound: number
  /** Those of which at least an INFO was out. */
  collapsesTold: number
  /** Runs of WARNING or worse, and those begun less than a third below the highest depth of a week. */
  episodes: number
  falseEpisodes: number
}

/**
 * Depth of a pool of constant product in which nobody adds or takes liquidity goes with the root of its price,
 * and its price stands still in hours without trades. Each hour is judged against the week before it.
 */
export function measureCollapses(): CollapseQuality {
  const rows = readDatasetRows('longtail-ohlcv-hourly/ohlcv.csv.gz')
  const quality: CollapseQuality = {
    ...{ pools: 0, poolHours: 0, tooYoung: 0, collapsed: 0, collapsesFound: 0 },
    collapsesTold: 0,
    ...{ episodes: 0, falseEpisodes: 0 },
  }
  for (const pool of Map.groupBy(rows, (row) => row.pool!).values()) {
    const samples = rootDepth(pool)
    const judged = judgeEach(samples, 'LIQUIDITY_DISAPPEARANCE', {
      ...{ cadenceSeconds: hour, baselineSeconds: week, skip: 135 },
    })
    if (judged.length === 0) continue
    quality.pools += 1
    quality.poolHours += judged.length
    const young = samples.length - judged.length
    const highBefore = (place: number, hours: number) =>
      samples
        .slice(Math.max(0, young + place - hours), young + place + 1)
        .reduce((high, { value }) => (value > high ? value : high), 0n)
    const isHalved = (place: number) =>
      samples[young + place]!.value * 2n <= highBefore(place, threeDays)
    if (samples.slice(0, young).some((_, place) => isHalved(place - young))) quality.tooYoung += 1
    const halved = judged.findIndex((_, place) => isHalved(place) && !isHalved(place - 1))
    if (halved >= 0) {
      quality.collapsed += 1
      // An alert that came on the way down still stands.
      const around = judged.slice(Math.max(0, halved - threeDays), halved + 4)
      if (around.some(({ warns }) => warns)) quality.collapsesFound += 1
      if (around.some(({ isTold }) => isTold)) quality.collapsesTold += 1
    }
    const isCalm = (place: number) => judged[place]!.value * 3n > highBefore(place, 168) * 2n
    const episodes = episodesOf(judged)
    quality.episodes += episodes.length
    quality.falseEpisodes += episodes.filter(([first]) => isCalm(judged.indexOf(first!))).length
  }
  return quality
}

function rootDepth(bars: readonly Record<string, string>[]): FeatureSample[] {
  return closesOf(bars, hour, ({ closeUsd }) => closeUsd!).map(({ at, close }) => {
    const scaled = BigInt(Math.round(close * 1e15)) * 10n ** 15n
    return { at, value: integerSquareRoot(scaled) }
  })
}

/** The close of every bar; of one without trades that of the bar before it. */
function closesOf(
  bars: readonly Record<string, string>[],
  cadence: number,
  closeOf: (bar: Record<string, string>) => string,
): { at: number; close: number }[] {
  const known = new Map(
    bars.map((bar) => [Date.parse(bar.time!) / 1000, Number(closeOf(bar))] as const),
  )
  const times = [...known.keys()].sort((a, b) => a - b)
  const [from, to] = [times[0]!, times.at(-1)!]
  let close = 0
  return Array.from({ length: Math.floor((to - from) / cadence) + 1 }, (_, place) => {
    const at = from + place * cadence
    close = known.get(at) ?? close
    return { at, close }
  })
}

interface Told {
  value: bigint
  warns: boolean
  isTold: boolean
}

/** Judges every sample as a sweep would have: what was CRITICAL stays out of later baselines. */
function judgeEach(
  all: readonly FeatureSample[],
  kind: 'STABLECOIN_DEPEG' | 'LIQUIDITY_DISAPPEARANCE',
  terms: { cadenceSeconds: number; baselineSeconds: number; skip: number },
): Told[] {
  const { cadenceSeconds, baselineSeconds, skip } = terms
  const samples = [...all]
  return all.slice(skip).map(({ at, value }, index) => {
    const past = samples.slice(0, skip + index + 1).filter((one) => one.at >= at - baselineSeconds)
    const spec = detectors[kind]
    const outcome = robustMad({ cadenceSeconds, samples: past }, { spec, at, baselineSeconds })
    if (outcome.severity === 'CRITICAL') samples[skip + index] = { at, value, isCritical: true }
    return { value, warns: isWarning(outcome), isTold: outcome.outcome === 'DETECTED' }
  })
}

/** Runs of neighbours that were told. */
function episodesOf(judged: readonly Told[]): Told[][] {
  const episodes: Told[][] = []
  for (const [place, one] of judged.entries()) {
    if (!one.warns) continue
    if (judged[place - 1]?.warns) episodes.at(-1)!.push(one)
    else episodes.push([one])
  }
  return episodes
}
