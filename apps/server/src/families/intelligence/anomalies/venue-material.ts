import { type BlockAction, type PoolPlace, principalAt } from '@liquidity-os/engine/detection'
import { exp } from '@liquidity-os/engine/numerics'
import type { MarketFollower } from '@liquidity-os/engine/replay'
import { feePipsOf, type TapeTrade } from '@liquidity-os/engine/scoring'
import { PriceMemory } from '@liquidity-os/engine/strategy'
import { isMatching } from '../../../market/own-positions.ts'
import { StoredNames } from '../../../market/stored-names.ts'
import { type TradeSize, tradedBy } from '../../../market/traded-by.ts'
import { type SealedEvent, type VenueHistory, walkHistory } from '../../../market/venue-history.ts'
import { hourSeconds } from '../../../units.ts'

/** A tracked position of the issuer. */
export interface OwnedRange {
  /** Id in subjects and contributors. */
  readonly ref: string
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
  /**
   * Observed readings of a position token; null if the pool credits the position directly to the
   * owner.
   */
  readonly course: readonly TokenReading[] | null
}

export interface TokenReading {
  /** Unix seconds; ascending in a course. */
  readonly at: number
  readonly liquidity: bigint
  /** True if the issuer held the token. */
  readonly isOwn: boolean
}

export interface Reading {
  readonly at: number
  /** Readings of one contiguous part. */
  readonly stretch: number
  /** When the stretch began. */
  readonly since: number
  /** Thinner side of the 2 % depth, quote atoms. */
  readonly depth: bigint
  /**
   * Quote atoms per base atom, times 10^36. Null without a price, or if the price rounds to zero.
   */
  readonly priceX36: bigint | null
  /** ln of the price, and its mean over the half hour before; null without a price. */
  readonly lnPrice: number | null
  readonly lnMean: number | null
  /** Fee on the first atom of a swap at this moment. */
  readonly feePips: number
  /** Current price position of a v3 pool; null for other markets. */
  readonly place: PoolPlace | null
  /** Liquidity of the owned ranges, in the same order; null for a token without a reading. */
  readonly owned: readonly (bigint | null)[]
  /** In quote atoms. Read hourly and cached in between. */
  readonly valueLocked: bigint | null
}

export interface VenueTrade extends TapeTrade {
  readonly stretch: number
}

/**
 * A spot price at the end of a block and the mean before it, quote atoms per base atom times 10^36.
 */
export interface PricePoint {
  readonly at: number
  readonly block: number
  readonly spotX36: bigint
  readonly averageX36: bigint
}

/**
 * A change of an owned range with the pool price at that time. Added base is positive, removed base
 * is negative.
 */
export interface OwnedChange {
  readonly at: number
  readonly range: number
  readonly liquidity: bigint
  readonly base: bigint
  readonly place: PoolPlace
  /** True if the position itself changed owner, with its contents. */
  readonly isTransfer: boolean
}

/** A Burn with the account that removed the liquidity. */
export interface Withdrawal {
  readonly at: number
  readonly owner: string
  readonly liquidity: bigint
}

/** All detector inputs of one venue over a window, read in one walk. */
export interface VenueMaterial {
  readonly history: VenueHistory
  /** By time; unobserved times are missing. */
  readonly readings: ReadonlyMap<number, Reading>
  readonly trades: readonly VenueTrade[]
  readonly actions: readonly (BlockAction & { at: number })[]
  readonly prices: readonly PricePoint[]
  readonly ownedChanges: readonly OwnedChange[]
  readonly withdrawals: readonly Withdrawal[]
}

const bandPips = 20_000
/** Length of the window for a price mean, in seconds. */
export const meanSeconds = hourSeconds / 2
const X36 = 10n ** 36n

type RangeEvent = Extract<SealedEvent, { tickLower: number; type: 'Mint' | 'Burn' }>

/** @param moments Unix seconds, ascending */
export function collectMaterial(
  history: VenueHistory,
  owned: readonly OwnedRange[],
  moments: readonly number[],
): VenueMaterial {
  const collector = new Collector(history, owned)
  for (const step of walkHistory(history, moments)) {
    if (step.kind === 'HOLE') collector.begin()
    else if (step.kind === 'SAMPLE') collector.read(step.at, step.market)
    else if (step.kind === 'EVENT') collector.note(step.event, step.market)
    else if (step.kind === 'BEFORE') collector.meet(step.market)
  }
  return collector
}

