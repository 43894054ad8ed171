import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainClient } from './client.ts'
import { probeProvider } from './probe.ts'
import { type Behaviour, type ProviderProxy, startProviderProxy } from './testing/provider-proxy.ts'

let chain: Localchain
const proxies: ProviderProxy[] = []
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  await chain.stop()
})

async function probe(behave: Behaviour, chainId = 31337) {
  const proxy = await startProviderProxy(chain.rpcUrl, behave)
  proxies.push(proxy)
  const client = chainClient({ endpoint: proxy.url, fetch, timeoutMs: 500 })
  return probeProvider(client, { chainId, finality: 'finalized' })
}

const refuse = (message: string) => ({ error: { code: -32602, message } })

describe('probeProvider', () => {
  it('records what an archive node of the right chain shows', async () => {
    const evidence = await probe((_, forward) => forward())
    expect(evidence.checks.map(({ code, ok }) => [code, ok])).toEqual([
      ['CHAIN_ID', true],
      ['FINALIZED_BLOCK', true],
    ])
    expect(evidence.capabilities).toEqual(['FINALIZED_TAG', 'EIP_1898', 'ARCHIVE'])
    expect(evidence.facts).toMatchObject({ chainId: '31337', headerHash: 'RECOMPUTED' })
    expect(evidence.facts.clientVersion).toMatch(/^anvil/)
  })

  it('fails the check of another chain', async () => {
    const { checks } = await probe((_, forward) => forward(), 1)
    expect(checks[0]).toEqual({ code: 'CHAIN_ID', ok: false, expected: '1', observed: '31337' })
  })

  it('omits features that an old pruned node lacks', async () => {
    const { capabilities, checks } = await probe(async ({ params }, forward) => {
      if (params[0] === 'finalized') return refuse('unknown tag')
      if (typeof params[1] === 'object') return refuse('cannot unmarshal object')
      if (params[1] === '0x1') return { error: { code: -32000, message: 'missing trie node' } }
      return forward()
    })
    expect(capabilities).toEqual([])
    expect(checks[1]).toMatchObject({ code: 'FINALIZED_BLOCK', ok: false })
  })

  it('does not admit a provider that hangs', async () => {
    await expect(probe(async () => 'HANG')).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
    })
  })
})
