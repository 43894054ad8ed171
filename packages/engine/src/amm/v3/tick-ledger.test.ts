import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDatasetJson } from '../../../test/datasets.ts'
import { readClmmState, readRecordedClmmState } from '../../replay/read/clmm-state.ts'
import type { ClmmState } from './state.ts'
import { describeTickFaults, findTickFaults } from './tick-ledger.ts'

const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
/** A pool of 458 ticks, all of it. */
const pool = readRecordedClmmState(readDatasetJson(file), file).state
const before = 'v3-wbtc-weth-2023-04/state_before.json'
/** The ticks between two of the same pool, with positions. */
const part = readRecordedClmmState(readDatasetJson(before), before)

const codesOf = (state: ClmmState, evidence = {}) =>
  new Set(findTickFaults(state, evidence).map(({ code }) => code))
const without = (state: ClmmState, ...indexes: number[]): ClmmState => ({
  ...state,
  ticks: state.ticks.filter(({ index }) => !indexes.includes(index)),
})

describe('the ticks of a pool belong to its liquidity', () => {
  test('as they were read from the chain, all of them and those of a window', () => {
    expect(findTickFaults(pool)).toEqual([])
    expect(findTickFaults(part.state, { window: part.tickWindow })).toEqual([])
    // Below the window lies liquidity that its ticks do not tell.
    expect(codesOf(part.state)).toContain('LIQUIDITY_NOT_SUM_OF_TICKS')
  })

  test('a pool from which any one tick is missing is found out', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pool.ticks), ({ index, liquidityNet }) => {
        const found = codesOf(without(pool, index))
        // As much begins as ends at a few ticks: only the bitmap tells of those.
        if (liquidityNet !== 0n) expect(found).toContain('TICKS_DO_NOT_CLOSE')
        const bitmap = pool.ticks.map((tick) => tick.index)
        expect(codesOf(without(pool, index), { bitmap })).toContain('BIT_WITHOUT_TICK')
      }),
    )
  })

  test('a pair of ticks that balances is told of by bitmap and positions', () => {
    const liquidity = 1_000n
    const [lower, upper] = [-887_220, -887_160]
    const position = { owner: 'o', tickLower: lower, tickUpper: upper, liquidity }
    const blank = { ...pool.ticks[0]!, liquidityGross: liquidity }
    const whole: ClmmState = {
      ...pool,
      positions: [{ ...part.state.positions[0]!, ...position }],
      ticks: [
        ...[lower, upper].map((index, end) => {
          return { ...blank, index, liquidityNet: end === 0 ? liquidity : -liquidity }
        }),
        ...pool.ticks.filter(({ index }) => index > upper),
      ],
    }
    const cut = without(whole, lower, upper)
    const bitmap = whole.ticks.map(({ index }) => index)
    expect(codesOf({ ...cut, positions: [] }, { bitmap })).toContain('BIT_WITHOUT_TICK')
    expect(findTickFaults(cut).filter(({ code }) => code === 'POSITION_WITHOUT_TICK')).toEqual([
      expect.objectContaining({ index: lower }),
      expect.objectContaining({ index: upper }),
    ])
  })

  test.each<[string, Partial<ClmmState>, string]>([
    ['another liquidity', { liquidity: pool.liquidity + 1n }, 'LIQUIDITY_NOT_SUM_OF_TICKS'],
    ['a tick that is not of the price', { tick: pool.tick + 60 }, 'PRICE_NOT_OF_TICK'],
    ['a net beyond its gross', change({ liquidityGross: 1n }), 'TICK_NET_IMPOSSIBLE'],
    ['more than a tick may hold', { maxLiquidityPerTick: 1n }, 'TICK_GROSS_BEYOND_LIMIT'],
    ['a range below nothing', change({ liquidityNet: -(10n ** 30n) }), 'LIQUIDITY_BELOW_ZERO'],
  ])('%s is named', (_what, changed, code) => {
    expect(codesOf({ ...pool, ...changed })).toContain(code)
  })

  test('a tick that the bitmap does not mark is named, and many faults in one line', () => {
    const faults = findTickFaults(pool, { bitmap: [] })
    expect(faults).toHaveLength(pool.ticks.length)
    expect(faults[0]!.code).toBe('TICK_WITHOUT_BIT')
    expect(describeTickFaults(faults)).toMatch(/; and 455 more$/)
  })
})

test('a state to begin with is refused with what contradicts what, one to compare with is read', () => {
  const { state, ...rest } = readDatasetJson(file) as { state: { ticks: object[] } }
  const cut = { ...rest, state: { ...state, ticks: state.ticks.slice(1) } }
  expect(() => readClmmState(cut, 'cut.json')).toThrow(/state\.ticks.*TICKS_DO_NOT_CLOSE/s)
  expect(readRecordedClmmState(cut, 'cut.json').state.ticks).toHaveLength(457)
  const marked = { ...rest, state: { ...state, tickBitmap: { '0': '1' } } }
  expect(() => readClmmState(marked, 'marked.json')).toThrow(/TICK_WITHOUT_BIT|BIT_WITHOUT_TICK/)
})

function change(tick: Partial<ClmmState['ticks'][number]>): Partial<ClmmState> {
  return { ticks: [{ ...pool.ticks[0]!, ...tick }, ...pool.ticks.slice(1)] }
}
