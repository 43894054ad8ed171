import { exp } from '../src/numerics/exp.ts'
import { normalCdf } from '../src/numerics/normal-distribution.ts'
import { type DrawStream, pathStream } from '../src/random/streams.ts'
import { type HourlyWindow, hourlyInterval } from '../src/scoring/hourly-score.ts'
import { scoreMarket } from '../src/scoring/market-quality.ts'
import { measureMarket } from '../src/scoring/measure-market.ts'
import { sequenceHalfWidth } from '../src/statistics/confidence-sequence.ts'
import { firstPassage } from '../src/statistics/first-passage.ts'
import { estimateMean, type MeanEstimate } from '../src/statistics/pairs.ts'
import { runningMeanOfPairs } from '../src/statistics/running-mean.ts'
import { bootstrapTails } from '../src/statistics/tail-bootstrap.ts'
import { wilsonOfPaths, Z_95 } from '../src/statistics/wilson.ts'

/** How often an interval held the truth it was made for. */
export interface Coverage {
  figure: string
  of: string
  paths: number
  rounds: number
  nominalPips: number
  coveredPips: number
}

type Interval = readonly [low: number, high: number]

const paired = 'ANTITHETIC_PAIRS'
const streamOf = (round: number) => pathStream(new Uint8Array(32), round, 'bootstrap', false)

function measure(
  facts: Pick<Coverage, 'figure' | 'of' | 'paths' | 'rounds'> & { nominal?: number },
  truth: number,
  intervalOf: (source: DrawStream) => Interval,
): Coverage {
  const { nominal = 0.95, ...rest } = facts
  let covered = 0
  for (let round = 0; round < facts.rounds; round++) {
    const [low, high] = intervalOf(streamOf(round))
    if (low <= truth && truth <= high) covered += 1
  }
  const nominalPips = Math.round(nominal * 1e6)
  return { ...rest, nominalPips, coveredPips: Math.round((covered / facts.rounds) * 1e6) }
}

/** Antithetic normals, pair by pair. */
function mirrored(source: DrawStream, paths: number): Float64Array {
  const values = new Float64Array(paths)
  for (let k = 0; k < paths; k += 2) {
    const z = source.normal()
    values.set([z, -z], k)
  }
  return values
}

const upper = (z: number) => 1 - normalCdf(z)

/** Limits that a standard normal passes with 50, 10, 2, 0.5 and 0.1 %: on one side, and on either. */
const oneSided = [0, 1.2816, 2.0537, 2.5758, 3.0902]
const eitherSide = [0.6745, 1.6449, 2.3263, 2.807, 3.2905]

const percent = (share: number) => `${(100 * share).toPrecision(share < 0.01 ? 1 : 2)} %`

/** Coverage of shares of paths with an event, from frequent to rare. */
export function coverageOfShares(rounds: number): Coverage[] {
  const share = (paths: number, of: string, truth: number, happens: (z: number) => boolean) =>
    measure(
      { figure: 'share of paths', of: `${of}, ${percent(truth)}`, paths, rounds },
      truth,
      (source) => {
        const hits = Array.from(mirrored(source, paths), happens)
        const { low, high } = wilsonOfPaths(hits, paired)
        return [low, high]
      },
    )
  return [200, 1000].flatMap((paths) => [
    ...oneSided.map((z) => share(paths, 'one sign', upper(z), (x) => x > z)),
    ...eitherSide.map((z) => share(paths, 'either sign', 2 * upper(z), (x) => Math.abs(x) > z)),
  ])
}

/**
 * Coverage of an event that a tenth of the paths reach at the end, and 0.5 % by half of the time.
 */
