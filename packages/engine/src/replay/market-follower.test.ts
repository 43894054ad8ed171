import { describe, expect, it } from 'vitest'
import { initialState, recordedClmmEvents } from '../../test/recordings.ts'
import type { Orientation } from '../amm/market.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { slippageTable } from '../depth/slippage-table.ts'
import { valueLocked } from '../detection/value-locked.ts'
import { startReplay } from './baseline.ts'
import { followMarket } from './market-follower.ts'

const orientations: Orientation[] = [
  { base: 0, quote: 1 },
  { base: 1, quote: 0 },
]
const bands = [10_000, 20_000, 100_000]

describe('a followed pool', () => {
  it.each([
    ['v3-ens-weth-from-init', 'events.csv', 1],
    // A fee change and 74,318 events; every quote of every event would take minutes.
    ['cl-weth-op-2024', 'events.csv.gz', 997],
  ])('quotes %s as the replay does', (folder, file, every) => {
    const start = initialState(folder)
    const replay = startReplay(start)
    const follower = followMarket(start)
    let place = 0
    for (const event of recordedClmmEvents(`${folder}/${file}`, folder)) {
      replay.apply(event)
      follower.apply(event)
      place += 1
      if (place % every !== 0) continue
      const market = replay.final() as ClmmState
      if (market.liquidity === 0n) continue
      for (const o of orientations) {
        expect(follower.depth(o, bands)).toEqual(depthLadder(market, o, bands))
        const sizes = [10n ** 15n, 10n ** 19n]
        expect(follower.slippage(o, sizes)).toEqual(slippageTable(market, o, sizes))
        expect(follower.valueLocked(o)).toBe(valueLocked(market, o))
      }
    }
    const quotable = ({ sqrtPriceX96, tick, liquidity, ticks, feePips }: ClmmState) => ({
      sqrtPriceX96,
      tick,
      liquidity,
      feePips,
      ticks: ticks.map(({ index, liquidityGross, liquidityNet }) => [
        index,
        liquidityGross,
        liquidityNet,
      ]),
    })
    expect(quotable(follower.market() as ClmmState)).toEqual(quotable(replay.final() as ClmmState))
  })

  it('has no price before it is opened, and no new version where nothing can be quoted otherwise', () => {
    const follower = followMarket(createClmmPool({ feePips: 3000, tickSpacing: 60 }))
    const [o] = orientations as [Orientation]
    expect([follower.mid(o), follower.depth(o, bands), follower.slippage(o, [1n])]).toEqual([
      null,
      [],
      [],
    ])
    const place = { block: 1, timestamp: 1, logIndex: 0, line: null }
    const range = { owner: 'a', tickLower: -60, tickUpper: 60 }
    follower.apply({ ...place, type: 'Collect', ...range, amount0: 1n, amount1: 1n })
    follower.apply({ ...place, type: 'Burn', ...range, liquidity: 0n, amount0: 0n, amount1: 0n })
    expect(follower.version).toBe(0)
    follower.apply({ ...place, type: 'Initialize', sqrtPriceX96: 1n << 96n })
    expect(follower.version).toBe(1)
    expect(follower.mid(o)).toEqual({ num: 1n << 192n, den: 1n << 192n })
  })
})

describe('a followed pair', () => {
  it('has the reserves of its last Sync', () => {
    const follower = followMarket(createCpmmPair({}))
    const [o] = orientations as [Orientation]
    expect(follower.mid(o)).toBeNull()
    const place = { block: 1, timestamp: 1, logIndex: 0, line: null }
    follower.apply({ ...place, type: 'Sync', reserve0: 10n ** 21n, reserve1: 2n * 10n ** 21n })
    const market = {
      ...createCpmmPair({}),
      reserve0: 10n ** 21n,
      reserve1: 2n * 10n ** 21n,
      balance0: 10n ** 21n,
      balance1: 2n * 10n ** 21n,
    }
    expect(follower.depth(o, bands)).toEqual(depthLadder(market, o, bands))
    expect(follower.slippage(o, [10n ** 18n])).toEqual(slippageTable(market, o, [10n ** 18n]))
    expect(follower.version).toBe(1)
  })
})
