import { expect, it } from 'vitest'
import { limitName, limitText } from './limit-text.ts'

const units = { baseDecimals: 18, quoteDecimals: 6, quote: 'USDC' }
const max = `${2n ** 256n - 1n}`

it('shows limits in their units', () => {
  const limits = [
    ['maximumSlippagePips', '5000', '0.5 %'],
    ['minimumSecondsBetweenActions', '3600', '1 h'],
    ['oracleMaximumAgeSeconds', '300', '5 min'],
    ['maximumAmountPerTransaction', '5000000000', '5000 USDC'],
    ['maximumPriceX18', max, 'unlimited'],
    ['minimumPriceX18', max, 'nothing allowed'],
    ['minimumPriceX18', '1500000', '1.5'],
    ['expiresAt', '2026-12-30T17:23:19Z', '2026-12-30 17:23 UTC'],
    ['vaultId', 'vault_01a2', 'this vault'],
    ['publicMempoolFallbackAllowed', '0', 'no'],
    ['approvedAssets', '', 'none'],
    ['level', '2', '2'],
  ] as const
  for (const [field, value, text] of limits)
    expect(limitText(field, value, units), field).toBe(text)
})

it('shows stored values without the units of the market', () => {
  expect(limitText('maximumDailyTurnover', '20', null)).toBe('20')
  expect(limitText('maximumSlippagePips', '1', null)).toBe('0.0001 %')
})

it('names limits without their units', () => {
  const names = [
    ...['maximumSlippagePips', 'minimumSecondsBetweenActions', 'minimumPriceX18'],
    ...['vaultId', 'approvedAdapterIds', 'publicMempoolFallbackAllowed'],
  ]
  expect(names.map(limitName)).toEqual([
    'maximum slippage',
    'minimum time between actions',
    'minimum price',
    ...['vault', 'approved adapters', 'public mempool fallback'],
  ])
})