export function coverageOfPassages(rounds: number): Coverage[] {
  const passage = (
    of: string,
    truth: number,
    sizeOf: (z: number) => number,
    limits: readonly number[],
  ) =>
    measure({ figure: 'first passage, half-way', of, paths: 1000, rounds }, truth, (source) => {
      const times = Array.from(mirrored(source, 1000), (z) => {
        const place = limits.findIndex((limit) => sizeOf(z) > limit)
        return place < 0 ? null : place + 1
      })
      const { lowPips, highPips } = firstPassage(times, 2, paired, 2).curve[0]!
      return [lowPips / 1e6, highPips / 1e6]
    })
  return [
    passage('one sign, 0.5 % of 10 %', upper(2.5758), (z) => z, [2.5758, 1.2816]),
    passage('either sign, 0.5 % of 10 %', 2 * upper(2.807), Math.abs, [2.807, 1.6449]),
  ]
}

/** Outcomes of a path as a function of its normal, with their mean, from harmless to skewed. */
const laws = [
  { name: 'normal, partly cancelled', of: (z: number) => z + z * z, mean: 1 },
  { name: 'e^z', of: (z: number) => exp(z), mean: exp(0.5) },
  { name: 'z², of which nothing cancels', of: (z: number) => z * z, mean: 1 },
  { name: 'e^(2z)', of: (z: number) => exp(2 * z), mean: exp(2) },
]

/** Means of outcomes. */
export function coverageOfMeans(rounds: number): Coverage[] {
  return [200, 1000].flatMap((paths) =>
    laws.map(({ name, of, mean: truth }) =>
      measure({ figure: 'mean', of: name, paths, rounds }, truth, (source) => {
        const { mean, standardError } = estimateMean(mirrored(source, paths).map(of), paired)
        return [mean - Z_95 * standardError, mean + Z_95 * standardError]
      }),
    ),
  )
}

/** Path counts for looks at a running study: an early look, and one after each batch. */
const looks = [40, ...Array.from({ length: 10 }, (_, batch) => 200 * (batch + 1))]

/** Metrics for the looks, and their precision target. */
const watched = [
  {
    figure: 'mean, usual interval at every look',
    halfWidthOf: ({ standardError }: MeanEstimate) => Z_95 * standardError,
  },
  {
    figure: 'mean, sequence at every look',
    halfWidthOf: ({ standardError, observations }: MeanEstimate) =>
      sequenceHalfWidth(standardError * Math.sqrt(observations), observations),
  },
]
const watchedShare = {
  figure: 'share of paths, sequence at every look',
  halfWidthOf: ({ observations }: MeanEstimate) => sequenceHalfWidth(0.5, observations),
}

/** Whether intervals are correct at all eleven looks; any miss counts as one. */
export function coverageOfLooks(rounds: number): Coverage[] {
  const watch = (
    { figure, halfWidthOf }: (typeof watched)[number],
    of: string,
    truth: number,
    outcomeOf: (z: number) => number,
  ) =>
    measure({ figure, of, paths: 2000, rounds }, truth, (source) => {
      const mean = runningMeanOfPairs()
      let [low, high, done] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
      for (const paths of looks) {
        mean.add(mirrored(source, paths - done).map(outcomeOf))
        done = paths
        const estimate = mean.estimate()
        low = Math.max(low, estimate.mean - halfWidthOf(estimate))
        high = Math.min(high, estimate.mean + halfWidthOf(estimate))
      }
      return [low, high]
    })
  return [
    ...watched.flatMap((one) => laws.map(({ name, of, mean }) => watch(one, name, mean, of))),
    ...[oneSided[1]!, oneSided[3]!].map((z) =>
      watch(watchedShare, `one sign, ${percent(upper(z))}`, upper(z), (x) => Number(x > z)),
    ),
  ]
}

/**
 * Outcomes from a normal that antithetic paths cancel, plus the square of a second one that they
 * share.
 */
function tailOutcomes(source: DrawStream, paths: number): Float64Array {
  const values = new Float64Array(paths)
  for (let k = 0; k < paths; k += 2) {
    const [z, other] = [source.normal(), source.normal()]
    const loss = 0.3 * other * other
    values.set([z - loss, -z - loss], k)
  }
  return values
}

/**
 * Median, ES at 95 % and at 99 % of the distribution, by integration over the second normal in
 * steps of 0.01.
 */
