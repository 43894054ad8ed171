import type { ClmmState, Orientation } from '@liquidity-os/engine/amm'
import { splitDepthChange } from '@liquidity-os/engine/detection'
import { type ClmmEvent, followMarket } from '@liquidity-os/engine/replay'
import { parseExact } from '../../../../market/exact-json.ts'
import { observeReturns } from '../../../../market/observed-returns.ts'
import { eventsOf } from '../../../../market/sealed-events.ts'
import { minuteSeconds, yearSeconds } from '../../../../units.ts'
import { type ReplayTask, runReplayTask } from '../../../simulate/studies/api.ts'
import { depthBandPips } from './simulate-moment-task.ts'

/** Plain data: crosses a thread boundary. */
export interface RealizeMomentTask {
  /** One arm on observed events. Its window begins after the study's start block. */
  readonly replay: ReplayTask
  /** Unix seconds, inclusive. */
  readonly until: number
}

/** The realized candidate under one flow model; amounts in quote atoms. */
export interface RealizedArm {
  readonly flowModel: string
  readonly netVsHold: bigint
  readonly fees: bigint
  /** Thinner side of the observed market with the arm's liquidity added. */
  readonly depth: bigint
  readonly baseSharePips: bigint
  readonly course: readonly { at: number; netVsHold: bigint; baseSharePips: bigint }[]
}

/** Realized result of the arm and its market, or the reason it is unknown. */
export type RealizedMoment =
  | { readonly missing: { readonly code: string; readonly detail: string } }
  | {
      readonly missing: null
      readonly models: readonly RealizedArm[]
      readonly swaps: number
      readonly volumeQuote: bigint
      /** Annualized, from 5-minute returns; null with too few returns. */
      readonly annualVolatility: number | null
      /** Change of the 2 % depth that other LPs caused. */
      readonly otherLiquidity: bigint
    }

interface ReplayedArm {
  flowModel: string
  waterfallHolder: { fees: string }
  layouts: { positions: { tickLower: number; tickUpper: number; liquidity: string }[] }[]
  series: { timestamp: number; priceX18: string; netVsHold: string; base: string; quote: string }[]
}

const returnSeconds = 5 * minuteSeconds
const minReturns = 12
const X18 = 10n ** 18n

/** Runs a study's arm on the events observed since. Pure. */
export default function realizeMoment({ replay, until }: RealizeMomentTask): RealizedMoment {
  const { fromBlock } = replay.window
  const follower = followMarket(parseExact(new TextDecoder().decode(replay.start)) as ClmmState)
  let before: ClmmState | null = null
  const since: ClmmEvent[] = []
  for (const event of eventsOf(replay.events) as Iterable<ClmmEvent>) {
    if (event.timestamp !== null && event.timestamp > until) break
    if (event.block >= fromBlock) {
      before ??= follower.market() as ClmmState
      since.push(event)
    }
    follower.apply(event)
  }
  const last = since.at(-1)
  if (!last || before === null) {
    return missing('NO_EVENTS_SINCE_STUDY', 'The market has had no events since the study began.')
  }
  const after = follower.market() as ClmmState
  const window = { fromBlock, toBlock: last.block }
  const study = runReplayTask({ ...replay, window }).study as unknown as {
    state: string
    arms: { results: ReplayedArm[] }[]
  }
  if (study.state !== 'COMPLETED') {
    return missing('REPLAY_NOT_EXACT', 'The events since the study began do not replay exactly.')
  }
  const { orientation } = replay
  return {
    missing: null,
    models: (study.arms[0]?.results ?? []).map((result) => realized(result, after, orientation)),
    ...tradedIn(since, orientation),
    annualVolatility: volatilityOf(since, orientation),
    otherLiquidity: splitDepthChange(before, after, orientation, depthBandPips).liquidity,
  }
}

const missing = (code: string, detail: string) => ({ missing: { code, detail } })

function realized(
  { flowModel, waterfallHolder, layouts, series }: ReplayedArm,
  market: ClmmState,
  orientation: Orientation,
): RealizedArm {
  const course = series.map(({ timestamp, priceX18, netVsHold, base, quote }) => ({
    at: timestamp,
    netVsHold: BigInt(netVsHold),
    baseSharePips: shareOfBase(BigInt(base), BigInt(quote), BigInt(priceX18)),
  }))
  const end = course.at(-1)
  if (!end) throw new Error('A replay with an event has a sample.')
  const positions = layouts.at(-1)?.positions ?? []
  const withArm = followMarket(market)
  const nowhere = { block: 0, timestamp: null, logIndex: null, line: null }
  for (const { tickLower, tickUpper, liquidity } of positions) {
    withArm.apply({
      ...nowhere,
      type: 'Mint',
      owner: 'arm',
      tickLower,
      tickUpper,
      liquidity: BigInt(liquidity),
      amount0: null,
      amount1: null,
    })
  }
  const sides = withArm.depth(orientation, [depthBandPips]).map(({ quote }) => quote)
  return {
    flowModel,
    netVsHold: end.netVsHold,
    fees: BigInt(waterfallHolder.fees),
    depth: sides.reduce((min, quote) => (quote < min ? quote : min)),
    baseSharePips: end.baseSharePips,
    course,
  }
}

/** Rounded down; 0 for an empty position. */
function shareOfBase(base: bigint, quote: bigint, priceX18: bigint): bigint {
  const inBase = (base * priceX18) / X18
  const worth = inBase + quote
  return worth <= 0n ? 0n : (inBase * 1_000_000n) / worth
}

function tradedIn(events: readonly ClmmEvent[], { quote }: Orientation) {
  let [swaps, volumeQuote] = [0, 0n]
  for (const event of events) {
    if (event.type !== 'Swap') continue
    const moved = quote === 0 ? event.amount0 : event.amount1
    swaps += 1
    volumeQuote += moved < 0n ? -moved : moved
  }
  return { swaps, volumeQuote }
}

function volatilityOf(events: readonly ClmmEvent[], orientation: Orientation): number | null {
  const { logReturns } = observeReturns(events, orientation, returnSeconds)
  if (logReturns.length < minReturns) return null
  const squares = logReturns.reduce((sum, one) => sum + one * one, 0)
  return Math.sqrt((squares / (logReturns.length * returnSeconds)) * yearSeconds)
}
