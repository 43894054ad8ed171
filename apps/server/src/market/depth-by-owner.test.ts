import { type ClmmState, createClmmPool, mint, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import { depthLadder } from '@liquidity-os/engine/depth'
import { applyOperation } from '@liquidity-os/engine/parity'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { depthByOwner } from './depth-by-owner.ts'

interface Place {
  owner: string
  tickLower: number
  tickUpper: number
  liquidity: bigint
}

function poolWith(places: readonly Place[], tick = 0): ClmmState {
  const empty = createClmmPool({ feePips: 500, tickSpacing: 10 })
  const open = {
    kind: 'v3.initialize',
    timestamp: 1_700_000_000,
    sqrtPriceX96: sqrtRatioAtTick(tick),
  } as const
  const priced = applyOperation({ ...empty, balance0: null, balance1: null }, open).state
  return places.reduce(
    (pool, { liquidity, ...key }) => mint(pool, key, liquidity).state,
    priced as ClmmState,
  )
}

const all = 10n ** 21n
const around = { tickLower: -1000, tickUpper: 1000 }

describe('the depth by owner', () => {
  it('is each part of the liquidity where all share one range, largest first', () => {
    const pool = poolWith([
      { owner: '0xA', ...around, liquidity: all },
      { owner: '0xB', ...around, liquidity: 2n * all },
      { owner: '0xC', tickLower: 2000, tickUpper: 3000, liquidity: all },
    ])
    for (const base of [0, 1]) {
      expect(depthByOwner(pool, { base, quote: 1 - base }, 20_000)).toEqual([
        { address: '0xB', depthSharePips: 666_666 },
        { address: '0xA', depthSharePips: 333_333 },
      ])
    }
  })

  it('is null where a position of the pool is not known, and empty of an empty band', () => {
    const pool = poolWith([
      { owner: '0xA', ...around, liquidity: all },
      { owner: '0xB', tickLower: -2000, tickUpper: -1000, liquidity: all },
    ])
    const missing = { ...pool, positions: pool.positions.slice(1) }
    expect(depthByOwner(missing, { base: 0, quote: 1 }, 20_000)).toBeNull()
    expect(depthByOwner(poolWith([]), { base: 0, quote: 1 }, 20_000)).toEqual([])
  })

  it('equals a re-quote of the pool with this owner alone', () => {
    const range = fc.tuple(fc.integer({ min: -60, max: 59 }), fc.integer({ min: 1, max: 60 }))
    const place = fc.record({
      owner: fc.constantFrom('0xA', '0xB', '0xC'),
      range,
      liquidity: fc.bigInt({ min: 10n ** 18n, max: 10n ** 24n }),
    })
    const cases = fc.tuple(
      fc.array(place, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: -300, max: 300 }),
      fc.constantFrom(0, 1),
    )
    fc.assert(
      fc.property(cases, ([drawn, tick, base]) => {
        const places = drawn.map(({ owner, range: [low, width], liquidity }) => ({
          owner,
          liquidity,
          tickLower: low * 10,
          tickUpper: (low + width) * 10,
        }))
        const o = { base, quote: 1 - base }
        const depthOf = (some: readonly Place[]) => {
          // A fee of nothing: depth to buy is quoted with the fee, depth to sell without.
          const pool = { ...poolWith(some, tick), feePips: 0 }
          return Number(depthLadder(pool, o, [20_000]).reduce((sum, { quote }) => sum + quote, 0n))
        }
        const total = depthOf(places)
        const shares = depthByOwner(poolWith(places, tick), o, 20_000)!
        for (const owner of ['0xA', '0xB', '0xC']) {
          const alone = depthOf(places.filter((one) => one.owner === owner))
          const share = shares.find(({ address }) => address === owner)?.depthSharePips ?? 0
          if (total > 1e12) expect(Math.abs(share - (alone / total) * 1e6)).toBeLessThan(1.5)
        }
      }),
      { numRuns: 100 },
    )
  })
})