const tailTruths = [
  { figure: 'median', truth: -0.2775032 },
  { figure: 'expected shortfall 95 %', truth: -2.6576369 },
  { figure: 'expected shortfall 99 %', truth: -3.5062401 },
]

/** Median and expected shortfalls, by the bootstrap of whole pairs. */
export function coverageOfTails(rounds: number): Coverage[] {
  return [200, 1000].flatMap((paths) => {
    const found = Array.from({ length: rounds }, (_, round) => {
      const values = tailOutcomes(streamOf(round), paths)
      const source = streamOf(rounds + round)
      return bootstrapTails([values], paired, [0.95, 0.99], source).flatMap(
        ({ median, shortfalls }) => [median, ...shortfalls],
      )
    })
    return tailTruths.map(({ figure, truth }, index): Coverage => {
      const covered = found.filter((some) => some[index]![0] <= truth && truth <= some[index]![1])
      const coveredPips = Math.round((covered.length / rounds) * 1e6)
      return { figure, of: 'z − 0.3·w²', paths, rounds, nominalPips: 950_000, coveredPips }
    })
  })
}

const one = 10n ** 18n
const weekHours = 168

/**
 * A market whose depth fluctuates by a third from hour to hour, with an autocorrelation of a few
 * hours.
 */
function swingingMarket(source: DrawStream, hours: number): HourlyWindow {
  let level = 0
  const depths = Array.from({ length: hours }, () => {
    level = 0.7 * level + 0.25 * source.normal()
    return BigInt(Math.round(8e6 * exp(level))) * 10n ** 12n
  })
  const samples = depths.flatMap((depth, hour) =>
    [0, 1200, 2400].map((second) => ({
      at: hour * 3600 + second,
      depthBuy: depth,
      depthSell: depth,
      slippageBuyPips: Math.min(90_000, 3000 + Math.round(8e21 / Number(depth))),
      slippageSellPips: 2000,
      spreadPips: 1200,
      deviationPips: 300,
    })),
  )
  return {
    from: 0,
    to: hours * 3600 - 1200,
    sampleSeconds: 1200,
    samples,
    referenceTradeSizeQuote: one,
    usableSlippagePips: 20_000,
    priceSources: 2,
    recoveries: {
      durations: [{ at: 0, sizeQuote: one, place: 0, time: 200, ended: true }],
      method: 'REFERENCE_SIZE',
    },
    concentration: { depths: [5n, 3n, 2n], by: 'PROVIDER' },
    volumeQuote: 1000n,
    suspiciousVolumeQuote: 0n,
    trades: 5000,
    suspiciousTrades: 0,
    hasCriticalAnomaly: false,
    flow: Array.from({ length: hours }, () => ({ volumeQuote: 1000n, suspiciousVolumeQuote: 0n })),
  }
}

/** The 90 % interval of the score of a week, whose truth is the score of four hundred weeks. */
export function coverageOfScores(rounds: number): Coverage[] {
  const long = swingingMarket(streamOf(1_000_000), 400 * weekHours)
  const truth = scoreMarket(measureMarket(long)).scorePips
  if (truth === null) throw new Error('The long market has a score.')
  const facts = { figure: 'score of a week', of: 'depth that swings by a third', paths: weekHours }
  return [
    measure({ ...facts, rounds, nominal: 0.9 }, truth, (source) => {
      const interval = hourlyInterval(swingingMarket(source, weekHours), source)
      if (interval === null) throw new Error('A week has an interval.')
      return interval
    }),
  ]
}

/** A table of the methodology page. */
export function coverageTable(rows: readonly Coverage[]): string {
  const share = (pips: number) => `${(pips / 10_000).toFixed(1)} %`
  const lines = rows.map(
    ({ figure, of, paths, rounds, nominalPips, coveredPips }) =>
      `| ${figure} | ${of} | ${paths} | ${share(nominalPips)} | ${share(coveredPips)} | ${rounds} |`,
  )
  return [
    '| Interval of | Outcomes | Paths | says | covered | rounds |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}
