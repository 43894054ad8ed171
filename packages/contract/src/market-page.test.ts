import { expect, it } from 'vitest'
import { parseMarketPage, parsePastedMarket } from './market-page.ts'

const address = '0xd0b53D9277642d899DF5C87A3966A349A798F224'

it.each([
  [`https://www.geckoterminal.com/eth/pools/${address}`, 1, 'POOL'],
  [`https://www.geckoterminal.com/de/polygon_pos/tokens/${address}?x=1`, 137, 'TOKEN'],
  [`https://geckoterminal.com/bsc/pools/${address}/trades`, 56, 'POOL'],
  [`https://www.geckoterminal.com/zh-hans/eth/pools/${address}`, 1, 'POOL'],
  [`https://dexscreener.com/base/${address.toLowerCase()}`, 8453, 'TOKEN_OR_POOL'],
  [`https://dexscreener.com/arbitrum/${address}#chart`, 42161, 'TOKEN_OR_POOL'],
  [`https://app.uniswap.org/explore/pools/base/${address}`, 8453, 'POOL'],
  [` https://app.uniswap.org/explore/tokens/bnb/${address}\n`, 56, 'TOKEN'],
  [`https://etherscan.io/token/${address}?a=1`, 1, 'TOKEN'],
  [`https://www.basescan.org/address/${address}/`, 8453, 'TOKEN_OR_POOL'],
] as const)('reads %j', (url, chainId, kind) => {
  const page = parseMarketPage(url)
  expect(page).toMatchObject({ chainId, kind })
  expect(page?.address.toLowerCase()).toBe(address.toLowerCase())
})

it.each([
  address,
  `https://www.geckoterminal.com/solana/pools/${address}`,
  `https://www.geckoterminal.com/constructor/pools/${address}`,
  `https://dexscreener.com/ethereum/${address}0`,
  // A pool of Uniswap v4 has a 32-byte ID and no address.
  `https://app.uniswap.org/explore/pools/ethereum/0x${'ab'.repeat(32)}`,
  'https://app.uniswap.org/explore/tokens/ethereum/NATIVE',
  `https://dexscreener.com.example.org/ethereum/${address}`,
  `https://etherscan.io/tx/${address}`,
  `ftp://etherscan.io/token/${address}`,
  'https://',
])('rejects %j', (url) => {
  expect(parseMarketPage(url)).toBeNull()
})

it('reads a pasted address or page of the expected chain only', () => {
  const page = `https://dexscreener.com/base/${address}`
  expect(parsePastedMarket(page, 8453)).toBe(address)
  expect(parsePastedMarket(page, null)).toBe(address)
  expect(parsePastedMarket(page, 1)).toBeNull()
  expect(parsePastedMarket(`base:${address}`, 8453)).toBe(address)
  expect(parsePastedMarket(address, 1)).toBe(address)
  expect(parsePastedMarket('ENS', 1)).toBeNull()
})
