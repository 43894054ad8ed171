import { readFileSync } from 'node:fs'
import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { v2PairAddress, v3PoolAddress } from './pool-address.ts'

const file = new URL('../../../../../datasets/v3-pool-addresses/pools.csv', import.meta.url)

describe('v3PoolAddress', () => {
  it('derives 120 pools of the main network', () => {
    const rows = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1)
    const factory = '0x1F98431c8aD98523631AE4a59f267346ea31F984'
    const derived = rows.map((row) => {
      const [, token0, token1, fee] = row.split(',') as [string, Address, Address, string]
      return v3PoolAddress(factory, token1, token0, Number(fee))
    })
    expect(derived).toHaveLength(120)
    expect(derived).toEqual(rows.map((row) => row.split(',')[4]))
  })
})

describe('v2PairAddress', () => {
  it('derives the USDC/WETH pair of the main network', () => {
    const factory = '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f'
    const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
    expect(v2PairAddress(factory, weth, usdc)).toBe('0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc')
  })
})
