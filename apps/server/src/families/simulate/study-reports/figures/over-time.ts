import { thinSeries } from '@liquidity-os/engine/statistics'
import type { FigureData } from '../../../../drawing/figure.ts'
import { vsHodlCourse } from '../../studies/api.ts'
import { type Findings, type SeriesSample, samplesOf } from '../report-input.ts'

/** Maximum points per line in a report; more are not visible on paper. */
const maxPoints = 160

/** Default bands of a study. */
const defaultBandsPips = [10_000, 20_000, 50_000]

const fanColumns: FigureData['columns'] = [
  { name: 'arm', unit: 'TEXT' },
  { name: 'seconds', unit: 'SECONDS' },
  { name: 'p05', unit: 'QUOTE_ATOMS' },
  { name: 'p25', unit: 'QUOTE_ATOMS' },
  { name: 'p50', unit: 'QUOTE_ATOMS' },
  { name: 'p75', unit: 'QUOTE_ATOMS' },
  { name: 'p95', unit: 'QUOTE_ATOMS' },
  { name: 'es95', unit: 'QUOTE_ATOMS' },
]
const lineColumns = (value: string): FigureData['columns'] => [
  { name: 'arm', unit: 'TEXT' },
  { name: 'flowModel', unit: 'TEXT' },
  { name: 'seconds', unit: 'SECONDS' },
  { name: value, unit: 'QUOTE_ATOMS' },
]

/** Chart 2: each candidate vs HODL over time. */
export function netVsHoldFigures(findings: Findings): FigureData[] {
  const { simulated } = findings
  if (simulated.length > 0) return fanFigures(simulated)
  return lineFigures(
    replayRows(findings, (arm, samples) =>
      vsHodlCourse(
        arm,
        { spec: findings.study.payload.spec, result: findings.result },
        samples,
      ).map(({ seconds, netVsHodl }) => ({
        seconds,
        value: netVsHodl === null ? null : `${netVsHodl}`,
      })),
    ),
  )
}

/** Vs initial capital over many paths. */
export function fanFigures(
  simulated: readonly Pick<Findings['simulated'][number], 'armId' | 'fan' | 'risk'>[],
): FigureData[] {
  return [
    {
      id: 'net-vs-hold',
      kind: 'NET_VS_HOLD',
      title: 'vs initial capital over the paths',
      description:
        'Line: median of each candidate. Dark area: middle 50 % of the paths. Light area: middle 90 %. The hatched bar at the end spans the worst 5 % threshold to the mean of that tail (CVaR).',
      columns: fanColumns,
      rows: simulated.flatMap(({ armId, fan, risk }) =>
        fan.map(({ seconds, netVsHold: q }, index) => [
          armId,
          seconds,
          q.p05,
          q.p25,
          q.p50,
          q.p75,
          q.p95,
          index === fan.length - 1 ? risk.netVsHold.es95 : null,
        ]),
      ),
    },
  ]
}

/**
 * Vs HODL in one history.
 *
 * @param rows arm, flow model, seconds since the first sample, amount
 */
export function lineFigures(rows: FigureData['rows']): FigureData[] {
  if (rows.length === 0) return []
  return [
    {
      id: 'net-vs-hold',
      kind: 'NET_VS_HOLD',
      title: 'vs HODL of the same starting inventory',
      description:
        'Value of each candidate minus the value of its own starting inventory, from zero at the start. The area around a line spans the two flow models.',
      columns: lineColumns('netVsHodl'),
      rows,
    },
  ]
}

const depthFanColumns: FigureData['columns'] = [
  { name: 'arm', unit: 'TEXT' },
  { name: 'seconds', unit: 'SECONDS' },
  { name: 'low', unit: 'QUOTE_ATOMS' },
  { name: 'depth', unit: 'QUOTE_ATOMS' },
  { name: 'high', unit: 'QUOTE_ATOMS' },
]

/** Chart 3: depth of the thinner side over time, one figure per band. */
export function depthFigures(findings: Findings): FigureData[] {
  const { study, simulated } = findings
  const bands = study.payload.spec.bandsPips ?? defaultBandsPips
  return bands.flatMap((band, index): FigureData[] => {
    const rows: FigureData['rows'] =
      simulated.length > 0
        ? depthFanRows(simulated, band)
        : replayRows(findings, (_, samples) => depthCourse(samples, index))
    if (rows.length === 0) return []
    const target = targetOf(findings, band)?.minQuote
    // A row without an arm is the study's target level.
    if (target !== undefined) {
      rows.push(simulated.length > 0 ? ['', null, null, target, null] : ['', '', null, target])
    }
    return [depthFigure(band, rows, simulated.length > 0, targetWords(findings, band))]
  })
}

