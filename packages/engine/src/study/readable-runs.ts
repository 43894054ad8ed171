import type { Rat } from '../arithmetic/integer.ts'
import { sampleDesk } from '../montecarlo/arm-recorder.ts'
import type { ClmmEvent } from '../replay/events.ts'
import type { WindowWatch } from '../replay/tick-coverage.ts'
import type { Reference } from './outside-prices.ts'
import { joinMeasures, TradeMeasures } from './replay-measures.ts'
import type { EndedRun, RecordingEnd, RunGroup } from './run-group.ts'
import type { Moment } from './run-record.ts'
import type { OpenedRun } from './study-runs.ts'

interface Run extends OpenedRun {
  readonly trades: TradeMeasures | null
}

/** Runs on the readable engine, one step after the other. */
export class ReadableRuns implements RunGroup {
  readonly #runs: readonly Run[]
  readonly #known: WindowWatch

  /**
   * @param startTime of the first event, Unix seconds
   * @param known receives the current ticks of the pools
   */
  constructor(opened: readonly OpenedRun[], startTime: number, known: WindowWatch) {
    this.#known = known
    this.#runs = opened.map((one) => ({
      ...one,
      trades: one.record.measures === null ? null : new TradeMeasures(one.run, startTime),
    }))
  }

  passTime(timestamp: number, price: Rat): void {
    for (const { trades } of this.#runs) trades?.passTo(timestamp, price)
  }

  sample(moment: Moment): void {
    for (const { run, record, trades } of this.#runs) {
      trades?.refresh()
      const { session, desk } = run
      record.take(moment, {
        arm: sampleDesk(desk),
        place: session?.pool ?? null,
        positions: [...desk.positions.values()],
      })
    }
  }

  look(block: number, timestamp: number | null): void {
    for (const { run } of this.#runs) run.look(block, timestamp)
  }

  apply(event: ClmmEvent, { sqrtPriceX96, price }: Reference): void {
    for (const { run } of this.#runs) {
      run.apply(event, sqrtPriceX96, price)
      if (run.tick !== null) this.#known.see(run.tick)
    }
  }

  settle(): boolean {
    return true
  }

  finish({ price, traded }: RecordingEnd): readonly EndedRun[] {
    return this.#runs.map(({ key, run, record, terms, trades }) => {
      const outcome = run.finish()
      const { desk, start, opening, course } = run
      const { measures } = record
      return {
        key,
        opening,
        outcome,
        record,
        course,
        model: terms.model,
        measures:
          trades === null || measures === null
            ? null
            : joinMeasures(
                measures.finish(start, desk.withoutFees, traded, trades.now),
                trades.finish(price),
              ),
      }
    })
  }
}
