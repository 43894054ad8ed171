import { expect, it } from 'vitest'
import { chainAssets } from './chain-assets.ts'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const fake = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const known = {
  assetKey: `eip155:1/erc20:${usdc.toLowerCase()}`,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  chainId: 1,
  isOwn: false,
  source: 'CATALOGUE',
} as const

it('names only the tokens that the service lists, on their chain', () => {
  expect(chainAssets([known], 1)(usdc)).toEqual({ symbol: 'USDC', decimals: 6, address: usdc })
  expect(chainAssets([known], 1)(fake)).toBeNull()
  expect(chainAssets([known], 137)(usdc)).toBeNull()
})

it('names the native coin of the chain', () => {
  const coinOn = (chainId: number) => chainAssets([], chainId)('native')?.symbol
  expect([1, 56, 137, 8453, 31337].map(coinOn)).toEqual(['ETH', 'BNB', 'POL', 'ETH', 'native coin'])
})
