import {
  type LoggedMarket,
  type Orientation,
  priceOrNull,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import { type Fidelity, type MarketEvent, startReplay } from '@liquidity-os/engine/replay'
import { canonicalize, merkleRoot } from '@liquidity-os/evidence'
import type { IndexedEvent } from '../../../integrations/chain/logs.ts'
import { midPriceOf } from '../../../market/mid-price.ts'
import { priceAfter } from './quote-value.ts'
import { StablePoolTracker } from './stable-course.ts'
import { swapAccount } from './swap-account.ts'

/** A sample instant and the number of events before it. Replaying these events gives the market. */
export interface Sample {
  at: number
  events: number
  midX18: string | null
  midX36: string | null
}

export interface Recorded {
  final: LoggedMarket
  /** Fields of `final` that the events do not determine. */
  undetermined: readonly string[]
  fidelity: Fidelity
  counts: Record<string, number>
  eventsRoot: string
  /** One canonical event per line. */
  eventLines: Buffer
  samples: Sample[]
  volumeQuote: bigint
  feesQuote: bigint
  trades: number
  /** Number of distinct trade signers; null if a signer is unknown. */
  traders: number | null
}

const encoder = new TextEncoder()

/**
 * Replays events during the read and collects the sealed data: events as canonical JSON, market
 * samples, volume and fees.
 */
export class EventRecorder {
  readonly #replay: ReturnType<typeof startReplay>
  readonly #side: Orientation
  /** Set for a StableSwap pool, whose events contain no price; else null. */
  readonly #course: StablePoolTracker | null
  readonly #cadenceSeconds: number
  readonly #counts: Record<string, number> = {}
  readonly #lines: Uint8Array[] = []
  readonly #samples: Sample[] = []
  #nextSampleAt: number
  #volumeQuote = 0n
  #feesQuote = 0n
  #trades = 0
  /** Null once a trade has no known signer. */
  #origins: Set<string> | null = new Set()
  readonly #feePips: bigint
  #price: Rat | null

  /** @param from time of the start state in Unix seconds; samples count from here */
  constructor(options: {
    start: LoggedMarket
    side: Orientation
    cadenceSeconds: number
    from: number
    feePips: number
  }) {
    this.#replay = startReplay(options.start)
    this.#side = options.side
    this.#cadenceSeconds = options.cadenceSeconds
    this.#nextSampleAt = Math.ceil(options.from / options.cadenceSeconds) * options.cadenceSeconds
    this.#feePips = BigInt(options.feePips)
    this.#price = priceOrNull(options.start, options.side)
    const { start, side } = options
    this.#course = start.kind === 'STABLESWAP' ? new StablePoolTracker(start, side) : null
  }

  get events(): number {
    return this.#lines.length
  }

  record({ event, blockHash, transactionHash, parties }: IndexedEvent<MarketEvent>): void {
    this.#sampleUntil(event.timestamp ?? 0)
    const stored = toJsonSafe({ ...event, line: undefined, blockHash, transactionHash, ...parties })
    this.#lines.push(encoder.encode(canonicalize(stored)))
    this.#counts[event.type] = (this.#counts[event.type] ?? 0) + 1
    const tradesBefore = this.#trades
    if (this.#course !== null) this.#pass(this.#course, event)
    else {
      this.#replay.apply(event)
      // Reads the price from the event. Querying the market would cost time proportional to its
      // size.
      this.#price = priceAfter(event, this.#side) ?? this.#price
      this.#account(event)
    }
    if (this.#trades === tradesBefore) return
    if (parties.origin === undefined) this.#origins = null
    else this.#origins?.add(parties.origin)
  }

  /** @param until Unix seconds: time of the last block of the range */
  finish(until: number): Recorded {
    this.#sampleUntil(until + 1)
    return {
      final: this.#replay.final(),
      undetermined: this.#replay.undetermined(),
      fidelity: this.#replay.fidelity(),
      counts: this.#counts,
      eventsRoot: merkleRoot(this.#lines),
      eventLines: Buffer.concat(this.#lines.flatMap((line) => [line, newline])),
      samples: this.#samples,
      volumeQuote: this.#volumeQuote,
      feesQuote: this.#feesQuote,
      trades: this.#trades,
      traders: this.#origins?.size ?? null,
    }
  }

  /** A sample shows the market after all events before its time. */
  #sampleUntil(seconds: number): void {
    while (this.#nextSampleAt < seconds) {
      const price = this.#course ? this.#course.priceAt(this.#nextSampleAt) : this.#price
      const { midX18, midX36 } = price ? midPriceOf(price) : { midX18: null, midX36: null }
      this.#samples.push({ at: this.#nextSampleAt, events: this.#lines.length, midX18, midX36 })
      this.#nextSampleAt += this.#cadenceSeconds
    }
  }

  #pass(course: StablePoolTracker, event: MarketEvent): void {
    const trade = course.trade(event)
    if (trade !== null) {
      this.#trades += 1
      this.#volumeQuote += trade.volumeQuote
      this.#feesQuote += trade.feesQuote
    }
    const { status } = this.#replay.apply(event)
    const pool = this.#replay.final()
    course.moveTo(status === 'EXACT' && pool.kind === 'STABLESWAP' ? pool : null)
  }

  #account(event: MarketEvent): void {
    const trade = swapAccount(event, this.#side, this.#feePips, this.#price)
    if (trade === null) return
    this.#trades += 1
    this.#volumeQuote += trade.volumeQuote
    this.#feesQuote += trade.feesQuote
  }
}

const newline = encoder.encode('\n')
