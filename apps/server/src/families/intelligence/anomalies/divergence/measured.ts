import { type DivergenceVerdict, judgeDivergence } from '@liquidity-os/engine/detection'
import { roundHalfEven } from '@liquidity-os/engine/numerics'
import { ascending, median, quantileOfSorted } from '@liquidity-os/engine/statistics'
import { timeOf } from '../anomaly-payload.ts'
import type { AnomalyPayload } from '../subject.ts'
import type { RealizedArm, RealizedMoment } from './realize-moment-task.ts'
import type { SimulatedMoment } from './simulate-moment-task.ts'

type Realized = Extract<RealizedMoment, { missing: null }>
type Gap = { code: string; detail: string }

/** One figure of the arm: realized, and over the paths. */
export interface DivergenceMetricFigures {
  readonly metric: string
  readonly unit: 'QUOTE_ATOMS' | 'PIPS'
  /**
   * The value of the flow model nearer to the simulated median, so that the deviation holds under
   * both models.
   */
  readonly value: bigint
  readonly byModel: readonly { flowModel: string; value: bigint }[]
  readonly median: bigint
  readonly mad: bigint
  /** Ends of the middle 95 %. */
  readonly middle: readonly [bigint, bigint]
  /** Distance from the median in millionths of the capital; for shares, in pips. */
  readonly effectPips: bigint
  /** Ascending. */
  readonly simulated: readonly bigint[]
  readonly verdict: DivergenceVerdict
}

export interface Measured {
  readonly metrics: readonly DivergenceMetricFigures[]
  readonly market: Omit<Realized, 'missing' | 'models' | 'swaps'> & {
    /** Per root of a second. */
    readonly assumedVolatility: number
    readonly simulatedVolume: bigint
    /** The study's assumption about other liquidity providers. */
    readonly others: string
  }
  /** Series of the metrics that have sealed quantiles along the paths. */
  readonly course: Readonly<Record<string, AnomalyPayload['course']>>
  readonly gaps: readonly Gap[]
}

/** Points of the study's fan, in seconds since its start. */
export interface FanPoint {
  readonly seconds: number
  readonly netVsHold: { p05: string; p95: string }
  readonly baseSharePips: { p05: number; p95: number }
}

export interface MeasureTerms {
  readonly begun: number
  readonly moment: number
  readonly fan: readonly FanPoint[]
  /** Quote atoms at the start. */
  readonly worth: bigint
  readonly assumedVolatility: number
  readonly others: string
}

const figures = [
  { metric: 'NET_VS_HOLD', unit: 'QUOTE_ATOMS', of: 'netVsHold' },
  { metric: 'FEES', unit: 'QUOTE_ATOMS', of: 'fees' },
  { metric: 'DEPTH_2_PERCENT', unit: 'QUOTE_ATOMS', of: 'depth' },
  { metric: 'BASE_SHARE', unit: 'PIPS', of: 'baseSharePips' },
] as const

const million = 1_000_000n

/** Compares the realized figures of an arm with its paths at the same moment. */
export function measure(
  simulated: SimulatedMoment,
  realized: Realized,
  terms: MeasureTerms,
): Measured {
  const candidates = figures.map(({ metric, unit, of }) => {
    const sorted = ascending(simulated[of])
    const centre = quantileOfSorted(sorted, 0.5)
    const byModel = realized.models.map((arm) => ({ flowModel: arm.flowModel, value: arm[of] }))
    const [first, ...more] = byModel
    if (!first) throw new Error('A replay requires at least one flow model.')
    const away = ({ value }: { value: bigint }) => Math.abs(Number(value) - centre)
    const nearest = more.reduce((a, b) => (away(b) < away(a) ? b : a), first)
    return { metric, unit, sorted, centre, byModel, value: nearest.value }
  })
  const verdicts = judgeDivergence(
    candidates.map(({ metric, value, sorted }) => ({
      metric,
      realized: Number(value),
      simulated: sorted,
    })),
  )
  const metrics = candidates.map((one, index): DivergenceMetricFigures => {
    const { metric, unit, value, byModel, sorted, centre } = one
    const middle = roundHalfEven(centre)
    const distance = value > middle ? value - middle : middle - value
    const per = unit === 'PIPS' ? million : terms.worth
    return {
      metric,
      unit,
      value,
      byModel,
      median: middle,
      verdict: verdicts[index]!,
      mad: roundHalfEven(median(sorted.map((each) => Math.abs(each - centre)))),
      middle: [
        roundHalfEven(quantileOfSorted(sorted, 0.025)),
        roundHalfEven(quantileOfSorted(sorted, 0.975)),
      ],
      effectPips: per === 0n ? 0n : (distance * million) / per,
      simulated: Array.from(sorted, roundHalfEven),
    }
  })
  const { volumeQuote, annualVolatility, otherLiquidity } = realized
  const { assumedVolatility, others } = terms
  const simulatedVolume = roundHalfEven(median(simulated.volume))
  return {
    metrics,
    market: {
      volumeQuote,
      annualVolatility,
      otherLiquidity,
      assumedVolatility,
      others,
      simulatedVolume,
    },
    course: coursesOf(realized.models[0]!.course, terms),
    gaps:
      annualVolatility === null
        ? [{ code: 'VOLATILITY_UNKNOWN', detail: 'Too few five-minute intervals have events.' }]
        : [],
  }
}

/**
 * Realized values of the arm at the sealed moments of the fan. Values outside the middle 90 % are
 * flagged.
 */
function coursesOf(course: RealizedArm['course'], { fan, begun, moment }: MeasureTerms) {
  const points = fan
    .filter(({ seconds }) => begun + seconds <= moment)
    .flatMap((point) => {
      const at = begun + point.seconds
      const sample = course.findLast((one) => one.at <= at)
      return sample ? [{ ...point, at: timeOf(at), sample }] : []
    })
  const isOutside = (value: bigint, low: bigint, high: bigint) => value < low || value > high
  return {
    NET_VS_HOLD: points.map(({ at, sample, netVsHold: { p05, p95 } }) => ({
      at,
      value: `${sample.netVsHold}`,
      isFlagged: isOutside(sample.netVsHold, BigInt(p05), BigInt(p95)),
    })),
    BASE_SHARE: points.map(({ at, sample, baseSharePips: { p05, p95 } }) => ({
      at,
      value: `${sample.baseSharePips}`,
      isFlagged: isOutside(sample.baseSharePips, BigInt(p05), BigInt(p95)),
    })),
  }
}
