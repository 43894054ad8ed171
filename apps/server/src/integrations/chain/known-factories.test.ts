import { expect, it } from 'vitest'
import { factoryOf } from './known-factories.ts'
import { v3PoolAddress } from './pool-address.ts'

const v3 = (chainId: number, factory?: string) =>
  factoryOf({ kind: 'UNISWAP_V3', pair: { chainId }, ...(factory ? { factory } : {}) })

it('uses the Uniswap factory of the chain', () => {
  expect(v3(1)).toBe('0x1F98431c8aD98523631AE4a59f267346ea31F984')
  expect(v3(8453)).toBe('0x33128a8fC17869897dcE68Ed026d694621f6FDfD')
  expect(v3(56)).toBe('0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7')
  expect(factoryOf({ kind: 'UNISWAP_V2', pair: { chainId: 42161 } })).toBe(
    '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
  )
})

it('uses the Ethereum addresses on a test chain', () => {
  expect(v3(31337)).toBe(v3(1))
})

it('prefers the declared factory, and has none for other kinds', () => {
  const own = '0x00000000000000000000000000000000000000AA'
  expect(v3(8453, own)).toBe(own)
  expect(factoryOf({ kind: 'STABLESWAP', pair: { chainId: 1 } })).toBeNull()
})

it('derives the address of the deployed WETH/USDC 0.05 % pool on Base', () => {
  const [weth, usdc] = [
    '0x4200000000000000000000000000000000000006',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  ] as const
  expect(v3PoolAddress(v3(8453) as `0x${string}`, weth, usdc, 500)).toBe(
    '0xd0b53D9277642d899DF5C87A3966A349A798F224',
  )
})
