import type { contract } from '@liquidity-os/contract'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import {
  movePips,
  REVERSION_SECONDS,
  reversionOf,
  routePrice,
  type SquareRootBenchmark,
  squareRootBenchmark,
} from '@liquidity-os/engine/attribution'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import type { Header } from '../../../integrations/chain/header.ts'
import { limits } from '../../../limits.ts'
import { daySeconds } from '../../../units.ts'
import { type ChainView, priceOf } from './chain-view.ts'
import { type FillLeg, flowsOf } from './fill-legs.ts'
import type { Mark } from './mark.ts'

type Side = contract.AttributionInput['side']
type Route = readonly FillLeg[]

/** Price of a route at the end of a block, quote per base; null if a leg has no price. */
export async function routePriceAt(
  view: ChainView,
  side: Side,
  route: Route,
  block: Header,
): Promise<Rat | null> {
  const prices = await Promise.all(
    route.map(async (leg) => {
      const price = await view.priceAt(leg.terms, block)
      return price && asRouteSees(side, leg, price)
    }),
  )
  return prices.some((price) => price === null)
    ? null
    : routePrice(prices.filter((price) => price !== null))
}

/** Converts token1 per token0 into the price of the base side of a leg in its quote side. */
function asRouteSees(side: Side, { from, to }: FillLeg, { num, den }: Rat): Rat {
  const baseIndex = side === 'BUY' ? to : from
  return baseIndex === 0 ? { num, den } : { num: den, den: num }
}

/** A price in record form: rounded down. */
export const priceX18 = (price: Rat): string => ((price.num * 10n ** 18n) / price.den).toString()

/** Later prices of the fill's largest route. */
export async function marksAfter(
  view: ChainView,
  side: Side,
  fill: { route: Route; block: Header; before: Rat; after: Rat },
): Promise<Mark[]> {
  return Promise.all(
    REVERSION_SECONDS.map(async (seconds): Promise<Mark> => {
      const time = fill.block.timestamp + seconds
      const none = { seconds, block: null, price: null, permanentPips: null, temporaryPips: null }
      if (view.head.timestamp < time) return none
      const block = await view.blockAt(fill.block, time)
      const price = block && (await routePriceAt(view, side, fill.route, block))
      if (!price) return { ...none, block }
      return { seconds, block, price, ...reversionOf(side, fill.before, fill.after, price) }
    }),
  )
}

/** The square-root law on the day before an order arrived. */
export interface MeasuredBenchmark extends SquareRootBenchmark {
  readonly from: Header
  readonly to: Header
}

const steps = 288
const minTrades = 20

/**
 * Measures volatility and volume of a pool over the day before the order, at 288 even block steps.
 *
 * @returns null with less than a quarter of a day, fewer than twenty trades, or more trades than
 * the limit
 */
export async function benchmarkBefore(
  view: ChainView,
  side: Side,
  leg: FillLeg,
  arrival: Header,
  orderBase: bigint,
): Promise<MeasuredBenchmark | null> {
  const start =
    (await view.blockAt(arrival, arrival.timestamp - daySeconds)) ?? (await view.header(0))
  const span = arrival.timestamp - start.timestamp
  const blocks = arrival.number - start.number
  if (span < daySeconds / 4 || blocks > limits.attributionDayBlocks) return null
  const events = await view.events(leg.terms, start.number + 1, arrival.number)
  if (events.length > limits.attributionDayLogs) return null
  const baseIndex = side === 'BUY' ? leg.to : leg.from
  const trades = events.filter(({ type }) => type === 'Swap')
  if (trades.length < minTrades) return null
  const volume = trades.reduce((sum, event) => sum + baseOf(event, baseIndex), 0n)
  const prices = pricesOnGrid(events, start.number, blocks)
  const oriented = prices.map((price) => asRouteSees(side, leg, price))
  if (oriented.length < 2) return null
  const law = squareRootBenchmark(oriented, volume, span, orderBase)
  return law && { ...law, from: start, to: arrival }
}

/** The last price at or before each of the even steps, from the first available one. */
function pricesOnGrid(events: readonly PoolEvent[], from: number, blocks: number): Rat[] {
  const count = Math.min(steps, blocks)
  const prices: Rat[] = []
  let price: Rat | null = null
  let next = 0
  for (let step = 1; step <= count; step += 1) {
    const until = from + Math.floor((step * blocks) / count)
    for (; next < events.length && (events[next]?.block ?? Infinity) <= until; next += 1) {
      const event = events[next]
      price = (event && priceOf(event)) ?? price
    }
    if (price) prices.push(price)
  }
  return prices
}

function baseOf(event: PoolEvent, baseIndex: 0 | 1): bigint {
  const flows = flowsOf(event)
  if (!flows) return 0n
  return flows.zeroForOne === (baseIndex === 0) ? flows.amountIn : flows.amountOut
}

/** Actual impact in pips of the base value, and as a ratio to the square-root law. */
export function againstLaw(
  impact: bigint | null,
  worth: bigint,
  expectedPips: number,
): { actualPips: bigint | null; ratioPips: bigint | null } {
  if (impact === null || worth === 0n) return { actualPips: null, ratioPips: null }
  const size = worth < 0n ? -worth : worth
  const actualPips = movePips('BUY', { num: size, den: 1n }, { num: size + impact, den: 1n })
  const ratioPips = expectedPips === 0 ? null : (actualPips * 1_000_000n) / BigInt(expectedPips)
  return { actualPips, ratioPips }
}
