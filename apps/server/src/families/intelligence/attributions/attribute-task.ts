import { type Market, marketToJson, type PoolMarket } from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import {
  averagePrice,
  branchSize,
  decomposeByPrices,
  decomposeRoute,
  type FillCosts,
  type FillTerms,
  legPrice,
  marketWithout,
  type RouteLeg,
  routePrice,
} from '@liquidity-os/engine/attribution'
import { type PoolEvent, type Replay, startReplay } from '@liquidity-os/engine/replay'
import { canonicalize } from '@liquidity-os/evidence'
import { parseExact } from '../../../market/exact-json.ts'
import { eventsOf } from '../../../market/sealed-events.ts'

/** Market state before the first event: complete, or a sealed state with the events since. */
export type TaskStart =
  | { readonly market: PoolMarket }
  | {
      readonly sealed: Uint8Array
      readonly events: readonly Uint8Array[]
      readonly beforeBlock: number
    }

/** Events of one pool in the block of a fill, up to the last leg of the fill. */
export interface TaskPool {
  readonly start: TaskStart
  readonly events: readonly PoolEvent[]
  /** Index of the first Swap of a sandwich; null without a sandwich. */
  readonly front: number | null
  /**
   * True if the start state lacks the ticks of the pool. Every swap must then prove that it crossed
   * none.
   */
  readonly isSingleRange: boolean
  readonly feePips: number
}

/** One leg of a fill: its pool and the index of its Swap among the pool's events. */
export type TaskLeg = Omit<RouteLeg, 'market'> & { readonly event: number }

export interface TaskFill extends FillTerms {
  readonly branches: readonly (readonly TaskLeg[])[]
  readonly pools: ReadonlyMap<string, TaskPool>
  /** True if all blocks were searched for sandwiches. Otherwise their absence is unproven. */
  readonly isSearched: boolean
  /** Gas cost in wei if the base is the native asset; added at the price before the fill. */
  readonly gasAtBasePrice: bigint | null
}

/** Reason why impact and sandwich loss are combined. */
type Undivided =
  | 'STATE_UNAVAILABLE'
  | 'MARKET_NOT_REPRODUCED'
  | 'COUNTERFACTUAL_UNKNOWN'
  | 'SANDWICHES_NOT_SEARCHED'

export interface FillAnswer {
  readonly costs: FillCosts
  /** Reason impact and sandwich loss cannot be separated, or null. */
  readonly reason: Undivided | null
  /** Route price without the attacker, at the fill, and after it. */
  readonly before: Rat
  readonly atFill: Rat
  readonly after: Rat
  /** The start of every pool, as canonical JSON. */
  readonly starts: ReadonlyMap<string, Uint8Array>
}

/** Decomposes fill costs. Pure: equal tasks give equal answers on every machine. */
export default function attributeFills(fills: readonly TaskFill[]): FillAnswer[] {
  return fills.map(attributeFill)
}

/** A pool at the time of the legs of a fill. */
interface Watched {
  readonly start: PoolMarket
  readonly isExact: boolean
  /** The market before each event of a leg or of the attacker's first swap. */
  readonly before: ReadonlyMap<number, PoolMarket>
  readonly after: PoolMarket
}

function attributeFill(fill: TaskFill): FillAnswer {
  const legs = fill.branches.flat()
  const watched = new Map(
    [...fill.pools].map(([name, pool]) => {
      const events = legs.filter((leg) => leg.pool === name).map(({ event }) => event)
      return [name, watch(pool, events)] as const
    }),
  )
  const firstOf = (name: string) =>
    Math.min(...legs.filter(({ pool }) => pool === name).map(({ event }) => event))
  // Every leg uses a pool of the fill, and the replay captured it at the leg's event.
  const at = (name: string, event: number) => watched.get(name)!.before.get(event)!
  const pricesAtFill = pricesOf(fill, (leg) => at(leg.pool, firstOf(leg.pool)))
  const after = pricesOf(fill, (leg) => watched.get(leg.pool)!.after)
  const branches = fill.branches.map((route) =>
    route.map((leg): RouteLeg => ({ ...leg, market: at(leg.pool, leg.event) })),
  )
  const withoutFront = counterfactuals(fill, watched, firstOf)
  const isExact = [...watched.values()].every((pool) => pool.isExact)
  const isKnown = isExact && fill.isSearched && withoutFront !== 'UNKNOWN'
  // If the market without the attacker cannot be computed, the price before the attack is used.
  const unpushed = pricesOf(fill, (leg) =>
    at(leg.pool, fill.pools.get(leg.pool)!.front ?? firstOf(leg.pool)),
  )
  const before = isKnown
    ? pricesOf(fill, (leg) => withoutFront?.get(leg.pool) ?? at(leg.pool, firstOf(leg.pool)))
    : unpushed
  const bases = branches.map((route) => branchSize(fill.side, route).base)
  const priceOfAll = (prices: readonly (readonly Rat[])[]) =>
    averagePrice(bases, prices.map(routePrice))
  const terms = { ...fill, gasQuote: gasOf(fill, priceOfAll(before)) }
  const costs = isKnown
    ? decomposeRoute({ ...terms, branches }, withoutFront)
    : decomposeByPrices({
        ...terms,
        branches: branches.map((route, branch) =>
          route.map((leg, index) => ({
            ...leg,
            price: before[branch]![index]!,
            feePips: fill.pools.get(leg.pool)!.feePips,
          })),
        ),
      })
  return {
    costs,
    reason: reasonOf(fill, isExact, isKnown),
    before: priceOfAll(before),
    atFill: priceOfAll(pricesAtFill),
    after: priceOfAll(after),
    starts: new Map(
      [...watched].map(([name, { start }]) => [
        name,
        new TextEncoder().encode(canonicalize(marketToJson(start))),
      ]),
    ),
  }
}

