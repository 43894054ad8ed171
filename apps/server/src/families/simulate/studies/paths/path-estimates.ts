import type { contract } from '@liquidity-os/contract'
import {
  type AggregateTerms,
  benchmarkArmIds,
  type PathFigure,
  pathFigures,
} from '@liquidity-os/engine/montecarlo'
import { roundHalfEven, toPips } from '@liquidity-os/engine/numerics'
import {
  type MeanEstimate,
  type RunningMean,
  runningMeanOfPairs,
  sequenceHalfWidth,
  Z_95,
} from '@liquidity-os/engine/statistics'
import { joinedFigure, type PathPart } from './path-part.ts'

type Arm = contract.StudyEstimates['arms'][number]
type Means = ReturnType<typeof noMeans>

/** Interim estimates of a study. An update after a part costs time for that part only. */
export class PathEstimates {
  readonly #terms: AggregateTerms
  readonly #arms = new Map<string, Means>()
  #paths = 0

  constructor(terms: AggregateTerms) {
    this.#terms = terms
  }

  /**
   * Adds the next parts in path order. Together they contain whole pairs, except for the last one.
   */
  add(parts: readonly Pick<PathPart, 'figures'>[]): void {
    for (const [index, { armId }] of (parts[0]?.figures ?? []).entries()) {
      const means = this.#arms.get(armId) ?? noMeans()
      this.#arms.set(armId, means)
      for (const figure of pathFigures) means[figure].add(joinedFigure(parts, index, figure))
    }
    for (const { figures } of parts) this.#paths += figures[0]?.values.netVsHold.length ?? 0
  }

  /** Current interim estimates; empty without paths. */
  serialize(): contract.StudyEstimates {
    const arms = [...this.#arms].map(([armId, means]) => armOf(armId, means, this.#terms))
    const { paths: max, halfWidthPips: requested = 2500 } = this.#terms
    return {
      state: 'PRELIMINARY',
      paths: { done: this.#paths, most: max },
      halfWidthPips: { asked: requested, reached: this.#reachedPips() },
      levelPips: 950_000,
      method: 'CONFIDENCE_SEQUENCE',
      arms,
    }
  }

  /** Half-width of the usual interval of the mean that decides when to stop, rounded up. */
  #reachedPips(): number {
    const benchmarks: readonly string[] = benchmarkArmIds
    const own = [...this.#arms].filter(([armId]) => !benchmarks.includes(armId))
    const errors = own.map(([, { netVsHold }]) => netVsHold.estimate().standardError)
    const capital = Number(this.#terms.capitalQuote)
    return Math.ceil((Z_95 * Math.max(0, ...errors) * 1_000_000) / capital)
  }
}

const noMeans = () =>
  Object.fromEntries(pathFigures.map((figure) => [figure, runningMeanOfPairs()])) as Record<
    PathFigure,
    RunningMean
  >

function armOf(armId: string, means: Means, { failure }: AggregateTerms): Arm {
  const amount = (figure: PathFigure) => amountOf(means[figure].estimate())
  const share = (figure: PathFigure) => shareOf(means[figure].estimate())
  return {
    armId,
    netVsHold: amount('netVsHold'),
    waterfallHolder: {
      net: amount('net'),
      fees: amount('fees'),
      divergenceLoss: amount('divergenceLoss'),
    },
    waterfallMaker: { lvr: amount('lvr') },
    timeInRangePips: share('timeInRange'),
    failure: { any: failure.length === 0 ? null : share('failed') },
  }
}

/** Rounded half to even; without an interval if all paths are equal. */
function amountOf({ mean, standardError, observations }: MeanEstimate): Arm['netVsHold'] {
  const reach = sequenceHalfWidth(standardError * Math.sqrt(observations), observations)
  return {
    mean: `${roundHalfEven(mean)}`,
    standardError: `${roundHalfEven(standardError)}`,
    interval:
      standardError === 0
        ? null
        : [`${roundHalfEven(mean - reach)}`, `${roundHalfEven(mean + reach)}`],
  }
}

/** Values in [0, 1] deviate by at most ½, so the interval is valid for any number of paths. */
function shareOf({ mean, standardError, observations }: MeanEstimate): Arm['timeInRangePips'] {
  const reach = sequenceHalfWidth(0.5, observations)
  return {
    pips: toPips(mean),
    standardErrorPips: toPips(standardError),
    intervalPips: [toPips(Math.max(0, mean - reach)), toPips(Math.min(1, mean + reach))],
  }
}
