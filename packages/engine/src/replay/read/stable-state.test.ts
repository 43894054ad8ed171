import { expect, test } from 'vitest'
import { amplificationOf } from '../../amm/stableswap/state.ts'
import { ReplayInputError } from './input-error.ts'
import { isStableDocument, readStableState } from './stable-state.ts'

const plain = {
  balances: ['1000000', '2000000000000000000'],
  tokens: [{ decimals: 6 }, { decimals: 18 }],
  fee: 4_000_000,
  a_coefficient: 200,
}

test('a pool without a name for its build is told by what it stores', () => {
  const variantOf = (members: object) => readStableState({ ...plain, ...members }, 'f').variant
  expect(variantOf({})).toBe('CLASSIC')
  expect(variantOf({ offpeg_fee_multiplier: '20000000000' })).toBe('NG')
  expect(variantOf({ offpeg_fee_multiplier: 0 })).toBe('CLASSIC')
  expect(variantOf({ initial_a: 20_000, future_a: 20_000 })).toBe('A100_TWO_COIN')
  const three = {
    balances: [1, 1, 1],
    tokens: [{ decimals: 6 }, { decimals: 6 }, { decimals: 6 }],
    initial_a: 20_000,
    future_a: 20_000,
  }
  expect(variantOf(three)).toBe('A100')
  expect(variantOf({ ...three, variant: 'NG' })).toBe('NG')
})

test('an amplification on its way is taken at the time of the block, or from its current value', () => {
  const ramp = { initial_a: 100, future_a: 300, initial_a_time: 1000, future_a_time: 2000 }
  const at = (members: object) => amplificationOf(readStableState({ ...plain, ...members }, 'f'))
  expect(at({ ...ramp, block_timestamp: 1500 })).toBe(200n)
  expect(at({ ...ramp, block_timestamp: 2500 })).toBe(300n)
  expect(at({ ...ramp, a_coefficient: 170 })).toBe(170n)
  const scaled = { ...ramp, initial_a: 10_000, future_a: 30_000, a_coefficient: 170 }
  expect(at(scaled)).toBe(17_000n)
})

test('rates come from decimals, from the file, or from the prices of a metapool', () => {
  const ratesOf = (members: object) => readStableState({ ...plain, ...members }, 'f').rates
  expect(ratesOf({})).toEqual([10n ** 30n, 10n ** 18n])
  expect(ratesOf({ rates: ['7', '8'] })).toEqual([7n, 8n])
  const meta = {
    base_virtual_price: '11',
    base_cache_updated: 100,
    base_pool: { virtual_price: 12 },
  }
  expect(ratesOf({ ...meta, block_timestamp: 700 })).toEqual([10n ** 30n, 11n])
  expect(ratesOf({ ...meta, block_timestamp: 701 })).toEqual([10n ** 30n, 12n])
  expect(ratesOf({ ...meta, redemption_price: 5 })).toEqual([5n, 11n])
})

test('pools of another curve, or whose rates it does not say, are not of this kind', () => {
  expect(isStableDocument({ state: plain })).toBe(true)
  for (const change of [{ gamma: 1 }, { use_lending: [true, false] }, { balances: undefined }]) {
    expect(isStableDocument({ state: { ...plain, ...change } })).toBe(false)
  }
  for (const other of [null, 5, [], { state: 'x' }]) expect(isStableDocument(other)).toBe(false)
})

test.each([
  ['state.balances', { balances: 5 }],
  ['state.balances.1', { balances: ['1', 'x'] }],
  ['state.rates', { tokens: [{ decimals: 6 }] }],
  ['state.tokens[0].decimals', { tokens: [{ decimals: 99 }, { decimals: 6 }] }],
  ['state.variant', { variant: 'OLD' }],
  ['state.fee', { fee: '1.5' }],
  ['state.a_coefficient', { a_coefficient: null }],
])('a fault is named by its path: %s', (column, change) => {
  let fault: unknown = null
  try {
    readStableState({ state: { ...plain, ...change } }, 'f')
  } catch (error) {
    fault = error
  }
  expect((fault as ReplayInputError).fault.column).toBe(column)
  expect(fault).toBeInstanceOf(ReplayInputError)
})
