import { readdirSync, readFileSync } from 'node:fs'
import { contract } from '@liquidity-os/contract'
import { Compile } from 'typebox/schema'
import { isAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  multiSendCallOnlyCode,
  positionManagerCode,
  swapRouterCode,
  v2RouterCode,
  weth9Code,
} from '../../integrations/chain/known-code.ts'

const folder = new URL('../../../../../packages/contract/src/', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, folder), 'utf8')) as unknown
const packs = readdirSync(new URL('adapters/', folder)).map((name) => `adapters/${name}`)
const chains = [1, 10, 56, 137, 8453, 42_161]
const adapterOf = (id: string) => contract.adapters.find(({ adapterId }) => adapterId === id)!

describe('adapter packs', () => {
  it.each(packs)('%s is what the schema says', (pack) => {
    const schema = Compile(read('adapters.schema.json') as never)
    expect(schema.Errors(read(pack))).toEqual([true, []])
  })

  it('name each adapter once, with checksummed addresses and a template for each template hash', () => {
    const ids = contract.adapters.map(({ adapterId }) => adapterId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { adapterId, contracts, templates = [] } of contract.adapters) {
      for (const { address, code, chainId } of contracts) {
        expect(isAddress(address, { strict: true }), `${adapterId} ${address}`).toBe(true)
        const hashes = templates.map(({ hash }) => hash)
        if (code?.evidence === 'TEMPLATE') expect(hashes, `${chainId}`).toContain(code.hash)
        expect(code?.hash === null, `${adapterId} ${chainId}`).toBe(
          code?.evidence === 'ADDRESS_ONLY',
        )
      }
    }
  })

  it('cover liquidity on six chains', () => {
    for (const id of ['uniswap-v3-positions', 'uniswap-v2-liquidity', 'safe-batch-call-only']) {
      const found = new Set(adapterOf(id).contracts.map(({ chainId }) => chainId))
      expect([...chains, 31_337].filter((chainId) => !found.has(chainId))).toEqual([])
    }
  })

  // The test of known code recomputes these builds from their npm packages.
  it.each([
    ['uniswap-v3-positions', positionManagerCode],
    ['uniswap-v3-swap-router', swapRouterCode],
    ['uniswap-v2-liquidity', v2RouterCode],
    ['wrapped-native', weth9Code],
  ] as const)('%s has the template of the published build', (id, { hash, bytes, immutables }) => {
    expect(adapterOf(id).templates).toMatchObject([{ hash, bytes, immutables }])
  })

  it('has the published hash of the batch contract', () => {
    const [first] = adapterOf('safe-batch-call-only').contracts
    expect(first?.code).toMatchObject({
      evidence: 'PUBLISHED_HASH',
      hash: multiSendCallOnlyCode.hash,
    })
  })
})
