import { classifySwaps, generatePath } from '@liquidity-os/engine/montecarlo'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import { describe, expect, it } from 'vitest'
import { pathModels } from '../families/simulate/studies/paths/path-models.ts'
import type { StudySpec } from '../families/simulate/studies/validate-spec.ts'
import { calibrationOf, observeReturns } from './observed-returns.ts'

const seed = new Uint8Array(32).fill(5)
const stepSeconds = 300
const steps = 20_000

const feePips = 3000

/** A pool that arbitrage brings within its fee of the prices of a path, at the end of every step. */
function traded(annualVolatility: number): PoolEvent[] {
  const model = { kind: 'GBM', annualDrift: 0, annualVolatility } as const
  const path = generatePath(model, seed, 0, false, steps, stepSeconds)
  const afterFee = 1 - feePips / 1_000_000
  let price = 1
  return Array.from(path, (outside, step): PoolEvent => {
    const before = price
    price = Math.min(outside / afterFee, Math.max(outside * afterFee, before))
    const isUp = price > before
    return {
      type: 'Swap',
      line: null,
      logIndex: 0,
      block: step,
      timestamp: 1_700_000_000 + step * stepSeconds,
      amount0: isUp ? -(10n ** 18n) : 10n ** 18n,
      amount1: isUp ? 10n ** 18n : -(10n ** 18n),
      sqrtPriceX96: BigInt(Math.round(Math.sqrt(price) * 2 ** 52)) << 44n,
      liquidity: 10n ** 20n,
      tick: 0,
    } as PoolEvent
  })
}

const window = { fromBlock: 0, toBlock: steps }

describe('returns that were observed', () => {
  it('give back the volatility that they were drawn with, within three standard errors', () => {
    const observed = observeReturns(traded(0.9), { base: 0, quote: 1 }, stepSeconds)
    const calibration = calibrationOf(observed, feePips, window)!
    expect(calibration.returns).toBe(steps)
    const { value, standardError } = calibration.annualVolatilityPips!
    expect(Math.abs(value - 900_000)).toBeLessThan(3 * standardError)
    expect(standardError).toBeGreaterThan(1000)
    expect(standardError).toBeLessThan(20_000)
    expect(calibration.volatility).toMatchObject({
      estimator: 'BAND_TWO_SCALE',
      estimatorVersion: 2,
      state: 'COMPLETED',
      reason: null,
      readPips: calibration.annualVolatilityPips,
      feePips,
      gridSeconds: 60,
      blockMilliseconds: stepSeconds * 1000,
    })
    // Five-minute returns of the same pool know two thirds of it, daily ones nearly all.
    const { signature } = calibration.volatility!
    const shownAt = (seconds: number) =>
      signature.find((point) => point.seconds === seconds)!.annualVolatilityPips
    expect(shownAt(300)).toBeLessThan(700_000)
    expect(shownAt(86_400)).toBeGreaterThan(750_000)
    // Inside the band nothing is a jump.
    expect(calibration.jumps).toBeNull()
  })

  it('are those of a reference where there is one, jumps and arbitrage with them', () => {
    const path = generatePath(
      { kind: 'GBM', annualDrift: 0, annualVolatility: 0.9 },
      ...([seed, 0, false, steps, stepSeconds] as const),
    )
    const points = Array.from(path, (price, step) => ({
      at: 1_700_000_000 + step * stepSeconds,
      priceX36: BigInt(Math.round(price * 1e15)) * 10n ** 21n,
      errorPips: 0,
    }))
    const pool = { base: 0, quote: 1 } as const
    const observed = observeReturns(traded(0.9), pool, stepSeconds, points)
    const calibration = calibrationOf(observed, feePips, window)!
    const { value, standardError } = calibration.annualVolatilityPips!
    expect(Math.abs(value - 900_000)).toBeLessThan(3 * standardError)
    expect(calibration.volatility).toMatchObject({
      estimator: 'REALIZED_FIVE_MINUTES',
      state: 'COMPLETED',
      bandPips: null,
    })
    expect(calibration.jumps).not.toBeNull()
    // Who only kept the pool within its fee is told as such, and of the pool alone nobody can say.
    const arbitrage = classifySwaps(observed.swaps, feePips).filter(
      (swap) => swap.class === 'ARBITRAGE',
    )
    expect(arbitrage.length / observed.swaps.length).toBeGreaterThan(0.4)
  })

  it('give no volatility where the band is too wide for the days, and say how many it takes', () => {
    const observed = observeReturns(traded(0.04).slice(0, 9000), { base: 0, quote: 1 }, stepSeconds)
    const calibration = calibrationOf(observed, feePips, window)!
    expect(calibration.annualVolatilityPips).toBeNull()
    const { state, reason, daysNeeded } = calibration.volatility!
    expect([state, reason]).toEqual(['ABSTAINED', 'VOLATILITY_BAND_TOO_WIDE'])
    expect(daysNeeded).toBeGreaterThan(31)
    const request = { kind: 'MONTE_CARLO', market: { venue: {} } } as unknown as StudySpec
    const known = { calibration, returns: observed }
    expect(() => pathModels(request, stepSeconds, known)).toThrow(
      expect.objectContaining({
        field: 'payload.price.annualVolatilityPips',
        why: expect.stringContaining(`this requires ${daysNeeded} days`),
      }),
    )
    const jumps = {
      ...request,
      price: { kind: 'JUMP_DIFFUSION', annualVolatilityPips: 1 },
    } as const
    expect(() => pathModels(jumps, stepSeconds, known)).toThrow(
      expect.objectContaining({ field: 'payload.price.jumpsPerYearMilli' }),
    )
  })

  it('turn round with the tokens, and lose nothing on the way', () => {
    const events = traded(0.5)
    const straight = observeReturns(events, { base: 0, quote: 1 }, stepSeconds)
    const inverse = observeReturns(events, { base: 1, quote: 0 }, stepSeconds)
    expect(inverse.logReturns).toHaveLength(steps)
    for (const step of [0, 1, 777, steps - 1]) {
      expect(inverse.logReturns[step]).toBeCloseTo(-straight.logReturns[step]!, 9)
    }
    expect(inverse.swaps[5]!.buysBase).toBe(!straight.swaps[5]!.buysBase)
  })

  it('are zero in steps in which nothing happened', () => {
    const events = traded(0.5).filter((_, index) => index % 4 === 0)
    const { logReturns, volumes } = observeReturns(events, { base: 0, quote: 1 }, stepSeconds)
    expect(Array.from(logReturns.slice(0, 3))).toEqual([0, 0, 0])
    expect([volumes[0], volumes[3]]).toEqual([0, 1e18])
  })

  it('are read from the reserves of a pair, its Sync telling the price of its Swap', () => {
    const place = (block: number) => ({
      line: null,
      logIndex: 0,
      block,
      timestamp: block * stepSeconds,
    })
    const events = [
      { type: 'Sync', ...place(1), reserve0: 100n, reserve1: 100n },
      { type: 'Sync', ...place(2), reserve0: 50n, reserve1: 200n },
      {
        type: 'Swap',
        ...place(2),
        amount0In: 0n,
        amount1In: 100n,
        amount0Out: 50n,
        amount1Out: 0n,
      },
    ] as PoolEvent[]
    const { swaps, logReturns } = observeReturns(events, { base: 0, quote: 1 }, stepSeconds)
    expect(logReturns[0]).toBeCloseTo(Math.log(4), 12)
    expect(swaps).toEqual([
      { buysBase: true, sizeQuote: 100, poolBefore: 1, poolAfter: 4, reference: 4 },
    ])
  })

  it('are too few below five hundred', () => {
    const observed = observeReturns(traded(0.9).slice(0, 400), { base: 0, quote: 1 }, stepSeconds)
    expect(calibrationOf(observed, feePips, window)).toBeNull()
  })
})

