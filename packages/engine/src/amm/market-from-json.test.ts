import { expect, test } from 'vitest'
import { readDatasetJson } from '../../test/datasets.ts'
import { stableRecordings } from '../../test/stable-recordings.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import { randomV2Sequence } from '../parity/random-v2.ts'
import { randomV3Sequence } from '../parity/random-v3.ts'
import { readClmmState } from '../replay/read/clmm-state.ts'
import { ReplayInputError } from '../replay/read/input-error.ts'
import { readMarket } from '../replay/read/market.ts'
import type { Market } from './market.ts'
import { marketToJson } from './market-json.ts'
import { createBook } from './order-book/state.ts'
import { createCpmmPair } from './v2/state.ts'
import { createClmmPool } from './v3/state.ts'

const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const real = readClmmState(readDatasetJson(file), file).state
const stable = stableRecordings()[0]!.state
const book = createBook({
  tickSize: { num: 1n, den: 100n },
  takerFeePips: 500,
  bids: [{ ticks: 99n, base: 5n }],
  asks: [{ ticks: 101n, base: 5n }],
})

test('every market comes back from its JSON as it was', () => {
  let pool = createClmmPool({ feePips: 500, tickSpacing: 10 })
  for (const operation of randomV3Sequence({ seed: 9, length: 60, tickSpacing: 10 })) {
    pool = applyOperation(pool, operation).state
  }
  let pair = createCpmmPair({})
  for (const operation of randomV2Sequence({ seed: 9, length: 60 })) {
    pair = applyOperation(pair, operation).state
  }
  for (const market of [real, pool, pair, stable, book]) {
    const text = JSON.stringify(marketToJson(market))
    expect(readMarket(JSON.parse(text), 'market.json')).toEqual(market)
  }
})

test.each<[string, Market, Record<string, unknown>]>([
  ['kind', real, { kind: 'UNISWAP_V9' }],
  ['ticks[0].index', real, { ticks: [{ index: 1.5 }] }],
  ['ticks', real, { ticks: 'none' }],
  ['tickSpacing', real, { tickSpacing: 0 }],
  ['sqrtPriceX96', real, { sqrtPriceX96: '1' }],
  ['reserve0', createCpmmPair({}), { reserve0: '-1' }],
  ['fee.denominator', createCpmmPair({}), { fee: { numerator: '3', denominator: '0' } }],
  ['rates', stable, { rates: ['1'] }],
  ['variant', stable, { variant: 'NEW' }],
  ['bids', book, { bids: [{ ticks: '200', base: '1' }] }],
  ['takerFeePips', book, { takerFeePips: 1_000_000 }],
])('a market with a wrong %s is refused by its path', (path, market, change) => {
  const json = { ...(marketToJson(market) as Record<string, unknown>), ...change }
  let fault: unknown = null
  try {
    readMarket(json, 'market.json')
  } catch (error) {
    fault = error
  }
  expect(fault).toBeInstanceOf(ReplayInputError)
  expect((fault as ReplayInputError).fault.column).toBe(path)
})
