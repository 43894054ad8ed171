import { integerSquareRoot } from '../src/arithmetic/integer.ts'
import { type DetectorSpec, detectors, type Severity } from '../src/detection/detectors.ts'
import { depegPips } from '../src/detection/features.ts'
import { type DetectorOutcome, type FeatureSample, robustMad } from '../src/detection/robust-mad.ts'
import { readDatasetRows } from './datasets.ts'
import {
  countSeverity,
  makeCounts,
  severities,
  type SeverityCounts as ToldBySeverity,
} from './detector-quality.ts'

export interface PegQuality {
  bars: number
  /** Bars 2 % or more away from the peg, and the number rated WARNING or worse. */
  away: number
  awayFound: number
  /** Bars from the first deviation to the first WARNING; null without a warning. */
  barsToWarning: number | null
  /** Bars less than 1 % away from the peg, and the number rated WARNING or worse. */
  near: number
  falseWarnings: number
  /** Runs of bars rated WARNING or worse without a bar 1 % away. */
  falseEpisodes: number
}

const X18 = 10n ** 18n
const quarter = 900
const twoDays = 172_800
const hour = 3600
const week = 604_800
/** Hours. */
const threeDays = 72

const collapseTerms = { cadenceSeconds: hour, baselineSeconds: week, skip: 135 }

const isWarning = ({ severity }: Pick<DetectorOutcome, 'severity'>) =>
  severity === 'WARNING' || severity === 'CRITICAL'

/** Lower bounds of the peg distance bands, in pips; every bar is in one band. */
const pegBands = [0, 1_000, 2_500, 5_000, 10_000, 15_000, 20_000, 30_000, 50_000]
/** Shares of the highest depth of three days that are gone. */
const depthBands = [0, 100_000, 200_000, 300_000, 400_000, 500_000, 700_000, 900_000]

/** Moments of a series with a true value in one band, and detections at or above each severity. */
export interface BandCount {
  fromPips: number
  toPips: number | null
  bars: number
  told: ToldBySeverity
}

/** One point of a receiver-operating curve: the least effects of the detector times a factor. */
export interface OperatingPoint {
  severity: Severity
  factor: number
  /**
   * Moments whose true value reaches the published effect of the severity, and the number detected.
   */
  positives: number
  hits: number
  negatives: number
  falseAlarms: number
}

/** True and detected values of a series. */
export interface Characteristic {
  bands: BandCount[]
  curve: OperatingPoint[]
}

/** Least effects of the detector are tried times these. */
export const factors = [0.25, 0.5, 1, 2, 4]

/** True size of a moment, in pips, and its detected severity. */
type Verdict = { truthPips: number; severity: Severity | null }

function characteristicOf(
  kind: 'STABLECOIN_DEPEG' | 'LIQUIDITY_DISAPPEARANCE',
  starts: readonly number[],
  verdictsWith: (spec: DetectorSpec) => readonly Verdict[],
): Characteristic {
  const published = detectors[kind]
  const bands = starts.map((fromPips, index): BandCount => {
    const toPips = starts[index + 1] ?? null
    return { fromPips, toPips, bars: 0, told: makeCounts() }
  })
  for (const { truthPips, severity } of verdictsWith(published)) {
    const band = bands.findLast(({ fromPips }) => truthPips >= fromPips)!
    band.bars += 1
    countSeverity(band.told, severity)
  }
  const curve = factors.flatMap((factor) => {
    const scaled = published.effects.map((effect) => BigInt(Math.round(Number(effect) * factor)))
    const effects = scaled as unknown as DetectorSpec['effects']
    const verdicts = verdictsWith({ ...published, effects })
    return severities.map((severity, index): OperatingPoint => {
      const least = Number(published.effects[index])
      const isFlagged = (one: Verdict) =>
        one.severity !== null && severities.indexOf(one.severity) >= index
      const positives = verdicts.filter(({ truthPips }) => truthPips >= least)
      const negatives = verdicts.filter(({ truthPips }) => truthPips < least)
      return {
        severity,
        factor,
        positives: positives.length,
        negatives: negatives.length,
        hits: positives.filter(isFlagged).length,
        falseAlarms: negatives.filter(isFlagged).length,
      }
    })
  })
  return {
    bands,
    curve: curve.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
  }
}

