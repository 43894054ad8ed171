import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { honest } from '../src/integrations/chain/testing/provider-proxy.ts'
import { hostOf } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { proxied, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization } from './support/service.ts'
import { execute, observed, proveControl, receiptsOf, theVault, vaulted } from './support/vaults.ts'

/** Whoever operates, checks and proves never signs for a chain and never sends to one. */
const it = test
  .extend('proxy', { scope: 'file' }, proxied(honest))
  .extend('settings', { scope: 'file' }, ({ proxy }) => ({ OUTBOUND_ALLOW: hostOf(proxy.url) }))

/** Everything that is asked of a chain; none of it changes one. */
const reads = [
  ...['eth_blockNumber', 'eth_call', 'eth_chainId', 'eth_createAccessList', 'eth_getBalance'],
  ...['eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_getCode', 'eth_getLogs', 'eth_getProof'],
  ...['eth_getStorageAt', 'eth_getTransactionByHash', 'eth_getTransactionCount'],
  ...['eth_getTransactionReceipt', 'eth_simulateV1', 'web3_clientVersion'],
]

it('calls only reading methods of a chain, from the first vault reading to its policy', async ({
  service,
  testChain,
  proxy,
}) => {
  await catchUp(testChain.chain, service)
  const through = { ...testChain, chain: { ...testChain.chain, rpcUrl: proxy.url } }
  const scene = await vaulted(through, await newOrganization(service))
  const { owner, safe } = scene
  await proveControl(through, scene)
  await execute(testChain, safe, { to: testChain.chain.accounts[9]!.address, nonce: 0n })
  await observed(service, scene)
  expect(await receiptsOf(owner)).toHaveLength(1)
  const { id: vaultId } = await theVault(owner)
  const reason = 'For the test'
  const drafted = await callOperation(owner, 'createPolicyIntentDrafts', {
    body: { payload: { vaultId, text: 'level 1', baseline: 'NONE' }, reason },
  })
  const limits = {
    vaultId,
    level: 3,
    maximumSlippagePips: 1,
    controlEpoch: '1',
    maximumAmountPerTransaction: '1',
    maximumDailyTurnover: '1',
    approvedContracts: [testChain.chain.contracts.swapRouter],
    approvedAssets: [...testChain.markets.tokens],
    approvedAdapterIds: ['uniswap-v3-swap-router'],
    minimumSecondsBetweenActions: 1,
    oracleMaximumAgeSeconds: 1,
    expiresAt: '2026-06-01T00:00:00Z',
    publicMempoolFallbackAllowed: false,
  }
  const expanded = await callOperation(owner, 'createAutonomyPolicies', {
    body: { payload: limits, reason },
  })
  const call = { to: testChain.chain.contracts.swapRouter, value: '0', data: '0x414bf389' }
  const checked = await callOperation(owner, 'checkAutonomyPolicy', {
    body: {
      payload: {
        policy: { inline: limits },
        action: {
          kind: 'SWAP',
          chainId: 31_337,
          adapterId: 'uniswap-v3-swap-router',
          route: 'PRIVATE',
          purpose: 'BOUNDED',
          calls: [call],
        },
      },
      reason,
    },
  })
  expect([drafted.status, expanded.status, checked.status]).toEqual([201, 409, 200])
  const methods = new Set(proxy.calls.map(({ method }) => method))
  expect([...methods].filter((method) => !reads.includes(method))).toEqual([])
  expect(methods).toContain('eth_getTransactionReceipt')
})

it('has no code that could: neither a key of an account nor a method that signs or sends', () => {
  const root = fileURLToPath(new URL('../src', import.meta.url))
  const could =
    /eth_send|eth_sign|personal_|wallet_|privateKeyToAccount|mnemonicToAccount|createWalletClient|sendRawTransaction|signTransaction|signTypedData/
  const files = globSync('**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !/(^|\/)testing\//.test(file),
  )
  expect(files.length).toBeGreaterThan(500)
  const found = files.filter((file) => could.test(readFileSync(`${root}/${file}`, 'utf8')))
  expect(found).toEqual([])
})