class Collector implements VenueMaterial {
  readonly readings = new Map<number, Reading>()
  readonly trades: VenueTrade[] = []
  readonly actions: (BlockAction & { at: number })[] = []
  readonly prices: PricePoint[] = []
  readonly ownedChanges: OwnedChange[] = []
  readonly withdrawals: Withdrawal[] = []
  readonly history: VenueHistory
  readonly #owned: readonly OwnedRange[]
  readonly #names = new StoredNames()
  #stretch = 0
  #since = 0
  #isNew = true
  #memory = new PriceMemory(meanSeconds)
  #place: PoolPlace | null = null
  #liquidity: (bigint | null)[] = []
  #depth: { version: number; value: bigint } | null = null
  #locked: { version: number; hour: number; value: bigint | null } | null = null

  constructor(history: VenueHistory, owned: readonly OwnedRange[]) {
    this.history = history
    this.#owned = owned
  }

  begin(): void {
    this.#since = this.history.stretches[this.#stretch]?.from ?? 0
    this.#stretch += 1
    this.#isNew = true
    this.#memory = new PriceMemory(meanSeconds)
    this.#depth = null
    this.#locked = null
  }

  /** Reads initial data that later events do not repeat. */
  meet(market: MarketFollower): void {
    if (!this.#isNew) return
    this.#isNew = false
    const state = market.market()
    const isPool = state.kind === 'UNISWAP_V3'
    this.#place = isPool ? { sqrtPriceX96: state.sqrtPriceX96, tick: state.tick } : null
    const positions = isPool ? state.positions : []
    this.#liquidity = this.#owned.map((range) =>
      range.course === null
        ? positions
            .filter((position) => isMatching(position, range))
            .reduce((sum, { liquidity }) => sum + liquidity, 0n)
        : ownIn(readingAt(range.course, this.#since)),
    )
    const mid = market.mid(this.history.orientation)
    if (mid !== null) this.#memory.note(this.#since, mid)
  }

  read(at: number, market: MarketFollower): void {
    this.meet(market)
    this.#followTokens(at)
    const { orientation, feePips } = this.history
    const mid = market.mid(orientation)
    if (mid !== null) this.#memory.note(at, mid)
    this.readings.set(at, {
      at,
      stretch: this.#stretch,
      since: this.#since,
      depth: this.#depthOf(market),
      priceX36: mid === null ? null : (mid.num * X36) / mid.den || null,
      lnPrice: mid === null ? null : this.#memory.latest,
      lnMean: mid === null ? null : this.#memory.average(meanSeconds),
      feePips: feePipsOf({ market, orientation, feePips }),
      place: this.#place,
      owned: [...this.#liquidity],
      valueLocked: this.#lockedAt(at, market),
    })
  }

  /** An event, after it was applied. */
  note(event: SealedEvent, market: MarketFollower): void {
    this.meet(market)
    const at = event.timestamp ?? this.#since
    const trade = tradedBy(event, this.history.orientation)
    if (trade !== null) this.#trade(at, event, trade)
    else if ('tickLower' in event && event.type !== 'Collect') this.#change(at, event as RangeEvent)
    if ('sqrtPriceX96' in event) {
      this.#place = { sqrtPriceX96: event.sqrtPriceX96, tick: event.tick ?? this.#place?.tick ?? 0 }
    }
    const mid = market.mid(this.history.orientation)
    if (mid === null) return
    const mean = this.#memory.average(meanSeconds)
    this.#memory.note(at, mid)
    if (trade !== null) {
      // The mean before this block: the reference for the price deviation.
      const spotX36 = (mid.num * X36) / mid.den
      const last = this.prices.at(-1)
      if (last?.block === event.block) this.prices.pop()
      this.prices.push({
        at,
        block: event.block,
        spotX36,
        averageX36: averageOf(spotX36, this.#memory.latest - mean),
      })
    }
  }

  #trade(at: number, event: SealedEvent, { base, volumeQuote }: TradeSize): void {
    const { block, origin, sender = '', recipient = '' } = event
    this.trades.push({
      venueId: this.history.venueId,
      at,
      block,
      position: event.logIndex ?? 0,
      base,
      volumeQuote,
      stretch: this.#stretch,
      origin: origin === undefined ? null : this.#names.of(origin),
      sender: this.#names.of(sender),
      recipient: this.#names.of(recipient),
    })
    if (event.type === 'Swap' && 'tick' in event && this.#place) {
      const ticks = { tickBefore: this.#place.tick, tickAfter: event.tick }
      this.actions.push({ kind: 'SWAP', at, block, volumeQuote, ...ticks })
    }
  }

  #change(at: number, event: RangeEvent): void {
    const { tickLower, tickUpper, liquidity, type, block } = event
    const kind = type === 'Mint' ? ('MINT' as const) : ('BURN' as const)
    if (liquidity === 0n) return
    const owner = this.#names.of(event.owner)
    this.actions.push({ kind, at, block, owner, tickLower, tickUpper, liquidity })
    if (kind === 'BURN') this.withdrawals.push({ at, owner, liquidity })
    for (const [range, owned] of this.#owned.entries()) {
      if (owned.course !== null || !isMatching(event, owned) || this.#place === null) continue
      const signed = kind === 'MINT' ? liquidity : -liquidity
      const amount = (this.history.orientation.base === 0 ? event.amount0 : event.amount1) ?? 0n
      const base = kind === 'MINT' ? amount : -amount
      this.#liquidity[range] = (this.#liquidity[range] ?? 0n) + signed
      const change = { at, range, liquidity: signed, base, place: this.#place }
      this.ownedChanges.push({ ...change, isTransfer: false })
    }
  }

  /** Observations read position tokens only at their end. A reading applies until the next one. */
  #followTokens(at: number): void {
    for (const [range, { course, ...ticks }] of this.#owned.entries()) {
      if (course === null || this.#place === null) continue
      const reading = readingAt(course, at)
      const [before, now] = [this.#liquidity[range] ?? null, ownIn(reading)]
      this.#liquidity[range] = now
      if (reading === null || before === null || now === null || before === now) continue
      const change = now - before
      const size = change > 0n ? change : -change
      const { amount0, amount1 } = principalAt({ ...ticks, liquidity: size }, this.#place)
      const amount = this.history.orientation.base === 0 ? amount0 : amount1
      this.ownedChanges.push({
        at: reading.at,
        range,
        liquidity: change,
        base: change > 0n ? amount : -amount,
        place: this.#place,
        isTransfer: isHandedOver(course, reading),
      })
    }
  }

  #depthOf(market: MarketFollower): bigint {
    if (this.#depth?.version !== market.version) {
      const [buy = 0n, sell = 0n] = market
        .depth(this.history.orientation, [bandPips])
        .map(({ quote }) => quote)
      this.#depth = { version: market.version, value: buy < sell ? buy : sell }
    }
    return this.#depth.value
  }

  #lockedAt(at: number, market: MarketFollower): bigint | null {
    const now = Math.floor(at / hourSeconds)
    const known = this.#locked
    if (known && (known.hour === now || known.version === market.version)) return known.value
    const value = market.valueLocked(this.history.orientation)
    this.#locked = { version: market.version, hour: now, value }
    return value
  }
}

/** The last reading at or before a moment. */
const readingAt = (course: readonly TokenReading[], at: number): TokenReading | null =>
  course.findLast((reading) => reading.at <= at) ?? null

const ownIn = (reading: TokenReading | null): bigint | null =>
  reading === null ? null : reading.isOwn ? reading.liquidity : 0n

const isHandedOver = (course: readonly TokenReading[], reading: TokenReading): boolean =>
  (course[course.indexOf(reading) - 1]?.isOwn ?? reading.isOwn) !== reading.isOwn

/**
 * Mean price, from the current price and its distance in ln. Precise enough for pips at any scale,
 * and never zero.
 *
 * @param lnDistance ln(price / mean)
 */
export function averageOf(price: bigint, lnDistance: number): bigint {
  const ratio = BigInt(Math.max(1, Math.round(exp(lnDistance) * 1e12)))
  return (price * 10n ** 12n) / ratio || 1n
}
