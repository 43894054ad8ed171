import { expect, it } from 'vitest'
import { figureName, labelOf, meaningOf, unitWithin, wordOf } from './meaning.ts'

const amount = { type: 'string', pattern: '^(0|-?[1-9][0-9]*)$' }

it('counts a figure in what stands beside it, and in what it stands in', () => {
  const share = { metric: 'UPTIME_PIPS', threshold: '900000' }
  expect(figureName('threshold', unitWithin(share, ''))).toBe('thresholdPips')
  const depth = { metric: 'DEPTH_QUOTE', threshold: '1' }
  expect(figureName('threshold', unitWithin(depth, 'Pips'))).toBe('thresholdQuote')
  expect(figureName('mean', unitWithin({ mean: '1' }, 'Pips'))).toBe('meanPips')
  expect(figureName('mean', unitWithin({ unit: 'QUOTE_ATOMS' }, ''))).toBe('meanQuote')
  // Nobody says it, or it is no figure.
  expect(figureName('threshold', unitWithin({}, ''))).toBe('threshold')
  expect(figureName('paths', unitWithin(share, ''))).toBe('paths')
})

it('takes a number of something for no amount of a token', () => {
  expect(meaningOf('controlEpoch', amount, 'AtomicAmount')).toBe('text')
  expect(meaningOf('nonce', amount, 'AtomicAmount')).toBe('text')
  expect(meaningOf('feeQuotePerMonth', amount, 'AtomicAmount')).toBe('quote')
  expect(meaningOf('size', amount, 'AtomicAmount')).toBe('atoms')
  expect(meaningOf('tradeSizeQuote', amount, 'SignedQuantity')).toBe('quote')
  expect(meaningOf('maximumDailyTurnover', amount, 'SignedQuantity')).toBe('quote')
})

it('says names and codes as people do', () => {
  expect(['assetKey', 'kpiId', 'vaultIds', 'feeQuotePerMonth', 'depthQuote'].map(labelOf)).toEqual([
    ...['Asset', 'KPI ID', 'Vault IDs', 'Fee per month', 'Depth'],
  ])
  expect(['GTE', 'LTE', 'CEX', 'UNISWAP_V3'].map(wordOf)).toEqual([
    ...['At least', 'At most', 'CEX', 'Uniswap v3'],
  ])
})
