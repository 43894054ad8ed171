import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { Sealing } from '../../access/sealing.ts'
import { isShownOnly, openEndpoint, sealEndpoint } from './provider-endpoint.ts'

const sealing = new Sealing([{ id: 'a', key: randomBytes(32) }])

it.each([
  ['https://rpc.example.com/v3/key', 'https://rpc.example.com/…'],
  ['https://rpc.example.com:8545/?key=1', 'https://rpc.example.com:8545/…'],
])('%s is shown as %s, and opens again', (endpoint, shown) => {
  const sealed = sealEndpoint(sealing, 'one', endpoint)
  expect([sealed.endpoint, isShownOnly(shown)]).toEqual([shown, true])
  expect(openEndpoint(sealed, 'one', sealing)).toBe(endpoint)
})

it.each(['https://rpc.example.com/', 'https://rpc.example.com'])('%s hides nothing', (endpoint) => {
  expect(sealEndpoint(sealing, 'one', endpoint)).toEqual({ endpoint })
})

it('opens for no other organization, for no other host, and under no other key', () => {
  const sealed = sealEndpoint(sealing, 'one', 'https://rpc.example.com/v3/key')
  const others = new Sealing([{ id: 'a', key: randomBytes(32) }])
  const moved = { ...sealed, endpoint: 'https://evil.example.com/…' }
  for (const open of [
    () => openEndpoint(sealed, 'two', sealing),
    () => openEndpoint(moved, 'one', sealing),
    () => openEndpoint(sealed, 'one', others),
  ]) {
    expect(open).toThrow(/Register the provider again/)
  }
})
