import type { contract } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import {
  type Calibration,
  calibrate,
  classifySwaps,
  type ObservedSwap,
} from '@liquidity-os/engine/montecarlo'
import { ln } from '@liquidity-os/engine/numerics'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import type { Static } from 'typebox'
import { tradedBy } from './traded-by.ts'

/** Log returns of a pool and its volume over steps of one length, in time order, without gaps. */
export interface ObservedReturns {
  stepSeconds: number
  logReturns: Float64Array
  /** Quote that moved in each step, atoms as floats. */
  volumes: Float64Array
  swaps: ObservedSwap[]
}

/** What happened at one moment of the replay. */
interface Tick {
  timestamp: number
  price: number
  swap: Omit<ObservedSwap, 'reference'> | null
}

/**
 * Reads the price at the end of every step from the events of a pool; a step without an event repeats it.
 *
 * A swap is compared with the price at the end of its own step: what is still there by then was news, the
 * rest was noise. A pool knows no other reference of its own.
 */
export function observeReturns(
  events: Iterable<PoolEvent>,
  orientation: Orientation,
  stepSeconds: number,
): ObservedReturns {
  const steps = stepsOf(ticksOf(events, orientation), stepSeconds)
  const closes = steps.map(({ close }) => close)
  return {
    stepSeconds,
    // There is a price before each but the first.
    logReturns: Float64Array.from(closes.slice(1), (close, index) => ln(close / closes[index]!)),
    volumes: Float64Array.from(steps.slice(1), ({ swaps }) =>
      swaps.reduce((sum, { sizeQuote }) => sum + sizeQuote, 0),
    ),
    swaps: steps.flatMap(({ swaps, close }) =>
      swaps.map((swap) => ({ ...swap, reference: close })),
    ),
  }
}

function* ticksOf(events: Iterable<PoolEvent>, orientation: Orientation): Generator<Tick> {
  let before: number | null = null
  let price: number | null = null
  for (const event of events) {
    price = priceAfter(event, orientation) ?? price
    if (event.timestamp === null || price === null) continue
    const trade = tradeOf(event, orientation)
    const swap =
      trade && before !== null ? { poolBefore: before, poolAfter: price, ...trade } : null
    yield { timestamp: event.timestamp, price, swap }
    // The Sync of a pair tells the price of the Swap that follows it.
    if (event.type !== 'Sync') before = price
    before ??= price
  }
}

const q96 = 2 ** 96

/** Quote per base as a float, where the event tells it. */
function priceAfter(event: PoolEvent, { base }: Orientation): number | null {
  let token1PerToken0: number | null = null
  if ('sqrtPriceX96' in event) {
    const root = Number(event.sqrtPriceX96) / q96
    token1PerToken0 = root * root
  } else if (event.type === 'Sync' && event.reserve0 > 0n && event.reserve1 > 0n) {
    token1PerToken0 = Number(event.reserve1) / Number(event.reserve0)
  }
  if (token1PerToken0 === null) return null
  return base === 0 ? token1PerToken0 : 1 / token1PerToken0
}

function tradeOf(
  event: PoolEvent,
  orientation: Orientation,
): { buysBase: boolean; sizeQuote: number } | null {
  const trade = tradedBy(event, orientation)
  return trade && { buysBase: trade.base > 0n, sizeQuote: Number(trade.volumeQuote) }
}

interface Step {
  close: number
  swaps: Omit<ObservedSwap, 'reference'>[]
}

/** Groups what happened by steps from the first moment on; the last step is as long as the others. */
function stepsOf(ticks: Iterable<Tick>, stepSeconds: number): Step[] {
  const steps: Step[] = []
  let start: number | null = null
  let close = 0
  for (const { timestamp, price, swap } of ticks) {
    start ??= timestamp
    const place = Math.floor((timestamp - start) / stepSeconds)
    while (steps.length <= place) steps.push({ close, swaps: [] })
    close = price
    const step = steps[place]!
    step.close = price
    if (swap) step.swaps.push(swap)
  }
  return steps
}

/** The calibration of every model in the units of the contract; null where the data carry none. */
export function calibrationOf(
  observed: ObservedReturns,
  feePips: number,
  window: { fromBlock: number; toBlock: number },
): Static<typeof contract.StudyCalibration> | null {
  const { stepSeconds, logReturns, swaps } = observed
  const found = calibrate({ stepSeconds, logReturns }, classifySwaps(swaps, feePips))
  if (!found.ok) return null
  const { jumpDiffusion: jumps, diffusion, bootstrap } = found
  return {
    returns: found.returns,
    stepSeconds,
    ...window,
    annualVolatilityPips: estimate(diffusion.annualVolatility, 1e6),
    jumps: {
      found: jumps.jumps,
      annualVolatilityPips: estimate(jumps.annualVolatility, 1e6),
      jumpsPerYearMilli: estimate(jumps.jumpsPerYear, 1e3),
      jumpMeanPips: estimate(jumps.jumpMean, 1e6),
      jumpDeviationPips: estimate(jumps.jumpDeviation, 1e6),
    },
    meanBlockMilli: Math.max(1000, Math.round(bootstrap.meanBlock * 1000)),
    flow: found.flow && flowOf(found.flow),
  }
}

function flowOf(flow: NonNullable<Calibration['flow']>) {
  return {
    tradesPerDayMilli: estimate(flow.tradesPerDay, 1e3),
    logMeanQuotePips: estimate(flow.logMeanQuote, 1e6),
    logDeviationPips: estimate(flow.logDeviation, 1e6),
    buySharePips: estimate(flow.buyShare, 1e6),
    arbitrageVolumeSharePips: Math.round(flow.arbitrageVolumeShare * 1e6),
  }
}

const estimate = (
  { value, standardError }: { value: number; standardError: number },
  per: number,
) => ({
  value: Math.round(value * per),
  standardError: Math.round(standardError * per),
})
