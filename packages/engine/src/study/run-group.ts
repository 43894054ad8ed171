import type { Rat } from '../arithmetic/integer.ts'
import type { TradedVolume } from '../measures/inventory-course.ts'
import type { ClmmEvent } from '../replay/events.ts'
import type { ArmCourse } from './arm-course.ts'
import type { ArmOutcome, Opening } from './arm-run.ts'
import type { FlowModel } from './flow.ts'
import type { Reference } from './outside-prices.ts'
import type { ReplayMeasures } from './replay-measures.ts'
import type { Moment, RunRecord } from './run-record.ts'

/** Runs of arms that go along one recording together. Each method is called at its place in the order of events. */
export interface RunGroup {
  /** Advances to a moment. Market and reference price were constant until then. */
  passTime(timestamp: number, price: Rat): void
  /** Takes a sample of every run. */
  sample(moment: Moment): void
  /** Lets every arm look and act, on the market as the last block left it. */
  look(block: number, timestamp: number | null): void
  /** Applies the counterfactual of an event. @param reference in force after it */
  apply(event: ClmmEvent, reference: Reference): void
  /** Does what is still to be done. @returns false where the group cannot go to the end, and another engine has to */
  settle(): boolean
  /** Closes all books, once they are settled. @throws WaterfallError when they do not balance */
  finish(end: RecordingEnd): readonly EndedRun[]
}

export interface RecordingEnd {
  /** Last reference price. */
  readonly price: Rat
  /** Both sides of the recorded trades. */
  readonly traded: TradedVolume
}

export interface EndedRun {
  /** Identity of the run: arms with equal keys share one run. */
  readonly key: string
  readonly model: FlowModel
  readonly opening: Opening
  readonly outcome: ArmOutcome
  readonly record: RunRecord
  readonly measures: ReplayMeasures | null
  readonly course: ArmCourse
}

/** Formats a run for its arm's result. */
export function describeRun({ model, opening, outcome, record, measures, course }: EndedRun) {
  const { end, fees, counts, seconds, secondsInRange, holder, maker, ...operations } = outcome
  return {
    flowModel: model,
    opening,
    end,
    fees,
    flow: counts,
    timeInRangePips: seconds === 0 ? null : Math.floor((secondsInRange * 1_000_000) / seconds),
    waterfallHolder: holder,
    waterfallMaker: maker,
    operations,
    depth: record.depth.report(),
    ...(measures === null ? {} : { measures }),
    series: record.series,
    actions: course.actions,
    layouts: course.layouts,
  }
}
