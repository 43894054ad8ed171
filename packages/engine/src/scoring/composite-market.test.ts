import { describe, expect, it } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import type { LoggedMarket } from '../amm/market.ts'
import { createStablePool, type StableState } from '../amm/stableswap/state.ts'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { slippageTable } from '../depth/slippage-table.ts'
import { followMarket } from '../replay/market-follower.ts'
import { CompositeMarket, feePipsOf } from './composite-market.ts'

const one = 10n ** 18n
const orientation = { base: 0, quote: 1 } as const

function pair(base: bigint, quote: bigint): CpmmState {
  const reserves = { reserve0: base * one, reserve1: quote * one }
  return {
    ...createCpmmPair({}),
    ...reserves,
    balance0: reserves.reserve0,
    balance1: reserves.reserve1,
  }
}

const venue = (venueId: string, market: LoggedMarket, feePips = 3000) => ({
  venueId,
  orientation,
  feePips,
  market: followMarket(market),
})

describe('a market of one', () => {
  it.each([
    ['pool', newPool({ feePips: 3000, ranges: true })],
    ['pair', pair(1000n, 2000n)],
  ])('is that %s to the atom', (_, market) => {
    const composite = new CompositeMarket([venue('only', market)])
    const bands = [10_000, 20_000]
    expect(composite.depth(bands)).toEqual(depthLadder(market, orientation, bands))
    for (const { sizeQuote, side, pips } of slippageTable(market, orientation, [one, 30n * one])) {
      expect(composite.slippage(sizeQuote, side)).toMatchObject({ pips })
    }
    // 1/(1 − f) − (1 − f) of a fee of 0.3 %.
    expect(composite.spreadPips()).toBe(6009)
    expect(composite.deviationPips()).toBeNull()
  })
})

describe('a market of several', () => {
  it('of two equal halves is the whole', () => {
    const halves = new CompositeMarket([
      venue('a', pair(500n, 1000n)),
      venue('b', pair(500n, 1000n)),
    ])
    const whole = new CompositeMarket([venue('whole', pair(1000n, 2000n))])
    for (const side of ['BUY', 'SELL'] as const) {
      const [apart, together] = [halves, whole].map((one_) => one_.slippage(20n * one, side)!.pips)
      expect(Math.abs(apart! - together!)).toBeLessThanOrEqual(1)
    }
    expect(halves.depth([20_000]).map(({ quote }) => quote / 10n ** 6n)).toEqual(
      whole.depth([20_000]).map(({ quote }) => quote / 10n ** 6n),
    )
    expect(halves.deviationPips()).toBe(0)
  })

  it('has the price of the deeper one, and tells how far the others are beyond their fee', () => {
    const deep = venue('deep', pair(100_000n, 200_000n))
    const thin = venue('thin', pair(10n, 21n), 10_000)
    const { num, den } = new CompositeMarket([deep, thin]).mid()!
    const ratio = Number((num * 1_000_000n) / (den * 2n))
    expect(ratio).toBeGreaterThanOrEqual(1_000_000)
    expect(ratio).toBeLessThan(1_000_020)
    // Five per cent above, of which one is the fee of the thin one.
    expect(new CompositeMarket([deep, thin]).deviationPips()).toBe(39_994)
  })

  it('is quoted anew only after a change', () => {
    const moving = venue('a', pair(1000n, 2000n))
    const composite = new CompositeMarket([moving, venue('b', pair(1000n, 2000n))])
    const before = composite.slippage(one, 'BUY')
    expect(composite.slippage(one, 'BUY')).toBe(before)
    const place = { block: 1, timestamp: 1, logIndex: 0, line: null }
    const reserves = { reserve0: 900n * one, reserve1: 2200n * one }
    moving.market.apply({ ...place, type: 'Sync', ...reserves })
    const after = composite.slippage(one, 'BUY')!
    expect(after).not.toBe(before)
    expect(after.split.legs).toHaveLength(1)
    expect(after.split.legs[0]!.venueId).toBe('b')
  })

  it('takes every atom of an order that it can fill', () => {
    const many = Array.from({ length: 7 }, (_, index) =>
      venue(`${index}`, newPool({ feePips: 3000, ranges: true })),
    )
    const composite = new CompositeMarket(many)
    for (let size = one; size < one + 60n; size += 1n) {
      expect(composite.slippage(size, 'BUY')!.split.unfilled).toBe(0n)
      expect(composite.slippage(size, 'SELL')!.split.unfilled).toBe(0n)
    }
  })

  it('cannot fill what all of them together do not have, and has no price without any', () => {
    const empty = venue('empty', createCpmmPair({}))
    const composite = new CompositeMarket([empty])
    expect([composite.mid(), composite.slippage(one, 'SELL'), composite.spreadPips()]).toEqual([
      null,
      null,
      null,
    ])
    const beside = new CompositeMarket([empty, venue('b', newPool({ feePips: 3000 }))])
    expect(beside.slippage(10n ** 40n, 'BUY')).toMatchObject({ pips: 1_000_000 })
  })
})

describe('a StableSwap pool', () => {
  /** Three to one, so the fee of 400 pips at the peg is 2·400/(0.75 + 1). */
  const offPeg: StableState = {
    ...createStablePool({
      variant: 'NG',
      rates: [one, one],
      amplification: 20_000n,
      feeX10: 4_000_000n,
      offpegFeeMultiplierX10: 20_000_000_000n,
    }),
    balances: [1_500_000n * one, 500_000n * one],
  }
  const spreadOf = (fee: number) => Math.floor((1 / (1 - fee) - (1 - fee)) * 1e6)

  it('has the spread of the fee it takes off its peg, and of a new one from its event on', () => {
    const priced = { ...venue('ng', offPeg, 400) }
    const composite = new CompositeMarket([priced])
    expect(composite.spreadPips()).toBe(spreadOf(0.0004571428))
    expect(feePipsOf(priced)).toBe(457)
    const place = { block: 1, timestamp: 1, logIndex: 0, line: null }
    const unchanged = { adminFeeX10: null, offpegFeeMultiplierX10: null }
    priced.market.apply({ ...place, type: 'NewFee', feeX10: 8_000_000n, ...unchanged })
    expect(composite.spreadPips()).toBe(spreadOf(0.0009142857))
  })

  it('deviates only by what lies beyond the fee it takes', () => {
    const beside = venue('beside', pair(10n ** 9n, 10n ** 9n), 0)
    const composite = new CompositeMarket([venue('ng', offPeg, 400), beside])
    const [ng, mid] = [followMarket(offPeg).mid(orientation)!, composite.mid()!]
    const apart = (price: number) => Math.abs((price * Number(mid.den)) / Number(mid.num) - 1) * 1e6
    const gaps = [apart(Number(ng.num) / Number(ng.den)) - 457, apart(1)]
    expect(gaps[0]).toBeGreaterThan(gaps[1]! + 100)
    expect(Math.abs(composite.deviationPips()! - gaps[0]!)).toBeLessThan(5)
  })
})