describe('a calibrated study', () => {
  it('draws the same paths as declared parameters with the calibrated values', () => {
    const observed = observeReturns(traded(0.9), { base: 0, quote: 1 }, stepSeconds)
    const calibration = calibrationOf(observed, feePips, window)
    const known = { calibration, returns: observed }
    const request = { kind: 'MONTE_CARLO', market: { venue: {} } } as unknown as StudySpec
    const learned = pathModels(request, stepSeconds, known)
    const calibrated = learned.assumptions.filter(({ source }) => source === 'CALIBRATED')
    expect(calibrated.map(({ code }) => code)).toEqual([
      'ANNUAL_VOLATILITY_PIPS',
      'TRADES_PER_DAY_MILLI',
      'LOG_MEAN_QUOTE_PIPS',
      'LOG_DEVIATION_PIPS',
      'BUY_SHARE_PIPS',
    ])
    const value = (code: string) => Number(calibrated.find((one) => one.code === code)!.value)
    const declared = pathModels(
      {
        ...request,
        price: { kind: 'GBM', annualVolatilityPips: value('ANNUAL_VOLATILITY_PIPS') },
        flow: {
          kind: 'COMPOUND_POISSON',
          tradesPerDayMilli: value('TRADES_PER_DAY_MILLI'),
          logMeanQuotePips: value('LOG_MEAN_QUOTE_PIPS'),
          logDeviationPips: value('LOG_DEVIATION_PIPS'),
          buySharePips: value('BUY_SHARE_PIPS'),
        },
      },
      stepSeconds,
      { calibration: null, returns: null },
    )
    expect([declared.price, declared.flow]).toEqual([learned.price, learned.flow])
  })
})
