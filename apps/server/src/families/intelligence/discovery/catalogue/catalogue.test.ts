import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { catalogue, firstIdOf } from './catalogue.ts'

it('numbers a token by the hash of its key', () => {
  const weth = catalogue().byId.get(2930047658016157)
  expect(weth).toMatchObject({ chainId: 1, symbol: 'WETH', decimals: 18 })
  expect(firstIdOf(weth!.assetKey)).toBe(2930047658016157)
})

it('names every token once, checksummed, in the order of chain and address', () => {
  const { tokens, byId, byKey } = catalogue()
  expect(tokens.length).toBeGreaterThan(1000)
  expect(tokens.length).toBeLessThanOrEqual(2000)
  expect([byId.size, byKey.size]).toEqual([tokens.length, tokens.length])
  const places = tokens.map(
    ({ chainId, address }) => `${`${chainId}`.padStart(16, '0')}/${address.toLowerCase()}`,
  )
  expect(places).toEqual(places.toSorted())
  for (const { id, address, name, symbol, decimals } of tokens) {
    expect(Number.isSafeInteger(id)).toBe(true)
    expect(address).toBe(getAddress(address))
    expect(name.length).toBeLessThanOrEqual(80)
    expect(symbol.length).toBeLessThanOrEqual(40)
    expect(decimals).toBeLessThan(256)
  }
})
