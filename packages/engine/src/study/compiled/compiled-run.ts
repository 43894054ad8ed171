import { findUnfit, writePosition, writeScalars, writeTerms } from '../../amm/v3/fast/transfer.ts'
import { loadPool, snapshotPool } from '../../amm/v3/pool.ts'
import type { ClmmState } from '../../amm/v3/state.ts'
import type { Rat } from '../../arithmetic/integer.ts'
import { quoteValue } from '../../depth/value.ts'
import { MARKOUT_SECONDS } from '../../measures/markout-ledger.ts'
import { closeBooks, type DeskBooks } from '../../montecarlo/arm-desk.ts'
import type { SampledArm } from '../../montecarlo/arm-recorder.ts'
import type { ClmmSession } from '../../montecarlo/clmm-session.ts'
import {
  readBooks,
  readRecovery,
  writeBooks,
  writePool,
} from '../../montecarlo/compiled/compiled-arm.ts'
import { PathMemory, UnheldNumberError } from '../../montecarlo/compiled/path-memory.ts'
import { openPathsModule, type PathsExports } from '../../montecarlo/compiled/paths-module.ts'
import { BAND, layShocks, writeBand } from '../../montecarlo/compiled/sample-layout.ts'
import { replayClmmEvent } from '../../replay/clmm-replay.ts'
import type { ClmmEvent } from '../../replay/events.ts'
import type { WindowWatch } from '../../replay/tick-coverage.ts'
import type { StudyCapital } from '../arm.ts'
import { joinMeasures, MOST_FOLLOWED, type ReplayMeasures, recoveryOf } from '../replay-measures.ts'
import type { EndedRun, RecordingEnd } from '../run-group.ts'
import type { Moment } from '../run-record.ts'
import type { OpenedRun } from '../study-runs.ts'
import { readSample, type SampleShape, sampleBytes } from './samples.ts'
import { FIRST_ROOT, type PositionNumbers, TAPE_ENTRIES, type Tape } from './tape.ts'

/** Bits of `openReplay`. */
const MODEL = { priceSetting: 1, measured: 2 }
const X36 = 10n ** 36n

/** Settings common to all runs of a study. */
export interface RunSetting {
  /** Start price of all runs, as a root price. */
  readonly sqrtPriceX96: bigint
  readonly startPrice: Rat
  readonly capital: StudyCapital
  /** Time of the first event; null if unknown. */
  readonly startTime: number | null
  readonly numbers: PositionNumbers
  readonly shape: SampleShape
  /** Samples of a tape at most. */
  readonly samples: number
}

/** The end of a recording as runs of one group meet it. */
export interface GroupEnd extends RecordingEnd {
  /** Seconds from the first event to the last. */
  readonly seconds: number
  /** Time of the last event for the measures. */
  readonly now: number
  /** Block of the last change of the reference price. */
  readonly block: number
}

/** One run in WebAssembly, with separate memory. */
export class CompiledRun {
  readonly #opened: OpenedRun
  readonly #setting: RunSetting
  readonly #x: PathsExports
  readonly #memory: PathMemory
  readonly #books: DeskBooks
  /**
   * Static parameters of the pool, which the module does not return. Null for an arm without a
   * pool.
   */
  #pool: ClmmState | null

  private constructor(opened: OpenedRun, setting: RunSetting, pool: ClmmState | null) {
    this.#opened = opened
    this.#setting = setting
    this.#pool = pool
    this.#books = opened.run.desk.books()
    this.#x = openPathsModule(() => 1)
    this.#memory = new PathMemory(this.#x)
    this.#write()
  }

  /**
   * @returns null for a run that the module cannot execute: an active strategy, or numbers that do
   * not fit
   */
  static open(opened: OpenedRun, setting: RunSetting): CompiledRun | null {
    const { arm, run } = opened
    if (arm.onStep !== undefined && arm.routine === undefined) return null
    const pool = run.session === null ? null : snapshotPool(run.session.pool)
    if (pool !== null && findUnfit(pool) !== null) return null
    try {
      return new CompiledRun(opened, setting, pool)
    } catch (error) {
      if (error instanceof UnheldNumberError) return null
      throw error
    }
  }