function reasonOf(fill: TaskFill, isExact: boolean, isKnown: boolean): FillAnswer['reason'] {
  if (isKnown) return null
  if (isExact) return fill.isSearched ? 'COUNTERFACTUAL_UNKNOWN' : 'SANDWICHES_NOT_SEARCHED'
  const isGuessed = [...fill.pools.values()].some(({ isSingleRange }) => isSingleRange)
  return isGuessed ? 'STATE_UNAVAILABLE' : 'MARKET_NOT_REPRODUCED'
}

/** Replays the events of a pool and captures the market before the relevant ones. */
function watch(
  { start, events, front, isSingleRange }: TaskPool,
  legs: readonly number[],
): Watched {
  const first = startOf(start)
  const replay = startReplay(first, { positions: 'PARTIAL' })
  const isPair = first.kind === 'UNISWAP_V2'
  const wanted = new Set([...legs, ...(front === null ? [] : [front])])
  const before = new Map<number, PoolMarket>()
  let isExact = true
  for (const [index, event] of events.entries()) {
    // The Sync of a pair precedes the Swap of the same call.
    const call = isPair && event.type === 'Sync' ? index + 1 : index
    if (wanted.has(call) && !before.has(call)) before.set(call, replay.final())
    const { status } = replay.apply(event)
    const mustFit = wanted.has(index) || (isSingleRange && event.type === 'Swap')
    if (mustFit && status !== 'EXACT') isExact = false
  }
  return { start: first, isExact, before, after: replay.final() }
}

function startOf(start: TaskStart): PoolMarket {
  if ('market' in start) return start.market
  const text = new TextDecoder().decode(start.sealed)
  const replay: Replay = startReplay(parseExact(text) as PoolMarket, {
    positions: 'PARTIAL',
  })
  for (const event of eventsOf(start.events)) {
    if (event.block >= start.beforeBlock) break
    replay.apply(event)
  }
  return replay.final()
}

/**
 * Sandwiched markets without the attacker, as the first leg would find them. Null without a
 * sandwich, UNKNOWN if one cannot be computed.
 */
function counterfactuals(
  { pools }: TaskFill,
  watched: ReadonlyMap<string, Watched>,
  firstOf: (pool: string) => number,
): ReadonlyMap<string, Market> | 'UNKNOWN' | null {
  const markets = new Map<string, Market>()
  for (const [name, { front, events }] of pools) {
    const pool = watched.get(name)
    if (front === null || !pool) continue
    const first = firstOf(name)
    const end = pool.start.kind === 'UNISWAP_V2' ? first - 1 : first
    const market = marketWithout(pool.start, events.slice(0, end), front)
    if (market === null) return 'UNKNOWN'
    markets.set(name, market)
  }
  return markets.size === 0 ? null : markets
}

function pricesOf(
  { side, branches }: TaskFill,
  marketOf: (leg: TaskLeg) => Market,
): readonly (readonly Rat[])[] {
  return branches.map((route) => route.map((leg) => legPrice(side, marketOf(leg), leg)))
}

function gasOf({ gasQuote, gasAtBasePrice }: TaskFill, price: Rat): bigint | null {
  return gasAtBasePrice === null ? gasQuote : (gasAtBasePrice * price.num) / price.den
}
