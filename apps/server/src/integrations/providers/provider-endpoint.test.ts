import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { Sealing } from '../../access/sealing.ts'
import { isShownOnly, keptEndpoint, openEndpoint } from './provider-endpoint.ts'

const sealing = new Sealing([{ id: 'a', key: randomBytes(32) }])

it.each([
  ['https://rpc.example.com/v3/key', 'https://rpc.example.com/…'],
  ['https://rpc.example.com:8545/?key=1', 'https://rpc.example.com:8545/…'],
])('%s is shown as %s, and opens again', (endpoint, shown) => {
  const kept = keptEndpoint(sealing, 'one', endpoint)
  expect([kept.endpoint, isShownOnly(shown)]).toEqual([shown, true])
  expect(openEndpoint(kept, 'one', sealing)).toBe(endpoint)
})

it.each(['https://rpc.example.com/', 'https://rpc.example.com'])('%s hides nothing', (endpoint) => {
  expect(keptEndpoint(sealing, 'one', endpoint)).toEqual({ endpoint })
})

it('opens for no other organization, for no other host, and under no other key', () => {
  const kept = keptEndpoint(sealing, 'one', 'https://rpc.example.com/v3/key')
  const others = new Sealing([{ id: 'a', key: randomBytes(32) }])
  const moved = { ...kept, endpoint: 'https://evil.example.com/…' }
  for (const open of [
    () => openEndpoint(kept, 'two', sealing),
    () => openEndpoint(moved, 'one', sealing),
    () => openEndpoint(kept, 'one', others),
  ]) {
    expect(open).toThrow(/Register the provider again/)
  }
})
