import { expect, it } from 'vitest'
import { identify } from './identify.ts'

const address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const onMain = { chainId: 1, address }

it.each([
  [{ chainId: 1, address }, onMain],
  [{ marketId: 2930047658016157 }, onMain],
  [{ query: address.toLowerCase() }, { chainId: null, address }],
  [{ query: ` eip155:1/erc20:${address.toLowerCase()} ` }, onMain],
  [{ query: `https://etherscan.io/token/${address}?a=1` }, onMain],
  [{ query: `https://www.basescan.org/address/${address}/` }, { chainId: 8453, address }],
  [{ query: `https://dexscreener.com/base/${address.toLowerCase()}` }, { chainId: 8453, address }],
  [{ query: `https://www.geckoterminal.com/eth/pools/${address}` }, onMain],
] as const)('reads %j', (identifier, token) => {
  expect(identify(identifier).token).toMatchObject(token)
})

it.each([
  [{}, '(body)', 'got nothing'],
  [{ chainId: 1 }, 'address', 'is required'],
  [{ address }, 'chainId', 'is required'],
  [{ chainId: 1, address, query: 'x' }, '(body)', 'got address, chainId, query'],
  [{ marketId: 1 }, 'marketId', 'got 1'],
  [{ query: 'weth' }, 'query', 'got "weth"'],
  [{ query: 'https://example.org/token/0x1' }, 'query', 'must be an address'],
  [{ query: `https://etherscan.io/tx/${address}` }, 'query', 'must be an address'],
  [{ query: `0xc02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2` }, 'query', 'must be an address'],
  [{ query: `eip155:9999999999999999/erc20:${address}` }, 'query', 'must be an address'],
] as const)('refuses %j, and says what of it', (identifier, field, message) => {
  const { token, faults } = identify(identifier)
  expect(token).toBeNull()
  expect(faults?.[field]?.[0]).toContain(message)
})

it('names the fields where they are', () => {
  expect(identify({ chainId: 1 }, 'identifier.').faults).toHaveProperty(['identifier.address'])
  expect(identify({}, 'identifier.').faults).toHaveProperty(['identifier'])
})