/** Both recorded series of a stablecoin, every bar by its distance from the peg. */
export function pegCharacteristic(): Characteristic {
  const files = ['usdc_2023-03-09_to_19_depeg.csv', 'usdc_2024-03_calm.csv']
  return characteristicOf('STABLECOIN_DEPEG', pegBands, (spec) =>
    files.flatMap((file) =>
      judgePeg(file, spec).map(({ value, severity }) => ({ truthPips: Number(value), severity })),
    ),
  )
}

/** Small tokens, every hour by how much of the highest depth of three days is gone. */
export function collapseCharacteristic(): Characteristic {
  const rows = readDatasetRows('longtail-ohlcv-hourly/ohlcv.csv.gz')
  const pools = [...Map.groupBy(rows, (row) => row.pool!).values()].map(rootDepth)
  return characteristicOf('LIQUIDITY_DISAPPEARANCE', depthBands, (spec) =>
    pools.flatMap((samples) => {
      const judged = judgeEach(samples, spec, collapseTerms)
      const young = samples.length - judged.length
      return judged.map(({ value, severity }, index) => {
        const past = samples.slice(Math.max(0, young + index - threeDays), young + index + 1)
        const high = past.reduce((most, one) => (one.value > most ? one.value : most), 0n)
        return { truthPips: Number(((high - value) * 1_000_000n) / high), severity }
      })
    }),
  )
}

