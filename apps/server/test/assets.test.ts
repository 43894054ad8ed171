import type { contract } from '@liquidity-os/contract'
import { expect } from 'vitest'
import { treasuryAssets } from '../src/families/plan/treasury-assets/records.ts'
import { recordsOf } from './support/admissible.ts'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember, TestService } from './support/service.ts'

const list = (by: TestMember, query: Record<string, string | number> = {}) =>
  callOperation<contract.KnownAsset[]>(by, 'listAssets', { query })

const own = `eip155:1/erc20:0x${'a'.repeat(40)}`
const uni = 'eip155:1/erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'

async function declare(service: TestService, by: TestMember, payload: object): Promise<void> {
  const { change } = treasuryAssets.first(recordsOf(service, by), {
    status: 'ACTIVE',
    payload: { decimals: 18, own: null, pending: null, ...payload } as never,
    reason: 'For the test',
    event: 'treasury.asset.declared',
  })
  await service.services.committer.commit(change)
}

const it = test.extend('declared', { scope: 'file' }, async ({ service, owner }) => {
  await declare(service, owner, { assetKey: own, symbol: 'UNIQ', class: 'OWN_TOKEN' })
  await declare(service, owner, { assetKey: uni, symbol: 'UNI', class: 'CRYPTO_OTHER' })
  return true
})

it('lists own tokens first, then those of the organization, then the catalog', async ({
  owner,
  declared,
}) => {
  expect(declared).toBe(true)
  expect((await list(owner)).data).toEqual([
    {
      assetKey: own,
      symbol: 'UNIQ',
      name: null,
      decimals: 18,
      chainId: 1,
      isOwn: true,
      source: 'CHAIN',
    },
    {
      assetKey: uni,
      symbol: 'UNI',
      name: 'Uniswap',
      decimals: 18,
      chainId: 1,
      isOwn: false,
      source: 'CHAIN',
    },
  ])
  const { data } = await list(owner, { query: 'uni', chainId: 1 })
  expect(data.slice(0, 2).map(({ symbol }) => symbol)).toEqual(['UNIQ', 'UNI'])
  expect(new Set(data.slice(2).map(({ source }) => source))).toEqual(new Set(['CATALOGUE']))
  expect(new Set(data.map(({ chainId }) => chainId))).toEqual(new Set([1]))
  expect(new Set(data.map(({ assetKey }) => assetKey)).size).toBe(data.length)
})

it('has only the catalog for another organization', async ({ stranger, declared }) => {
  expect(declared).toBe(true)
  expect((await list(stranger)).data).toEqual([])
  const { data } = await list(stranger, { query: uni.slice(-42) })
  expect(data).toMatchObject([{ assetKey: uni, source: 'CATALOGUE', isOwn: false }])
  const some = await list(stranger, { query: 'usd', limit: 2 })
  expect([some.data.length, some.meta]).toEqual([2, { count: 2, hasMore: true }])
})

it('names the field of a bad query', async ({ stranger }) => {
  const { status, fieldErrors } = await list(stranger, { limit: 101 })
  expect([status, Object.keys(fieldErrors)]).toEqual([400, ['query.limit']])
})
