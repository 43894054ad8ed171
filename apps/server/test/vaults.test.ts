// @module-tag long
// @covers apps/server/src/families/prove/vaults

import type { contract } from '@liquidity-os/contract'
import {
  artifact,
  deploySafe13,
  erc20Abi,
  inOneBlock,
  multiSendData,
  type SafeRelease,
  safeTransactionHash,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { describe, expect } from 'vitest'
import { sweepVaults } from '../src/families/prove/vaults/vault-sweep.ts'
import { queueDue } from '../src/jobs/schedules.ts'
import { hourMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, type TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestService } from './support/service.ts'
import {
  execute,
  observed,
  ownersOf,
  proveControl,
  receiptsOf,
  signedExecution,
  theVault,
  type Vault,
  type Vaulted,
  vaulted,
} from './support/vaults.ts'

const it = test.extend('settings', { scope: 'file' }, ({ testChain }) => ({
  OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
  VAULT_SNAPSHOT_SECONDS: '300',
}))

it.beforeAll(async ({ service, testChain }) => {
  await catchUp(testChain.chain, service)
})

const controlAbi = parseAbi([
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function removeOwner(address previous, address owner, uint256 threshold)',
  'function enableModule(address module)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool)',
])
const transfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
const base = (testChain: TestChain) => testChain.markets.tokens[0]
const someone = (testChain: TestChain) => testChain.chain.accounts[9]!.address
const faults = ({ payload }: Vault) => payload.checks.flatMap(({ code, ok }) => (ok ? [] : [code]))

async function fresh(
  service: TestService,
  testChain: TestChain,
  terms: Parameters<typeof vaulted>[2] = {},
): Promise<Vaulted> {
  return vaulted(testChain, await newOrganization(service), terms)
}

/** Mines some transactions of one sender as one block, and makes it final. */
async function inFinalBlock(
  testChain: TestChain,
  sent: readonly { to: Address; data: Hex }[],
): Promise<void> {
  const from = testChain.chain.accounts[8]!.address
  await inOneBlock(
    testChain.chain,
    sent.map((call) => ({ from, ...call })),
  )
  await testChain.chain.mine(3)
}

describe('a vault', () => {
  it('appears by its holding and its venue, and is qualified once its control is proven', async ({
    service,
    testChain,
  }) => {
    const scene = await fresh(service, testChain)
    expect(await observed(service, scene)).toMatchObject({ status: 'COMPLETED' })
    const first = await theVault(scene.owner)
    expect([first.status, first.payload.qualification, faults(first)]).toEqual([
      ...['PARTIAL', 'UNQUALIFIED', ['CONTROL_PROOF']],
    ])
    expect(first.payload).toMatchObject({
      safeAddress: scene.safe,
      controlEpoch: '1',
      policy: null,
      passport: null,
      claimBlockers: ['VAULT_UNQUALIFIED', 'SCORE_NOT_ACTIVE'],
      control: { version: '1.4.1', threshold: 2, nonce: '0', modules: [], guard: null },
      receipts: { count: 0, isWhole: true },
      finality: { rule: 'TAG', providers: 1, limitations: ['SINGLE_RPC_PROVIDER'] },
    })
    await proveControl(testChain, scene)
    await observed(service, scene)
    const second = await theVault(scene.owner)
    expect([second.id, second.status, faults(second)]).toEqual([first.id, 'ACTIVE', []])
    // Nothing but the block is another: no version.
    await testChain.chain.mine(2)
    await observed(service, scene)
    expect((await theVault(scene.owner)).resourceVersion).toBe(second.resourceVersion)
  })

  it('reads owners in the order of the Safe and its balances at the finalized block', async ({
    service,
    testChain,
  }) => {
    const scene = await fresh(service, testChain)
    await observed(service, scene)
    const vault = await theVault(scene.owner)
    const [token] = testChain.markets.tokens
    const chainOwners = await testChain.chain.publicClient.readContract({
      address: scene.safe,
      abi: parseAbi(['function getOwners() view returns (address[])']),
      functionName: 'getOwners',
    })
    const held = await testChain.chain.publicClient.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [scene.safe],
    })
    const { data } = await callOperation<contract.VaultSafe>(scene.owner, 'readVaultSafe', {
      params: { id: vault.id },
      query: { assets: `${token},${testChain.chain.accounts[7]!.address}` },
    })
    expect(data.owners).toEqual(chainOwners)
    expect(data.threshold).toBe(2)
    // An account without code is no token, and a token is listed once.
    expect(data.balances.map(({ asset }) => asset)).toEqual([
      ...testChain.markets.tokens.slice(0, 2).map((one) => one.toLowerCase()),
      'native',
    ])
    expect(data.balances[0]).toEqual({ asset: token.toLowerCase(), amount: `${held}` })
    const other = await newOrganization(service)
    const foreign = await callOperation(other, 'readVaultSafe', { params: { id: vault.id } })
    expect(foreign.status).toBe(404)
  })

  it('with a single owner who can act alone, or an undeclared module, is unqualified', async ({
    service,
    testChain,
  }) => {
    const scene = await fresh(service, testChain, { threshold: 1 })
    const module = await testChain.chain.deploy(artifact('SignMessageLib').bytecode)
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: 'enableModule',
      args: [module],
    })
    await execute(testChain, scene.safe, { to: scene.safe, data, nonce: 0n })
    await observed(service, scene)
    const vault = await theVault(scene.owner)
    expect(faults(vault)).toEqual(['THRESHOLD', 'MODULES', 'CONTROL_PROOF'])
    const codeHash = vault.payload.attached.find(({ role }) => role === 'MODULE')!.codeHash
    const declare = (declared: object[], by = scene.owner, ifMatch = vault.resourceVersion) =>
      callOperation<Vault>(by, 'declareVaultControl', {
        params: { id: vault.id },
        ifMatch,
        body: { payload: { declared }, reason: 'Reviewed' },
      })
    const known = { role: 'MODULE', address: module, codeHash, note: 'Reviewed in March' }
    const twice = await declare([known, known])
    expect([twice.status, twice.code]).toEqual([422, 'LIQUIDITY_VAULT_DECLARATION_DUPLICATE'])
    const other = await declare([{ ...known, codeHash: `0x${'1'.repeat(64)}` }])
    expect(faults(other.data)).toContain('MODULES')
    const declared = await declare([known], scene.owner, other.data.resourceVersion)
    expect(faults(declared.data)).toEqual(['THRESHOLD', 'CONTROL_PROOF'])
    const analyst = await newMember(service, scene.owner.organizationId, 'ANALYST')
    expect((await declare([], analyst)).code).toBe('LIQUIDITY_ROLE_REQUIRED')
  })

  it('counts a change of its control and its undoing as two epochs', async ({
    service,
    testChain,
  }) => {
    const scene = await fresh(service, testChain)
    await observed(service, scene)
    const added = someone(testChain)
    const call = (
      functionName: 'addOwnerWithThreshold' | 'removeOwner',
      args: readonly unknown[],
    ) => encodeFunctionData({ abi: controlAbi, functionName, args } as never)
    const sentinel = '0x0000000000000000000000000000000000000001'
    const add = call('addOwnerWithThreshold', [added, 2n])
    const remove = call('removeOwner', [sentinel, added, 2n])
    await execute(testChain, scene.safe, { to: scene.safe, data: add, nonce: 0n })
    await execute(testChain, scene.safe, { to: scene.safe, data: remove, nonce: 1n })
    await observed(service, scene)
    const vault = await theVault(scene.owner)
    expect([vault.payload.controlEpoch, vault.payload.control.owners.length]).toEqual(['3', 3])
    const response = await callOperation<{ events: unknown[] }>(scene.owner, 'listEvents', {
      query: { kind: 'vault.control_changed' },
    })
    expect(response.data.events).toHaveLength(1)
  })

  it('with a singleton changed by delegate call and back has both changes in its history', async ({
    service,
    testChain,
  }) => {
    const scene = await fresh(service, testChain)
    await proveControl(testChain, scene)
    await observed(service, scene)
    expect((await theVault(scene.owner)).status).toBe('ACTIVE')
    // Init code of: PUSH20 <other> PUSH0 SSTORE STOP; what a delegate call of it writes is slot 0 of the Safe.
    const { safeSingleton } = testChain.chain.contracts
    const other = await testChain.chain.deploy(artifact('SafeL2').bytecode)
    const rewriterOf = (to: Address) =>
      testChain.chain.deploy(`0x60188060095f395ff373${to.slice(2)}5f5500` as Hex)
    const forth = await rewriterOf(other)
    const back = await rewriterOf(safeSingleton)
    await execute(testChain, scene.safe, { to: forth, operation: 1, nonce: 0n })
    await execute(testChain, scene.safe, { to: back, operation: 1, nonce: 1n })
    await observed(service, scene)
    const vault = await theVault(scene.owner)
    expect([vault.payload.controlEpoch, vault.payload.control.singleton]).toEqual([
      ...['3', safeSingleton],
    ])
    await execute(testChain, scene.safe, {
      to: await rewriterOf(someone(testChain)),
      operation: 1,
      nonce: 2n,
    })
    await observed(service, scene)
    const lost = await theVault(scene.owner)
    expect([lost.status, lost.payload.controlEpoch]).toEqual(['PARTIAL', '4'])
    expect(faults(lost)).toEqual(['SINGLETON'])
    expect(lost.payload.control).toMatchObject({ singleton: someone(testChain), threshold: 2 })
  })

  it('becomes stale without readings, and is retired without a qualifying record', async ({
    service,
    testChain,
  }) => {
    const scene = await fresh(service, testChain)
    await observed(service, scene)
    service.clock.advance(2 * hourMilliseconds)
    await sweepVaults(service.services)
    const stale = await theVault(scene.owner)
    expect([stale.status, stale.payload.qualification]).toEqual(['PAUSED', 'STALE'])
    await catchUp(testChain.chain, service)
    await observed(service, scene)
    expect((await theVault(scene.owner)).status).toBe('PARTIAL')
    const { body } = await scene.owner.client.listTreasuryEntries()
    const { id, resourceVersion } = body.data[0]!
    const owner = await newMember(service, scene.owner.organizationId, 'OWNER')
    const retired = await callOperation(owner, 'retireTreasuryLedgerEntry', {
      params: { id },
      ifMatch: resourceVersion,
      body: { disposition: 'MOVED', reason: 'Elsewhere' },
    })
    expect(retired.status).toBe(200)
    await sweepVaults(service.services)
    const gone = await theVault(scene.owner)
    expect(gone.status).toBe('RETIRED')
    const declare = await callOperation(owner, 'declareVaultControl', {
      params: { id: gone.id },
      ifMatch: gone.resourceVersion,
      body: { payload: { declared: [] }, reason: 'Too late' },
    })
    expect([declare.status, declare.code]).toEqual([409, 'LIQUIDITY_VAULT_RETIRED'])
    const again = await callOperation(scene.owner, 'observeVaults', {
      body: { payload: { entryId: id }, reason: 'Too late' },
    })
    expect([again.status, again.code]).toEqual([422, 'LIQUIDITY_VAULT_HOLDING_UNSUITABLE'])
  })

  it('is read by its schedule, once at a time', async ({ service, testChain }) => {
    const scene = await fresh(service, testChain)
    service.clock.advance(301_000)
    await queueDue(service.services)
    const taken = await callOperation(scene.owner, 'observeVaults', {
      body: { payload: { entryId: scene.entryId }, reason: 'At once' },
    })
    expect([taken.status, taken.code]).toEqual([409, 'LIQUIDITY_VAULT_OBSERVATION_RUNNING'])
    const { body } = await scene.owner.client.getOperatingSystemWorkspace()
    expect(body.data.schedules).toContainEqual(
      expect.objectContaining({ task: 'VAULT_SNAPSHOT', everySeconds: 300 }),
    )
  })
})

