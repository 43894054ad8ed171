import { clmmMidPrice } from '../amm/v3/market.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { quoteValue } from '../depth/value.ts'
import {
  fullRangeArm,
  holdArm,
  type MonteCarloArm,
  rangeArm,
  rebalancingArm,
} from '../montecarlo/arms.ts'
import { FREE_GAS, gasAlong } from '../montecarlo/gas.ts'
import { benchmarkArmIds } from '../montecarlo/monte-carlo-data.ts'
import type { ClmmEvent } from '../replay/events.ts'
import { strategyArm } from '../strategy/strategy-arm.ts'
import { assertRange, type StudyArm } from './arm.ts'
import { ArmRun, type RunTerms } from './arm-run.ts'
import type { FlowModel } from './flow.ts'
import { OwnDepth } from './own-depth.ts'
import type { ReplayStudy } from './recorded-study.ts'
import { SampleMeasures } from './replay-measures.ts'
import { RunRecord } from './run-record.ts'

/** An arm of the study, or a portfolio that only a benchmark holds. */
export type AnyArm = StudyArm | { readonly armId: string; readonly kind: 'REBALANCING' }

/** A run with open positions, and its record. */
export interface OpenedRun {
  /** Identity of the run: arms with equal keys share one run. */
  readonly key: string
  readonly arm: MonteCarloArm
  readonly run: ArmRun
  readonly terms: RunTerms
  readonly record: RunRecord
}

/** The arms of a study, including benchmarks if requested. */
export function armsOf(study: ReplayStudy): readonly AnyArm[] {
  if (study.benchmarks !== true) return study.arms
  const [hold, full, rebalancing] = benchmarkArmIds
  return [
    ...study.arms,
    { armId: hold, kind: 'HOLD' },
    { armId: full, kind: 'FULL_RANGE' },
    { armId: rebalancing, kind: 'REBALANCING' },
  ]
}

/**
 * HODL and full-range arms behave equally under any id. The positions of a range arm contain its
 * id.
 */
export function keyOf({ armId, kind }: AnyArm): string {
  return kind === 'HOLD' || kind === 'FULL_RANGE' ? kind : `${kind} ${armId}`
}

/** The runs of a study that begins. */
export interface StudyRuns {
  readonly study: ReplayStudy
  readonly opened: readonly OpenedRun[]
  /** The pool before its first event, and that event. */
  readonly start: ClmmState
  readonly place: ClmmEvent
}

/**
 * Opens every arm under every flow model, once per key.
 *
 * @param start the pool before the first event of the study
 * @param place first event of the study
 * @throws PoolRevertError if the pool rejects a deposit
 */
export function openStudyRuns(study: ReplayStudy, start: ClmmState, place: ClmmEvent): StudyRuns {
  const models = study.flowModels ?? ['INELASTIC_INPUT', 'PRICE_SETTING']
  const arms = armsOf(study)
  const distinct = arms.filter(
    (arm, place) => arms.findIndex((other) => keyOf(other) === keyOf(arm)) === place,
  )
  const opened = distinct.flatMap((arm) =>
    models.map((model) => openRun(study, start, place, arm, model)),
  )
  return { study, opened, start, place }
}

function openRun(
  study: ReplayStudy,
  start: ClmmState,
  place: ClmmEvent,
  arm: AnyArm,
  model: FlowModel,
): OpenedRun {
  const { orientation, bandsPips, capital, arbitrageCostQuote = 0n, positions } = study
  const terms: RunTerms = {
    model,
    orientation,
    arbitrageCostQuote,
    positions: positions ?? 'COMPLETE',
    gasOf: gasBy(study),
  }
  const made = runnable(arm, start, study)
  const run = new ArmRun(start, made, capital, terms, place)
  const price = clmmMidPrice(start.sqrtPriceX96, orientation)
  const worth = quoteValue(capital.base, price) + capital.quote
  const measures =
    study.measures === undefined
      ? null
      : new SampleMeasures(made, study.measures, worth, place.timestamp ?? 0)
  const ownDepth = new OwnDepth(start, orientation, bandsPips)
  return { key: keyOf(arm), arm: made, run, terms, record: new RunRecord(ownDepth, measures) }
}

/** Creates the executable form of an arm; new for each run, because a strategy has state. */
function runnable(arm: AnyArm, { tickSpacing }: ClmmState, study: ReplayStudy): MonteCarloArm {
  switch (arm.kind) {
    case 'HOLD':
      return holdArm(arm.armId)
    case 'FULL_RANGE':
      return fullRangeArm(arm.armId, tickSpacing)
    case 'REBALANCING':
      return rebalancingArm(arm.armId)
    case 'V3_RANGE':
      assertRange(arm, tickSpacing)
      return rangeArm(arm.armId, arm)
    case 'STRATEGY': {
      const { actionLatencySeconds = 60, volatility = null } = study
      return strategyArm(arm.armId, arm.definition, { actionLatencySeconds, volatility })
    }
  }
}

/** Gas cost of an action in a block, at the block's base fee if known. */
function gasBy({ gas = FREE_GAS, baseFees }: ReplayStudy): RunTerms['gasOf'] {
  const constant = gasAlong(gas, new Uint8Array(32), 0, false, 0)
  if (baseFees === undefined) return (action) => constant(action, 0)
  return (action, block) => {
    const known = baseFees.findLast((fee) => fee.block <= block)
    if (known === undefined) return constant(action, 0)
    const baseFee = { kind: 'CONSTANT', baseFeeWei: known.wei } as const
    return gasAlong({ ...gas, baseFee }, new Uint8Array(32), 0, false, 0)(action, 0)
  }
}