/** Rows of depth over many paths, which form a band. */
export const depthFanRows = (
  simulated: readonly Pick<Findings['simulated'][number], 'armId' | 'depthOverTime'>[],
  band: number,
): FigureData['rows'] =>
  simulated.flatMap(({ armId, depthOverTime }) =>
    (depthOverTime.find(({ bandPips }) => bandPips === band)?.points ?? []).map(
      ({ seconds, p05, p50, p95 }) => [armId, seconds, p05, p50, p95],
    ),
  )

/** @param isOfPaths true for the market over many paths, false for a candidate in one history */
export function depthFigure(
  band: number,
  rows: FigureData['rows'],
  isOfPaths: boolean,
  more: readonly string[],
): FigureData {
  const percent = band / 10_000
  const subject = isOfPaths
    ? `Market depth within ${percent} % of the price, on the thinner side: median path and 5th to 95th percentile.`
    : `Depth of each candidate's own position within ${percent} % of the price, on the thinner side.`
  return {
    id: `depth-${band}`,
    kind: 'DEPTH_OVER_TIME',
    title: `${percent} % depth over time`,
    description: [subject, ...more].join(' '),
    columns: isOfPaths ? depthFanColumns : lineColumns('depth'),
    rows,
  }
}

/** Target depth of a band, and the time that each candidate was below it. */
function targetWords(findings: Findings, band: number): string[] {
  const { arms } = findings
  const target = targetOf(findings, band)
  if (target === null) return []
  const shares = findings.replayed.flatMap((arm) => {
    const label = arms.find(({ armId }) => armId === arm.armId)?.label ?? arm.armId
    const under = shareUnder(samplesOf(findings, arm.armId, arm.flowModel), target)
    return under === null ? [] : [`${label} (${arm.flowModel}) ${under.toFixed(1)} %`]
  })
  return [
    'The dashed line is the target.',
    ...(shares.length > 0 ? [`Share of samples below it: ${shares.join(', ')}.`] : []),
  ]
}

/** Minimum depth from the study's rules, with its band index; null without such a rule. */
function targetOf({ study }: Findings, band: number): { minQuote: string; place: number } | null {
  const { failure = [], bandsPips = defaultBandsPips } = study.payload.spec
  const rule = failure.find((one) => one.kind === 'DEPTH_BELOW' && one.bandPips === band)
  if (rule?.kind !== 'DEPTH_BELOW') return null
  return { minQuote: rule.minQuote, place: bandsPips.indexOf(band) }
}

/** Share of samples in % with the smaller side below the target; null without measurements. */
function shareUnder(
  samples: readonly SeriesSample[],
  { minQuote, place: itemIndex }: { minQuote: string; place: number },
): number | null {
  const depths = samples.flatMap((sample) => thinnerSide(sample, itemIndex) ?? [])
  if (depths.length === 0) return null
  const under = depths.filter((depth) => BigInt(depth) < BigInt(minQuote))
  return (under.length * 100) / depths.length
}

function depthCourse(samples: readonly SeriesSample[], index: number): Course {
  const start = samples[0]?.timestamp ?? 0
  return samples.map((sample) => ({
    seconds: sample.timestamp - start,
    value: thinnerSide(sample, index),
  }))
}

function thinnerSide({ buyQuote, sellQuote }: SeriesSample, index: number): string | null {
  const [buy, sell] = [buyQuote?.[index], sellQuote?.[index]]
  if (buy === undefined || sell === undefined) return null
  return BigInt(buy) < BigInt(sell) ? buy : sell
}

/** An amount over time, in seconds since the first sample; null if unknown. */
type Course = readonly { readonly seconds: number; readonly value: string | null }[]

/** Rows of every candidate and flow model, thinned to the shape of the first model's line. */
function replayRows(
  findings: Findings,
  read: (arm: Findings['replayed'][number], samples: readonly SeriesSample[]) => Course,
): FigureData['rows'] {
  const seriesByName = new Map<string, readonly number[]>()
  return findings.replayed.flatMap((arm) => {
    const { armId, flowModel } = arm
    const samples = samplesOf(findings, armId, flowModel)
    const points = read(arm, samples).flatMap(({ seconds, value }) =>
      value === null ? [] : [{ seconds, value }],
    )
    const seconds = points.map((point) => point.seconds)
    const places =
      seriesByName.get(armId) ??
      thinSeries(
        seconds,
        points.map(({ value }) => Number(value)),
        maxPoints,
      )
    seriesByName.set(armId, places)
    return places.flatMap((index) => {
      const point = points[index]
      return point === undefined ? [] : [[armId, flowModel, point.seconds, point.value]]
    })
  })
}
