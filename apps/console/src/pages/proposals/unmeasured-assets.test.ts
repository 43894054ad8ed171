import { expect, it } from 'vitest'
import { unmeasuredAssets } from './unmeasured-assets.ts'

const [token, nft] = ['0xAA', '0xBB'] as const

it('lists payments without a simulated change', () => {
  const payments = [{ asset: token }, { asset: nft }, { asset: nft }, { asset: 'native' }]
  const effects = [
    { asset: '0xaa', delta: '-5' },
    { asset: nft, delta: '0' },
  ]
  expect(unmeasuredAssets(payments, effects)).toEqual([nft, 'native'])
  expect(unmeasuredAssets([{ asset: token }], effects)).toEqual([])
  expect(unmeasuredAssets([], [])).toEqual([])
})
