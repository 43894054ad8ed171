import { expect, it } from 'vitest'
import { helpText } from './help-text.ts'

it('shows codes as words, and omits sentences on formats of the API', () => {
  const texts = [
    'Unsigned integer below 2^256 in atomic units of the named asset, as a decimal string without leading zeros.',
    'Objective of the budget; TRADER_COST_SAVED is net of rewards and dilution.',
    'Their weights and idlePips sum to 1,000,000. Default: `EQUAL_VALUE`.',
    'Interval between samples. Default: 300.',
    'REPLAY runs on observed events, MONTE_CARLO on simulated price paths.',
    undefined,
  ]
  expect(texts.map(helpText)).toEqual([
    '',
    'Objective of the budget; trader cost saved is net of rewards and dilution.',
    'Default: equal value.',
    'Interval between samples. Default: 300.',
    'Backtest runs on observed events, Monte Carlo simulation on simulated price paths.',
    '',
  ])
})