describe('receipts', () => {
  it.for(['1.4.1', '1.3.0', 'L2'])(
    'of three transactions in one block of a Safe %s',
    async (kind, { service, testChain }) => {
      const { chain } = testChain
      const release: SafeRelease | undefined =
        kind === '1.4.1'
          ? undefined
          : kind === '1.3.0'
            ? await deploySafe13(chain)
            : {
                singleton: await chain.deploy(artifact('SafeL2').bytecode),
                proxyFactory: chain.contracts.safeProxyFactory,
                fallbackHandler: chain.contracts.fallbackHandler,
              }
      const scene = await fresh(service, testChain, release ? { release } : {})
      const { safe } = scene
      const batch = multiSendData([
        { to: base(testChain), data: transfer(someone(testChain), 5n) },
        { to: someone(testChain), value: 3n, data: '0x' },
      ])
      await chain.send({ from: chain.accounts[0]!.address, to: safe, value: 10n })
      const calls = [
        { to: base(testChain), data: transfer(someone(testChain), 7n), nonce: 0n },
        { to: chain.contracts.multiSendCallOnly, data: batch, operation: 1 as const, nonce: 1n },
        { to: base(testChain), data: transfer(someone(testChain), 11n), nonce: 2n },
      ]
      const datas = await Promise.all(calls.map((call) => signedExecution(testChain, safe, call)))
      // The third is passed on by somebody else, so its transaction is not to the Safe.
      const relayed = multiSendData([{ to: safe, data: datas[2]! }])
      await inFinalBlock(testChain, [
        { to: safe, data: datas[0]! },
        { to: safe, data: datas[1]! },
        { to: chain.contracts.multiSendCallOnly, data: relayed },
      ])
      await observed(service, scene)
      const receipts = await receiptsOf(scene.owner)
      expect(receipts.map(({ status, payload }) => [status, payload.nonce, payload.gaps])).toEqual([
        ...[0, 1, 2].map((nonce) => ['COMPLETED', `${nonce}`, []]),
      ])
      expect(receipts.map(({ payload }) => payload.safeTxHash)).toEqual(
        calls.map((call) =>
          safeTransactionHash(31_337, safe, { value: 0n, operation: 0, ...call }),
        ),
      )
      const signers = ownersOf(testChain)
        .slice(0, 2)
        .map(({ address }) => address)
        .sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
      for (const { payload } of receipts) {
        expect(payload).toMatchObject({
          via: 'SAFE',
          outcome: 'SUCCESS',
          signers,
          verdict: 'NO_POLICY',
          policyInForce: null,
          reconciliation: 'UNREGISTERED',
          executor: chain.accounts[8]!.address,
        })
      }
      expect(receipts.map(({ payload }) => payload.effects.net)).toEqual([
        [{ asset: base(testChain), delta: '-7' }],
        [
          { asset: base(testChain), delta: '-5' },
          { asset: 'native', delta: '-3' },
        ],
        [{ asset: base(testChain), delta: '-11' }],
      ])
      expect(receipts[1]!.payload.calls).toMatchObject([
        { to: base(testChain), value: '0', selector: '0xa9059cbb', operation: 'CALL' },
        { to: someone(testChain), value: '3', selector: null, operation: 'CALL' },
      ])
      const { database, artifacts } = service.services
      const { organizationId } = scene.owner
      expect((await verifyHistory(database, organizationId, artifacts)).faults).toEqual([])
      // Read again: the same receipts.
      await observed(service, scene)
      expect(await receiptsOf(scene.owner)).toEqual(receipts)
      expect((await theVault(scene.owner)).payload.receipts.count).toBe(3)
    },
  )

  it('of a module say that no owner signed, and of a build that logs no call that it is not known', async ({
    service,
    testChain,
  }) => {
    const { chain } = testChain
    const l2 = {
      singleton: await chain.deploy(artifact('SafeL2').bytecode),
      proxyFactory: chain.contracts.safeProxyFactory,
      fallbackHandler: chain.contracts.fallbackHandler,
    }
    const module = chain.accounts[5]!.address
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: 'enableModule',
      args: [module],
    })
    for (const [release, status] of [
      [l2, 'COMPLETED'],
      [undefined, 'PARTIAL'],
    ] as const) {
      const scene = await fresh(service, testChain, release ? { release } : {})
      await execute(testChain, scene.safe, { to: scene.safe, data, nonce: 0n })
      const args = [base(testChain), 0n, transfer(someone(testChain), 13n), 0] as const
      const act = encodeFunctionData({
        abi: controlAbi,
        functionName: 'execTransactionFromModule',
        args,
      })
      await chain.send({ from: module, to: scene.safe, data: act })
      const vain = [base(testChain), 0n, transfer(someone(testChain), 10n ** 30n), 0] as const
      const failing = encodeFunctionData({
        abi: controlAbi,
        functionName: 'execTransactionFromModule',
        args: vain,
      })
      await chain.send({ from: module, to: scene.safe, data: failing })
      await chain.mine(3)
      await observed(service, scene)
      const [, receipt, failed] = await receiptsOf(scene.owner)
      expect(failed?.payload).toMatchObject({
        outcome: 'FAILURE',
        effects: { transfers: [], net: [] },
      })
      expect(receipt).toMatchObject({
        status,
        payload: {
          via: 'MODULE',
          module,
          safeTxHash: null,
          nonce: null,
          signers: [],
          effects: { net: [{ asset: base(testChain), delta: '-13' }] },
          gaps: status === 'PARTIAL' ? [{ code: 'CALLS_UNRESOLVED' }] : [],
        },
      })
      expect(receipt?.payload.calls?.[0]?.selector ?? null).toBe(
        status === 'PARTIAL' ? null : '0xa9059cbb',
      )
    }
  })

  it('exclude complete reverts of the Safe, which have no log', async ({ service, testChain }) => {
    const scene = await fresh(service, testChain)
    const call = { to: base(testChain), data: transfer(someone(testChain), 10n ** 30n), nonce: 0n }
    await expect(execute(testChain, scene.safe, call)).rejects.toMatchObject({ reason: 'GS013' })
    await observed(service, scene)
    expect(await receiptsOf(scene.owner)).toEqual([])
    const vault = await theVault(scene.owner)
    expect(vault.payload.control.nonce).toBe('0')
    expect(vault.payload.control.guard ?? zeroAddress).toBe(zeroAddress)
  })
})
