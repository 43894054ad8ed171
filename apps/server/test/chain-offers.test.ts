import { expect } from 'vitest'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'

const it = test.extend('settings', { scope: 'file' }, () => ({
  CHAIN_OFFERS: '1 Ethereum https://rpc.example.org/eth',
}))

it('lists the chains of the setting', async ({ owner }) => {
  const { status, data } = await callOperation(owner, 'listChainOffers')
  expect(status).toBe(200)
  expect(data).toEqual([{ chainId: 1, name: 'Ethereum', endpoint: 'https://rpc.example.org/eth' }])
})