  /** Runs along a tape. @returns false where the run is void */
  run(tape: Tape): boolean {
    const x = this.#x
    this.#memory.bytes.set(tape.written, x.tape())
    x.rewind()
    let hosted = 0
    // The tape has one hosted event per entry that returns control to the host.
    while (x.runTape(tape.length) === 0) this.#host(tape.hosted[hosted++]!)
    return x.isBeyond.value === 0
  }

  /** Stores a sample from the last tape. @param block of the last change of the reference price */
  keepSample(index: number, moment: Moment, block: number): void {
    const { shape } = this.#setting
    const at = this.#x.replaySamples() + index * sampleBytes(shape)
    const { record, run } = this.#opened
    const { held, fees, place, isInRange, market } = readSample(this.#memory, at, shape)
    const { compounded } = this.#books
    const withoutFees = { base: held.base - compounded.base, quote: held.quote - compounded.quote }
    const inventory = {
      base: withoutFees.base + fees.base,
      quote: withoutFees.quote + fees.quote,
    }
    const { price } = moment
    const positions = [...run.desk.positions.values()]
    const hasMarket = this.#pool !== null
    const arm: SampledArm = {
      price,
      inventory,
      withoutFees,
      netVsHold: this.#netVsHold(inventory, price, block),
      isInRange: hasMarket && positions.length > 0 ? isInRange : null,
      market: hasMarket ? market : null,
    }
    record.take(moment, { arm, place: hasMarket ? place : null, positions })
  }

  /** Ends the run. @returns false where it is void */
  settle(known: WindowWatch): boolean {
    const x = this.#x
    x.endReplay()
    if (x.isBeyond.value !== 0) return false
    if (this.#pool === null) return true
    known.see(x.lowestTick.value)
    known.see(x.highestTick.value)
    return true
  }

  /** Closes the books of a run that is settled. @throws WaterfallError when they do not balance */
  finish(end: GroupEnd): EndedRun {
    const { key, run, record, terms } = this.#opened
    const { startPrice, capital } = this.#setting
    const books = readBooks(this.#x, this.#memory, this.#books)
    const prices = { start: startPrice, end: end.price }
    const { holder, maker } = closeBooks(books, capital, prices, this.#exitGas(end.block))
    const { secondsInRange } = this.#x
    return {
      key,
      model: terms.model,
      opening: run.opening,
      record,
      course: run.course,
      outcome: {
        end: books.held,
        fees: books.fees,
        counts: this.#counts(),
        actions: run.desk.counts,
        ownVolumeQuote: run.desk.ownVolumeQuote,
        secondsInRange: secondsInRange.value,
        seconds: end.seconds,
        holder,
        maker,
      },
      measures: this.#measures(books, end),
    }
  }

  #counts() {
    const x = this.#x
    return {
      swaps: x.flowSwaps.value,
      volumeQuote: this.#memory.readSigned(x.FLOW_VOLUME.value),
      arbitrages: x.flowArbitrages.value,
      arbitrageVolumeQuote: this.#memory.readSigned(x.FLOW_ARBITRAGE_VOLUME.value),
    }
  }

  #measures({ held, compounded }: DeskBooks, end: GroupEnd): ReplayMeasures | null {
    const { record, run } = this.#opened
    if (record.measures === null) return null
    const withoutFees = { base: held.base - compounded.base, quote: held.quote - compounded.quote }
    const samples = record.measures.finish(run.start, withoutFees, end.traded, end.now)
    const x = this.#x
    const memory = this.#memory
    if (this.#pool === null) return joinMeasures(samples, { recovery: null, markouts: [] })
    return joinMeasures(samples, {
      recovery: recoveryOf(readRecovery(x, memory, MOST_FOLLOWED)),
      markouts: MARKOUT_SECONDS.map((seconds, place) => ({
        seconds,
        quote: memory.readSigned(x.MARKOUTS.value + 32 * place),
      })),
    })
  }

  /** As the desk has it. */
  #netVsHold({ base, quote }: { base: bigint; quote: bigint }, price: Rat, block: number): bigint {
    const { capital } = this.#setting
    const { gas, rewards } = this.#books
    const more = quoteValue(base - capital.base, price)
    return more + quote - capital.quote - gas - this.#exitGas(block) + rewards
  }

  /** Computed by the desk, after an update to the block. */
  #exitGas(block: number): bigint {
    const { desk } = this.#opened.run
    desk.moveTo(desk.price, block)
    return desk.exitGas()
  }

  #write(): void {
    const { arm, run, record, terms } = this.#opened
    const { capital, startTime, sqrtPriceX96, shape, samples } = this.#setting
    const x = this.#x
    const memory = this.#memory
    const model =
      (terms.model === 'PRICE_SETTING' ? MODEL.priceSetting : 0) |
      (record.measures === null ? 0 : MODEL.measured)
    x.openReplay(model, terms.orientation.base === 0 ? 1 : 0, TAPE_ENTRIES)
    memory.write256(x.X36.value, X36)
    memory.writeSigned(x.ARBITRAGE_COST.value, terms.arbitrageCostQuote)
    this.#laySamples(shape, samples)
    if (this.#pool !== null) this.#writePool(this.#pool)
    // A run with a market has a v3 pool.
    const positions = run.session === null ? [] : (run.session as ClmmSession).ownPositions()
    const books = this.#books
    writeBooks(x, memory, { arm, books, pool: this.#pool, positions, start: run.start }, capital)
    memory.write192(x.tape() + FIRST_ROOT, sqrtPriceX96)
    x.beginReplay(startTime ?? 0, startTime === null ? 0 : 1)
  }

  #laySamples({ sizesQuote, bandsPips }: SampleShape, samples: number): void {
    const x = this.#x
    const memory = this.#memory
    const { orientation } = this.#opened.terms
    x.setReplaySamples(sizesQuote.length, bandsPips.length, samples)
    for (const [index, size] of sizesQuote.entries()) {
      memory.writeSigned(x.replaySizes() + 32 * index, size)
    }
    for (const [index, band] of bandsPips.entries()) {
      writeBand(memory, x.replayBands() + index * BAND.bytes, band, orientation)
    }
    layShocks(x, memory, orientation, MOST_FOLLOWED)
    memory.floats.set(MARKOUT_SECONDS, x.MARKOUT_WAITS.value >> 3)
  }

  #writePool(pool: ClmmState): void {
    const x = this.#x
    const memory = this.#memory
    writePool(x, memory, pool)
    memory.write256(x.MAX_LIQUIDITY_PER_TICK.value, pool.maxLiquidityPerTick)
    for (const position of pool.positions) {
      const number = this.#setting.numbers.of(position)
      const at = x.positionOf(number, position.tickLower, position.tickUpper)
      writePosition(memory, at, position)
    }
  }

  /** Lets the readable engine apply an event that touches no list of the pool. */
  #host(event: ClmmEvent): void {
    // Only a run with a pool stops for the host.
    const terms = this.#pool!
    const x = this.#x
    const memory = this.#memory
    const pool = loadPool({
      ...terms,
      ticks: [],
      positions: [],
      observations: [],
      sqrtPriceX96: memory.read192(x.PRICE.value),
      tick: x.tick.value,
      liquidity: memory.read128(x.LIQUIDITY.value),
      feeGrowthGlobal0X128: memory.read256(x.FEE_GROWTH.value),
      feeGrowthGlobal1X128: memory.read256(x.FEE_GROWTH.value + 32),
      protocolFees0: memory.read128(x.PROTOCOL_FEES.value),
      protocolFees1: memory.read128(x.PROTOCOL_FEES.value + 16),
    })
    replayClmmEvent(pool, event, this.#opened.terms.positions)
    const { feePips, feeProtocol0, feeProtocol1 } = pool
    this.#pool = { ...terms, feePips, feeProtocol0, feeProtocol1 }
    writeScalars(x, memory, pool)
    if (event.type === 'FeeChange') x.setFee(feePips)
    if (event.type === 'SetFeeProtocol') writeTerms(x, pool)
    if (event.type === 'Flash') x.bookAnew()
  }
}