export const shareOf = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`

/** The bands as a table of the methodology page. */
export function bandTable({ bands }: Characteristic, of: string): string {
  const name = ({ fromPips, toPips }: BandCount) =>
    toPips === null
      ? `${fromPips / 10_000} % and more`
      : `${fromPips / 10_000} to ${toPips / 10_000} %`
  return [
    `| ${of} | judged | INFO or worse | WARNING or worse | CRITICAL |`,
    '| --- | --- | --- | --- | --- |',
    ...bands.map((band) => {
      const cells = severities.map(
        (one) => `${band.told[one]} (${shareOf(band.told[one], band.bars)})`,
      )
      return `| ${name(band)} | ${band.bars} | ${cells.join(' | ')} |`
    }),
  ].join('\n')
}

/** The receiver-operating curve as a table of the methodology page. */
export function curveTable({ curve }: Characteristic): string {
  return [
    '| severity | least effect × | hit rate | false-alarm rate |',
    '| --- | --- | --- | --- |',
    ...curve.map(({ severity, factor, positives, hits, negatives, falseAlarms }) => {
      const rates = [
        `${shareOf(hits, positives)} (${hits} of ${positives})`,
        `${shareOf(falseAlarms, negatives)} (${falseAlarms} of ${negatives})`,
      ]
      return `| ${severity} | ${factor} | ${rates.join(' | ')} |`
    }),
  ].join('\n')
}

function judgePeg(file: string, spec: DetectorSpec): JudgedSample[] {
  const rows = readDatasetRows(`stablecoin-usdc-15min/${file}`)
  const closes = closesOf(rows, quarter, ({ close }) => close!)
  const samples = closes.map(({ at, close }): FeatureSample => {
    const priceX18 = BigInt(Math.round(close * 1e15)) * 1000n
    return { at, value: depegPips(priceX18, X18) }
  })
  const terms = { cadenceSeconds: quarter, baselineSeconds: twoDays, skip: 96 }
  return judgeEach(samples, spec, terms)
}

/**
 * Evaluates every bar of a stablecoin after the first day against the two previous days, by its
 * close. The recording omits bars without trades, which have a constant price.
 */
export function measurePeg(file: string): PegQuality {
  const judged = judgePeg(file, detectors.STABLECOIN_DEPEG)
  const away = judged.filter(({ value }) => value >= 20_000n)
  const near = judged.filter(({ value }) => value < 10_000n)
  const begin = judged.findIndex(({ value }) => value >= 20_000n)
  const warnedAt = begin < 0 ? -1 : judged.findIndex((one, index) => index >= begin && one.warns)
  return {
    bars: judged.length,
    away: away.length,
    awayFound: away.filter(({ warns }) => warns).length,
    barsToWarning: warnedAt < 0 ? null : warnedAt - begin,
    near: near.length,
    falseWarnings: near.filter(({ warns }) => warns).length,
    falseEpisodes: episodesOf(judged).filter((some) => some.every(({ value }) => value < 10_000n))
      .length,
  }
}

export interface CollapseQuality {
  pools: number
  poolHours: number
  /** Pools whose depth halved within three days before a baseline existed. */
  tooYoung: number
  /** Pools whose depth halved later, and pools with a WARNING within three hours after. */
  collapsed: number
  collapsesFound: number
  /** Pools with at least an INFO. */
  collapsesTold: number
  /** Runs of WARNING or worse, and those begun less than a third below the highest depth of a week. */
  episodes: number
  falseEpisodes: number
}

/**
 * Without liquidity changes, the depth of a constant-product pool follows the square root of its
 * price. Its price is constant in hours without trades. Each hour is evaluated against the week
 * before it.
 */
export function measureCollapses(): CollapseQuality {
  const rows = readDatasetRows('longtail-ohlcv-hourly/ohlcv.csv.gz')
  const quality: CollapseQuality = {
    pools: 0,
    poolHours: 0,
    tooYoung: 0,
    collapsed: 0,
    collapsesFound: 0,
    collapsesTold: 0,
    episodes: 0,
    falseEpisodes: 0,
  }
  for (const pool of Map.groupBy(rows, (row) => row.pool!).values()) {
    const samples = rootDepth(pool)
    const judged = judgeEach(samples, detectors.LIQUIDITY_DISAPPEARANCE, collapseTerms)
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
    if (samples.slice(0, young).some((_, index) => isHalved(index - young))) quality.tooYoung += 1
    const halved = judged.findIndex((_, index) => isHalved(index) && !isHalved(index - 1))
    if (halved >= 0) {
      quality.collapsed += 1
      // An alert during the fall is still active.
      const around = judged.slice(Math.max(0, halved - threeDays), halved + 4)
      if (around.some(({ warns }) => warns)) quality.collapsesFound += 1
      if (around.some(({ isDetected }) => isDetected)) quality.collapsesTold += 1
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
  return Array.from({ length: Math.floor((to - from) / cadence) + 1 }, (_, index) => {
    const at = from + index * cadence
    close = known.get(at) ?? close
    return { at, close }
  })
}

interface JudgedSample {
  value: bigint
  severity: Severity | null
  warns: boolean
  isDetected: boolean
}

/** Evaluates every sample like a sweep: CRITICAL samples are excluded from later baselines. */
function judgeEach(
  all: readonly FeatureSample[],
  spec: DetectorSpec,
  terms: { cadenceSeconds: number; baselineSeconds: number; skip: number },
): JudgedSample[] {
  const { cadenceSeconds, baselineSeconds, skip } = terms
  const samples = [...all]
  return all.slice(skip).map(({ at, value }, index) => {
    const past = samples.slice(0, skip + index + 1).filter((one) => one.at >= at - baselineSeconds)
    const outcome = robustMad({ cadenceSeconds, samples: past }, { spec, at, baselineSeconds })
    if (outcome.severity === 'CRITICAL') samples[skip + index] = { at, value, isCritical: true }
    const { severity } = outcome
    return {
      value,
      severity,
      warns: isWarning(outcome),
      isDetected: outcome.outcome === 'DETECTED',
    }
  })
}

/** Runs of consecutive warnings. */
function episodesOf(judged: readonly JudgedSample[]): JudgedSample[][] {
  const episodes: JudgedSample[][] = []
  for (const [index, one] of judged.entries()) {
    if (!one.warns) continue
    if (judged[index - 1]?.warns) episodes.at(-1)!.push(one)
    else episodes.push([one])
  }
  return episodes
}
