import { expect, it } from 'vitest'
import { figureName, labelOf, meaningOf, readableText, unitWithin, wordOf } from './meaning.ts'

const amount = { type: 'string', pattern: '^(0|-?[1-9][0-9]*)$' }

it('scales a figure by its unit and by the type that contains it', () => {
  const share = { metric: 'UPTIME_PIPS', threshold: '900000' }
  expect(figureName('threshold', unitWithin(share, ''))).toBe('thresholdPips')
  const depth = { metric: 'DEPTH_QUOTE', threshold: '1' }
  expect(figureName('threshold', unitWithin(depth, 'Pips'))).toBe('thresholdQuote')
  expect(figureName('mean', unitWithin({ mean: '1' }, 'Pips'))).toBe('meanPips')
  expect(figureName('mean', unitWithin({ unit: 'QUOTE_ATOMS' }, ''))).toBe('meanQuote')
  const months = { metric: 'RUNWAY_MONTHS_X3', threshold: '6000' }
  expect(figureName('threshold', unitWithin(months, ''))).toBe('thresholdX3')
  expect(figureName('value', unitWithin({ unit: 'ATOMS', name: 'reserveBase' }, ''))).toBe(
    'valueBase',
  )
  expect(figureName('value', unitWithin({ unit: 'ATOMS' }, ''))).toBe('valueAtoms')
  expect(figureName('value', unitWithin({ unit: 'MONTHS_X3' }, ''))).toBe('valueX3')
  expect(figureName('value', unitWithin({ unit: 'MULTIPLE_X3' }, ''))).toBe('valueX3')
  expect(figureName('value', unitWithin({ unit: 'SECONDS' }, ''))).toBe('valueSeconds')
  expect(meaningOf('valueSeconds', amount, 'DecisionValue')).toBe('duration')
  expect(meaningOf('valueX3', amount, 'DecisionValue')).toBe('thousandths')
  expect(figureName('to', unitWithin({ constraint: 'limits.perOptionPips' }, ''))).toBe('toPips')
  expect(figureName('to', unitWithin({ constraint: 'budget.base' }, ''))).toBe('toBase')
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
  expect(
    ['liquidity', 'gasUsed', 'violationE12'].map((key) => meaningOf(key, amount, 'AtomicAmount')),
  ).toEqual(['count', 'count', 'count'])
})

it('knows both tokens of a sale, its prices and its members in thousandths', () => {
  const meanings = (...keys: string[]) => keys.map((key) => meaningOf(key, amount, 'AtomicAmount'))
  expect(meanings('token', 'initialTokens', 'sold')).toEqual(['base', 'base', 'atoms'])
  expect(meanings('raised', 'minimumProceeds', 'requiredCurrencyRaised', 'cap')).toEqual([
    ...['quote', 'quote', 'quote', 'quote'],
  ])
  expect(meanings('averagePriceX36', 'floorPriceX96', 'sqrtPriceX96', 'runwayMonthsX3')).toEqual([
    ...['priceX36', 'priceX96', 'rootPrice', 'thousandths'],
  ])
})

it('says names and codes as people do', () => {
  expect(['assetKey', 'kpiId', 'vaultIds', 'feeQuotePerMonth', 'depthQuote'].map(labelOf)).toEqual([
    ...['Asset', 'KPI ID', 'Vault IDs', 'Fee per month', 'Depth'],
  ])
  expect(['GTE', 'LTE', 'CEX', 'UNISWAP_V3', 'MONTHS_X3'].map(wordOf)).toEqual([
    ...['At least', 'At most', 'CEX', 'Uniswap v3', 'Months'],
  ])
  // A price that stays constant and a candidate that keeps its tokens share this code.
  expect(wordOf('HOLD')).toBe('Hold')
  expect(labelOf('cadenceSeconds')).toBe('Interval')
  expect([labelOf('constructor'), wordOf('constructor')].map((text) => typeof text)).toEqual([
    ...['string', 'string'],
  ])
})

it('takes a factor for no price', () => {
  const amount = { type: 'string' } as never
  expect([meaningOf('scaleX18', amount, null), meaningOf('midX18', amount, null)]).toEqual([
    ...['factor', 'price'],
  ])
})

it('writes codes as words, except inside texts of users', () => {
  const sentence = 'No result for LIQUIDITY_DISAPPEARANCE: BASELINE_TOO_SHORT. ENS/WETH stays.'
  expect(readableText(sentence, 'explanation')).toBe(
    'No result for liquidity disappearance: baseline too short. ENS/WETH stays.',
  )
  expect(readableText('PAUSED_BY_OWNER', 'note')).toBe(wordOf('PAUSED_BY_OWNER'))
  const note = 'Run TREASURY_OPS_2 first.'
  expect(readableText(note, 'note')).toBe(note)
})
