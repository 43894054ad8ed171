import {
  type ClmmState,
  type CpmmState,
  midPrice,
  type Orientation,
} from '@liquidity-os/engine/amm'
import {
  type ExecutionLeg,
  type ExecutionShares,
  type ExecutionSource,
  type ExecutionSplit,
  limitsOf,
  pays,
  type QuoteSource,
  sandwichExposure,
  splitExactIn,
  splitExactOut,
} from '@liquidity-os/engine/execution'
import { routeOf } from '@liquidity-os/engine/routing'
import { parseExact } from '../../../../market/exact-json.ts'

/** A pool as plain data: crosses a thread boundary. */
export interface TravellingPool {
  readonly sourceId: string
  readonly state: Uint8Array
  readonly orientation: Orientation
  /** Gas cost in atoms of the output token. */
  readonly gasBuy: bigint
}

/** An order and all sources that can fill it. */
export interface PlanTask {
  readonly side: 'BUY' | 'SELL'
  readonly amountKind: 'EXACT_IN' | 'EXACT_OUT'
  readonly amount: bigint
  /** Maximum input for an exact output. */
  readonly maxInput: bigint
  readonly shares: ExecutionShares
  readonly quotes: readonly QuoteSource[]
  readonly pools: readonly TravellingPool[]
  /** Of legs over pools. */
  readonly slippagePips: number
}

export interface PlannedLeg {
  readonly sourceId: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly minimumOut: bigint
  /** Marginal output of the last part of the input, as a fraction; null if zero. */
  readonly marginal: { readonly amountIn: bigint; readonly amountOut: bigint } | null
  readonly sandwich: {
    readonly bound: bigint
    readonly found: bigint
    readonly frontRun: bigint
    /** The bound in atoms of the quote at the middle price of the pool, rounded up. */
    readonly boundQuote: bigint
  } | null
}

export type PlanAnswer =
  | { readonly refused: { readonly largest: bigint; readonly reason: string } }
  | {
      readonly refused: null
      readonly legs: readonly PlannedLeg[]
      readonly amountIn: bigint
      readonly amountOut: bigint
      readonly optimality: ExecutionSplit['optimality']
      readonly gasBuy: bigint
      readonly bestSingle: { readonly sourceId: string; readonly amountOut: bigint } | null
    }

interface OpenPool extends TravellingPool {
  readonly market: CpmmState | ClmmState
}

/** Splits an order over the sources of a set. Pure: the same set gives the same plan. */
export default function planExecution(task: PlanTask): PlanAnswer {
  const pools = task.pools.map((pool): OpenPool => {
    const text = new TextDecoder().decode(pool.state)
    // This family sealed it as the state of a v2 or v3 pool.
    return { ...pool, market: parseExact(text) as CpmmState | ClmmState }
  })
  const sources: ExecutionSource[] = [
    ...task.quotes,
    ...pools.map(({ sourceId, market, orientation, gasBuy }) => ({
      kind: 'POOL' as const,
      sourceId,
      gasBuy,
      route: routeOf(market, directionOf(task, orientation)),
    })),
  ]
  const split = splitOf(task, sources)
  if ('refused' in split) return split
  const byId = new Map(pools.map((pool) => [pool.sourceId, pool]))
  return {
    refused: null,
    legs: split.legs.map((leg) => plannedLeg(task, leg, byId.get(leg.source.sourceId) ?? null)),
    amountIn: split.amountIn,
    amountOut: split.amountOut,
    gasBuy: split.gasBuy,
    optimality: split.optimality,
    bestSingle: bestSingle(sources, split.amountIn),
  }
}

const directionOf = ({ side }: PlanTask, { base, quote }: Orientation) =>
  side === 'SELL' ? { from: base, to: quote } : { from: quote, to: base }

function splitOf(task: PlanTask, sources: readonly ExecutionSource[]) {
  if (sources.length === 0) return { refused: { largest: 0n, reason: 'CAPACITY' } }
  if (task.amountKind === 'EXACT_IN') {
    const split = splitExactIn(sources, task.amount, limitsOf(task.shares, task.amount))
    return 'unfillable' in split ? { refused: split.unfillable } : split
  }
  const split = splitExactOut(sources, task.amount, task.shares, task.maxInput)
  return 'largestOutput' in split
    ? { refused: { largest: split.largestOutput, reason: 'CAPACITY' } }
    : split
}

const million = 1_000_000n

function plannedLeg(task: PlanTask, leg: ExecutionLeg, pool: OpenPool | null): PlannedLeg {
  const { source, amountIn, amountOut } = leg
  const min = (amountOut * (million - BigInt(task.slippagePips)) + million - 1n) / million
  // At least 1, because a minimum of 0 protects no one.
  const minimumOut = pool === null ? amountOut : min < 1n ? 1n : min
  return {
    sourceId: source.sourceId,
    amountIn,
    amountOut,
    minimumOut,
    marginal: marginalOf(leg),
    sandwich: pool && sandwichOf(task, pool, amountIn, minimumOut),
  }
}

/** Output of the last thousandth of the input. */
function marginalOf({ source, amountIn, amountOut }: ExecutionLeg): PlannedLeg['marginal'] {
  if (source.kind === 'QUOTE') return { amountIn, amountOut }
  const part = amountIn / 1_000n + 1n
  const before = part >= amountIn ? 0n : pays(source, amountIn - part)
  const more = before === null ? 0n : amountOut - before
  return more === 0n ? null : { amountIn: part < amountIn ? part : amountIn, amountOut: more }
}

function sandwichOf(
  task: PlanTask,
  { market, orientation }: OpenPool,
  amountIn: bigint,
  minimumOut: bigint,
): PlannedLeg['sandwich'] {
  const d = directionOf(task, orientation)
  const { bound, found } = sandwichExposure(market, d, amountIn, minimumOut)
  const mid = midPrice(market, orientation)
  const boundQuote = task.side === 'BUY' ? bound : (bound * mid.num + mid.den - 1n) / mid.den
  return { bound, found: found.profit, frontRun: found.frontRunIn, boundQuote }
}

/** The single source with the best net output for the full amount; null if no source accepts it. */
function bestSingle(sources: readonly ExecutionSource[], amountIn: bigint) {
  let best: { sourceId: string; amountOut: bigint; net: bigint } | null = null
  for (const source of sources) {
    const isTaken =
      source.kind === 'POOL' || (amountIn >= source.minimumFill && amountIn <= source.sellAmount)
    const amountOut = isTaken ? pays(source, amountIn) : null
    if (amountOut === null) continue
    const net = amountOut - source.gasBuy
    if (best === null || net > best.net) best = { sourceId: source.sourceId, amountOut, net }
  }
  return best && { sourceId: best.sourceId, amountOut: best.amountOut }
}
