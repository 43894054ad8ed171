import { loadPool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { replayClmmEvent } from '../replay/clmm-replay.ts'
import type { ClmmEvent } from '../replay/events.ts'
import { type Overfitting, probabilityOfOverfitting } from '../statistics/overfitting.ts'
import type { StrategyDefinition } from '../strategy/definition.ts'
import type { FlowModel } from '../study/flow.ts'
import type { ReplayStudy } from '../study/recorded-study.ts'
import { type ReplayStudyResult, runReplayStudy } from '../study/replay-study.ts'
import { type GridAxis, GridError, type GridPoint, strategyGrid } from './strategy-grid.ts'

/** A search over the parameters of a strategy on a recorded market. */
export interface ReplaySearch {
  /** The whole study except its arms. All its flow models evaluate; the first one selects. */
  readonly study: Omit<ReplayStudy, 'arms' | 'events'> & { readonly events: readonly ClmmEvent[] }
  readonly definition: StrategyDefinition
  readonly grid: readonly GridAxis[]
  /** Part of the time that the choice may see, in (0, 1,000,000); default 700,000. */
  readonly splitPips?: number
}

/** Trials, the chosen point, and its result on later data unseen by the choice. */
export interface SearchResult {
  /** Number of executed points; each one is a trial. */
  readonly trials: number
  /** Points that are no strategy. */
  readonly leftOut: number
  /** Start of the second part, which only runs the chosen point. */
  readonly splitAt: number
  /** Result against HOLD on the first part per point, quote atoms. */
  readonly scores: readonly {
    readonly choice: GridPoint['choice']
    readonly netVsHold: bigint
  }[]
  /** The best of them; of equals the first. */
  readonly chosen: GridPoint
  /**
   * Probability that the best trial is overfitted, from the first part alone; null with one trial
   * or fewer than 16 samples.
   */
  readonly overfitting: Overfitting | null
  /** The study of the chosen point on the second part, restarted with the same capital. */
  readonly judged: ReplayStudyResult
}

const ARMS_PER_RUN = 8

/**
 * Chooses parameters on the first part of a window and evaluates them only on the rest. The result
 * includes the number of trials and the probability of overfitting. Cross-validation over each
 * trial's gain vs HODL between samples gives this probability.
 *
 * @throws GridError for an invalid grid, or one without any valid strategy
 * @throws RangeError for a split outside (0, 1,000,000) or a part without events
 * @see Bailey, Borwein, López de Prado, Zhu, “The probability of backtest overfitting” (2017)
 */
export function searchReplay(search: ReplaySearch): SearchResult {
  const { study, definition, grid, splitPips = 700_000 } = search
  const { points, leftOut } = strategyGrid(definition, grid)
  if (points.length === 0) throw new GridError({ fault: 'points without a valid strategy' })
  const { first, rest, splitAt } = split(study.events, splitPips)
  const courses = runTrials({ ...study, events: first }, points)
  const scores = points.map(({ choice }, index) => ({
    choice,
    // A course per point, with the sample at its end.
    netVsHold: courses[index]!.at(-1)!,
  }))
  const best = scores.reduce(
    (leader, { netVsHold }, index) => (netVsHold > scores[leader]!.netVsHold ? index : leader),
    0,
  )
  const chosen = points[best]!
  const start = stateAfter(study, first)
  const arms = [{ armId: 'chosen', kind: 'STRATEGY' as const, definition: chosen.definition }]
  return {
    trials: points.length,
    leftOut,
    splitAt,
    scores,
    chosen,
    overfitting: overfittingOf(courses),
    judged: runReplayStudy({ ...study, start, events: rest, arms }),
  }
}

/** Events before and after a share of the time. */
function split(events: readonly ClmmEvent[], splitPips: number) {
  if (!Number.isInteger(splitPips) || splitPips < 1 || splitPips > 999_999) {
    throw new RangeError(`a split at ${splitPips} pips; expected a whole number in 1..999999`)
  }
  const times = events.flatMap(({ timestamp }) => timestamp ?? [])
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0]
  const splitAt = from + Math.floor(((to - from) * splitPips) / 1_000_000)
  const found = events.findIndex(({ timestamp }) => timestamp !== null && timestamp >= splitAt)
  const place = found === -1 ? 0 : found
  const [first, rest] = [events.slice(0, place), events.slice(place)]
  if (first.length === 0 || rest.length === 0) {
    throw new RangeError('a search requires events on both sides of its split')
  }
  return { first, rest, splitAt }
}

/** Result against HOLD at each sample per point, under the first flow model. */
function runTrials(study: ReplaySearch['study'], points: readonly GridPoint[]): bigint[][] {
  const model: FlowModel = study.flowModels?.[0] ?? 'INELASTIC_INPUT'
  const { measures: _measures, benchmarks: _benchmarks, ...plain } = study
  const courses: bigint[][] = []
  for (let from = 0; from < points.length; from += ARMS_PER_RUN) {
    const arms = points.slice(from, from + ARMS_PER_RUN).map(({ definition }, index) => ({
      armId: `trial-${from + index}`,
      kind: 'STRATEGY' as const,
      definition,
    }))
    const result = runReplayStudy({ ...plain, bandsPips: [], flowModels: [model], arms })
    // The engine's own JSON: an arm has one result per flow model, and its series the samples.
    const { arms: done } = result as unknown as {
      arms: { results: { series: { netVsHold: string }[] }[] }[]
    }
    if (done.length === 0) throw new RangeError('the first part of the window gives no result')
    for (const { results } of done) {
      courses.push(results[0]!.series.map(({ netVsHold }) => BigInt(netVsHold)))
    }
  }
  return courses
}

function overfittingOf(courses: readonly (readonly bigint[])[]): Overfitting | null {
  const gains = courses.map((course) =>
    Float64Array.from(course.slice(1), (value, i) => Number(value - course[i]!)),
  )
  const samples = gains[0]?.length ?? 0
  return gains.length < 2 || samples < 16 ? null : probabilityOfOverfitting(gains)
}

/** The unchanged pool after events. */
function stateAfter(
  { start, positions = 'COMPLETE' }: ReplaySearch['study'],
  events: readonly ClmmEvent[],
): ClmmState {
  const pool = loadPool({ ...start, balance0: null, balance1: null })
  for (const event of events) replayClmmEvent(pool, event, positions)
  return snapshotPool(pool)
}
