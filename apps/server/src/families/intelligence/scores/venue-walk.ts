import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { MarketFollower } from '@liquidity-os/engine/replay'
import {
  feePipsOf,
  type MarketLevel,
  type Recovery,
  RecoveryWatch,
  type TapeTrade,
} from '@liquidity-os/engine/scoring'
import { PriceMemory } from '@liquidity-os/engine/strategy'
import { StoredNames } from '../../../market/stored-names.ts'
import { type TradeSize, tradedBy } from '../../../market/traded-by.ts'
import {
  type HistoryStep,
  type SealedEvent,
  type VenueHistory,
  walkHistory,
} from '../../../market/venue-history.ts'
import { hourSeconds } from '../../../units.ts'
import { ShortLivedDepth } from './short-lived-depth.ts'
import { tradeKey, type WatchedTrades } from './watched-trades.ts'

const bandPips = 20_000
/** Length of the window for a price mean, in seconds. */
const ownMeanSeconds = hourSeconds / 2

/**
 * Walks one venue through a window: the market at each moment, and the events in between that a
 * score needs.
 */
export class VenueWalk {
  readonly history: VenueHistory
  readonly trades: TapeTrade[] = []
  readonly recoveries: Recovery[] = []
  /** Depth from liquidity that was removed soon after its addition. */
  readonly shortLived: ShortLivedDepth
  /** Number of contiguous segments so far. Each segment has its own market. */
  stretch = 0
  readonly #window: { from: number; to: number }
  readonly #steps: Iterator<HistoryStep>
  readonly #watched: Pick<WatchedTrades, 'admits'>
  readonly #names = new StoredNames()
  #pending: Extract<HistoryStep, { kind: 'SAMPLE' }> | null = null
  #watch = new RecoveryWatch()
  #memory = new PriceMemory(ownMeanSeconds)
  #before: MarketLevel | null = null
  #lastSeen = 0

  constructor(
    history: VenueHistory,
    moments: readonly number[],
    window: { from: number; to: number },
    watched: Pick<WatchedTrades, 'admits'>,
  ) {
    this.history = history
    this.#window = window
    this.shortLived = new ShortLivedDepth(window)
    this.#watched = watched
    this.#steps = walkHistory(history, moments)
  }

  /** The market at a moment; null if not observed. Calls must be in ascending order. */
  at(moment: number): MarketFollower | null {
    for (;;) {
      const step = this.#pending ?? this.#next()
      this.#pending = null
      if (step === null) return null
      if (step.kind !== 'SAMPLE') {
        this.#pass(step)
        continue
      }
      if (step.at > moment) {
        this.#pending = step
        return null
      }
      if (step.at < moment) continue
      this.#note(moment, step.market)
      return step.market
    }
  }

  /** Walks to the last observation in the window. */
  finish(): void {
    for (let step = this.#next(); step !== null; step = this.#next()) {
      if (step.kind !== 'SAMPLE') this.#pass(step)
    }
    this.#close()
  }

  /** Distance of ln price from its own mean of half an hour, as pips beyond the fee; null without a price. */
  ownDeviationPips(market: MarketFollower): number | null {
    const { orientation, feePips } = this.history
    if (market.mid(orientation) === null) return null
    const gap = Math.abs(this.#memory.latest - this.#memory.average(ownMeanSeconds))
    return Math.max(0, Math.round(gap * 1_000_000) - feePipsOf({ market, orientation, feePips }))
  }

  /** Stops at the first event after the window, so later data cannot affect the score. */
  #next(): HistoryStep | null {
    const { done, value } = this.#steps.next()
    if (done === true) return null
    const isAfter = 'event' in value && (value.event.timestamp ?? 0) > this.#window.to
    return isAfter ? null : value
  }

  #pass(step: Exclude<HistoryStep, { kind: 'SAMPLE' }>): void {
    if (step.kind === 'HOLE') {
      this.#close()
      this.stretch += 1
      return
    }
    const { event, market } = step
    const at = event.timestamp ?? 0
    const depth = () => this.#levelOf(market)?.depth ?? 0
    if (step.kind === 'REMOVAL') {
      this.shortLived.remove(event, depth)
      return
    }
    if (step.kind === 'BEFORE') {
      this.#before = this.#isInside(at) && this.#isWatched(event) ? this.#levelOf(market) : null
      return
    }
    this.shortLived.pass(event, depth)
    this.#note(at, market)
    const mid = market.mid(this.history.orientation)
    if (mid !== null) this.#watch.look(at, toNumber(mid), () => this.#depthOf(market))
    const size = this.#isInside(at) ? this.#traded(event) : null
    if (size !== null) this.#trade(event, size, market)
  }

  #trade(event: SealedEvent, { base, volumeQuote }: TradeSize, market: MarketFollower): void {
    const at = event.timestamp ?? 0
    const { origin, sender = '', recipient = '' } = event
    const before = this.#before
    // Depth is expensive to compute, so untracked trades skip it.
    const after = before === null ? null : this.#levelOf(market)
    const noted = { at, sizeQuote: volumeQuote, place: this.trades.length }
    if (before !== null && after !== null) this.#watch.trade(noted, before, after)
    this.trades.push({
      venueId: this.history.venueId,
      at,
      block: event.block,
      position: event.logIndex ?? 0,
      base,
      volumeQuote,
      origin: origin === undefined ? null : this.#names.of(origin),
      sender: this.#names.of(sender),
      recipient: this.#names.of(recipient),
    })
  }

  #isWatched(event: SealedEvent): boolean {
    const { venueId } = this.history
    const key = tradeKey(venueId, event.block, event.logIndex ?? 0)
    return this.#watched.admits(this.#traded(event)?.volumeQuote ?? 0n, key)
  }

  #traded(event: SealedEvent): TradeSize | null {
    return tradedBy(event, this.history.orientation)
  }

  /** The window is half-open: a trade at its end belongs to the next one. */
  #isInside(at: number): boolean {
    return at >= this.#window.from && at < this.#window.to
  }

  #levelOf(market: MarketFollower): MarketLevel | null {
    const mid = market.mid(this.history.orientation)
    return mid === null ? null : { depth: this.#depthOf(market), mid: toNumber(mid) }
  }

  #depthOf(market: MarketFollower): number {
    return Math.min(
      ...market.depth(this.history.orientation, [bandPips]).map(({ quote }) => Number(quote)),
    )
  }

  #note(at: number, market: MarketFollower): void {
    this.#lastSeen = at
    const mid = market.mid(this.history.orientation)
    if (mid !== null) this.#memory.note(at, mid)
  }

  /** Stops tracking recoveries at the end of a stretch, because later recovery is unobserved. */
  #close(): void {
    this.shortLived.forget()
    this.#watch.stop(this.#lastSeen)
    this.recoveries.push(...this.#watch.recoveries())
    this.#watch = new RecoveryWatch()
    this.#memory = new PriceMemory(ownMeanSeconds)
    this.#before = null
  }
}

/** A price as a float. */
export function toNumber({ num, den }: Rat): number {
  return Number(num) / Number(den)
}
