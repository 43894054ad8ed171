// @module-tag long
// @covers apps/server/src/families/operate/proposals

import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  artifact,
  deploySafe13,
  inOneBlock,
  multiSendData,
  type SafeRelease,
  safeTransactionHash,
  swapRouterAbi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, onTestFinished } from 'vitest'
import { watchSafes } from '../src/families/prove/vaults/safe-watch.ts'
import { type Behaviour, honest } from '../src/integrations/chain/testing/provider-proxy.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, providerBody, type TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { proxied, test } from './support/fixtures.ts'
import {
  approved,
  carriedOut,
  current,
  type Desk,
  type Proposal,
  packetBody,
  propose,
  proposed,
  safeTransactionOf,
  startDesk,
  submit,
  transferData,
} from './support/proposing.ts'
import { callOperation, type TestResponse } from './support/requests.ts'
import type { TestService } from './support/service.ts'
import {
  endReadings,
  execute,
  observed,
  ownersOf,
  receiptsOf,
  signedExecution,
  theVault,
} from './support/vaults.ts'

let behave: Behaviour = honest
const it = test
  .extend(
    'proxy',
    { scope: 'file' },
    proxied((call, forward) => behave(call, forward)),
  )
  .extend('settings', { scope: 'file' }, ({ testChain, proxy }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, proxy.url),
  }))
  .extend('desk', { scope: 'file', auto: true }, async ({ service, testChain }) => {
    await catchUp(testChain.chain, service)
    return startDesk(testChain, service)
  })

const base = (testChain: TestChain) => testChain.markets.tokens[0]
const someone = (testChain: TestChain) => testChain.chain.accounts[9]!.address
const pays = (testChain: TestChain, amount: bigint) => [
  { to: base(testChain) as string, data: transferData(someone(testChain), amount) },
]
const refusal = ({ status, code }: TestResponse<unknown>) => [status, code]

/** A packet of a desk that both reviewers approved. */
async function agreed(
  service: TestService,
  scene: Desk,
  calls: Parameters<typeof packetBody>[2],
  change: Record<string, unknown> = {},
): Promise<Proposal> {
  const { id } = await proposed(scene.analyst, packetBody(service, scene, calls, change))
  return approved(scene, id)
}

/** Another behaviour of the provider for one test. */
function misbehaving(how: Behaviour): void {
  behave = how
  onTestFinished(() => {
    behave = honest
  })
}

/** A provider that changes the signatures of a transaction, so that they resolve to no owners. */
const withOtherSignatures: Behaviour = async ({ method }, forward) => {
  const answer = await forward()
  if (method !== 'eth_getTransactionByHash') return answer
  const { input, ...rest } = answer.result as { input: string }
  // The last byte but the padding of the signatures is another.
  const at = input.lastIndexOf('1c') > input.lastIndexOf('1b') ? '1c' : '1b'
  const index = input.lastIndexOf(at)
  const changed = `${input.slice(0, index - 8)}deadbeef${input.slice(index)}`
  return { result: { ...rest, input: changed } }
}

async function throughProxy({ owner }: Desk, url: string): Promise<void> {
  const { body } = await owner.client.listOperatingSystemProviders()
  const { resourceVersion } = body.data[0]!
  const response = await callOperation(owner, 'putOperatingSystemProvider', {
    body: providerBody(url),
    ifMatch: resourceVersion,
  })
  if (response.status >= 300)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
}

/** Mines some transactions of one sender as one block, and makes it final. */
async function inFinalBlock(
  testChain: TestChain,
  sent: readonly { to: Address; data: Hex }[],
): Promise<Hex[]> {
  const from = testChain.chain.accounts[8]!.address
  const hashes = await inOneBlock(
    testChain.chain,
    sent.map((call) => ({ from, ...call })),
  )
  await testChain.chain.mine(3)
  return hashes
}

const releaseOf = async (testChain: TestChain, kind: string): Promise<SafeRelease | undefined> =>
  kind === '1.4.1'
    ? undefined
    : kind === '1.3.0'
      ? deploySafe13(testChain.chain)
      : {
          singleton: await testChain.chain.deploy(artifact('SafeL2').bytecode),
          proxyFactory: testChain.chain.contracts.safeProxyFactory,
          fallbackHandler: testChain.chain.contracts.fallbackHandler,
        }

describe.each(['1.4.1', '1.3.0', 'L2'])('three packets of a Safe %s in one block', (kind) => {
  it('are distinguished by their hashes for any sender, and each is bound once', async ({
    service,
    testChain,
    desk,
  }) => {
    const release = await releaseOf(testChain, kind)
    const scene =
      kind === '1.4.1' ? desk : await startDesk(testChain, service, release ? { release } : {})
    const { safe, owner } = scene
    const packets = [
      await agreed(service, scene, pays(testChain, 1n)),
      await agreed(service, scene, [...pays(testChain, 2n), ...pays(testChain, 3n)]),
      await agreed(service, scene, pays(testChain, 1n), { action: { nonce: '2' } }),
    ]
    const datas = await Promise.all(
      packets.map((packet, index) =>
        signedExecution(testChain, safe, safeTransactionOf(packet, 0, BigInt(index))),
      ),
    )
    // The last is passed on by somebody else, so its transaction is not to the Safe.
    const relayed = multiSendData([{ to: safe, data: datas[2]! }])
    const hashes = await inFinalBlock(testChain, [
      { to: safe, data: datas[0]! },
      { to: safe, data: datas[1]! },
      { to: testChain.chain.contracts.multiSendCallOnly, data: relayed },
    ])
    // The first and the last have the same calls; that one fixed its nonce tells them apart.
    const wrong = await submit(owner, packets[2]!.id, hashes[0]!)
    expect(refusal(wrong)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_MISMATCH'])
    for (const [itemIndex, packet] of packets.entries()) {
      const response = await submit(owner, packet.id, hashes[itemIndex]!)
      expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
      const { proposal, safeEvidence, receipt } = response.data
      expect([proposal.status, proposal.payload.phase]).toEqual(['COMPLETED', 'EXECUTED'])
      expect(proposal.payload.reconciliation).toBe('MATCHED')
      const safeTxHash = safeTransactionHash(
        31_337,
        safe,
        safeTransactionOf(packet, 0, BigInt(itemIndex)),
      )
      expect(proposal.payload.packets[0]).toMatchObject({
        state: 'EXECUTED',
        executedNonce: `${itemIndex}`,
        hashes: { safeTxHash, isNonceFixed: true },
      })
      expect(safeEvidence).toMatchObject({
        kind: 'proposal.safe_evidence_resolved',
        payload: {
          safeTxHash,
          nonce: `${itemIndex}`,
          outcome: 'SUCCESS',
          isControlChanged: false,
          threshold: 2,
          signersResolved: true,
          finality: 'TAG',
          reconciliation: 'MATCHED',
        },
      })
      expect(receipt.payload).toMatchObject({
        reconciliation: 'MATCHED',
        safeTxHash,
        proposal: { id: packet.id },
      })
    }
    // The reading of the vault finds what is registered already, and makes nothing twice.
    await observed(service, scene)
    const receipts = await receiptsOf(owner)
    expect(receipts.map(({ payload }) => payload.nonce).toSorted()).toEqual(['0', '1', '2'])
    expect((await theVault(owner)).payload.receipts.count).toBe(3)
    const { database, artifacts } = service.services
    expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
  })
})

describe('a submission', () => {
  it('is rejected if missing, not finalized, not approved, reverted or different', async ({
    service,
    testChain,
    desk,
  }) => {
    const { owner, safe, analyst } = desk
    const open = await proposed(analyst, packetBody(service, desk, pays(testChain, 50n)))
    const early = await submit(owner, open.id, `0x${'1'.repeat(64)}`)
    expect(refusal(early)).toEqual([409, 'LIQUIDITY_PROPOSAL_NOT_APPROVED'])
    const packet = await approved(desk, open.id)
    const none = await submit(owner, packet.id, `0x${'1'.repeat(64)}`)
    expect(refusal(none)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_NOT_FOUND'])
    expect((await submit(analyst, packet.id, `0x${'1'.repeat(64)}`)).status).toBe(403)

    // One byte of the calldata is another.
    const nonce = BigInt(packet.payload.packets[0]!.hashes.nonce)
    const other = {
      ...safeTransactionOf(packet),
      data: transferData(someone(testChain), 51n),
      nonce,
    }
    const foreign = await execute(testChain, safe, other)
    const mismatch = await submit(owner, packet.id, foreign.transactionHash)
    expect(refusal(mismatch)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_MISMATCH'])
    expect(mismatch.fieldErrors.transactionHash?.[0]).toContain(
      safeTransactionHash(31_337, safe, other),
    )

    const data = await signedExecution(testChain, safe, {
      ...safeTransactionOf(packet),
      nonce: nonce + 1n,
    })
    const sender = testChain.chain.accounts[8]!.address
    const sent = await testChain.chain.send({ from: sender, to: safe, data })
    const soon = await submit(owner, packet.id, sent.transactionHash)
    expect(refusal(soon)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_NOT_FINALIZED'])
    await testChain.chain.mine(3)
    expect((await submit(owner, packet.id, sent.transactionHash)).status).toBe(201)
    const done = await submit(owner, packet.id, sent.transactionHash)
    expect(refusal(done)).toEqual([409, 'LIQUIDITY_PROPOSAL_NOT_APPROVED'])
    for (const nonce of ['0', '100000', `${2n ** 256n - 1n}`]) {
      const away = packetBody(service, desk, pays(testChain, 1n), { action: { nonce } })
      const response = await propose(analyst, away)
      expect(refusal(response)).toEqual([422, 'LIQUIDITY_PROPOSAL_NONCE_USED'])
    }
    const twin = await agreed(service, desk, pays(testChain, 50n))
    const taken = await submit(owner, twin.id, sent.transactionHash)
    expect(refusal(taken)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND'])
  })

  it('a complete Safe revert leaves the packet approved, and its nonce unused', async ({
    service,
    testChain,
    desk,
  }) => {
    const { owner, safe } = desk
    const packet = await agreed(service, desk, pays(testChain, 60n))
    const { nonce } = (await nowOf(testChain, safe)) ?? {}
    const data = await signedExecution(testChain, safe, {
      ...safeTransactionOf(packet),
      nonce: nonce! + 7n,
    })
    // Signed for another nonce, the genuine bytecode reverts, and so it does where an inner call fails (GS013).
    const [hash] = await inFinalBlock(testChain, [{ to: safe, data }])
    const response = await submit(owner, packet.id, hash!)
    expect(refusal(response)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_REVERTED'])
    expect((await current(owner, packet.id)).status).toBe('ACTIVE')
    const vain = {
      to: base(testChain),
      data: transferData(someone(testChain), 10n ** 30n),
      nonce: nonce!,
    }
    await expect(execute(testChain, safe, vain)).rejects.toMatchObject({ reason: 'GS013' })
    expect((await nowOf(testChain, safe))?.nonce).toBe(nonce)
  })

  it('of a change of owners says so, and a module that does the same is no packet', async ({
    service,
    testChain,
  }) => {
    const scene = await startDesk(testChain, service)
    const { safe, owner } = scene
    const module = testChain.chain.accounts[5]!.address
    const abi = parseAbi([
      'function enableModule(address module)',
      'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool)',
    ])
    const enable = encodeFunctionData({ abi, functionName: 'enableModule', args: [module] })
    const change = { action: { actionType: 'OWNER_CHANGE' } }
    const packet = await agreed(service, scene, [{ to: safe, data: enable }], change)
    const paying = await agreed(service, scene, pays(testChain, 5n))
    const mined = await carriedOut(testChain, packet)
    const response = await submit(owner, packet.id, mined.transactionHash)
    expect(response.data.safeEvidence.payload).toMatchObject({ isControlChanged: true })
    const act = encodeFunctionData({
      abi,
      functionName: 'execTransactionFromModule',
      args: [base(testChain), 0n, transferData(someone(testChain), 5n), 0],
    })
    const acted = await testChain.chain.send({ from: module, to: safe, data: act })
    await testChain.chain.mine(3)
    const other = await submit(owner, paying.id, acted.transactionHash)
    expect(refusal(other)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_MISMATCH'])
    expect(other.fieldErrors.transactionHash?.[0]).toContain(`a call of the module ${module}`)
    // Others control the vault now, so what was prepared before is agreed to no more.
    await observed(service, scene)
    expect((await theVault(owner)).payload.controlEpoch).toBe('2')
  })

  it('of a series is one packet at a time, and what stops revokes the rest', async ({
    service,
    testChain,
  }) => {
    const scene = await startDesk(testChain, service)
    const { owner, analyst } = scene
    const series = [2n, 3n].map((amount) => ({
      calls: pays(testChain, amount).map((call) => ({ value: '0', ...call })),
    }))
    const expectedEffects = [{ asset: base(testChain), minimumDelta: '-6', maximumDelta: '-6' }]
    const whole = await agreed(service, scene, pays(testChain, 1n), { series, expectedEffects })
    for (const packetIndex of [0, 1, 2]) {
      const mined = await carriedOut(testChain, whole, packetIndex)
      const response = await submit(owner, whole.id, mined.transactionHash)
      expect([response.code, response.data.safeEvidence.payload.packetIndex]).toEqual([
        '',
        packetIndex,
      ])
      expect(response.data.proposal.status).toBe(packetIndex === 2 ? 'COMPLETED' : 'ACTIVE')
      expect(response.data.proposal.payload.reconciliation).toBe(
        packetIndex === 2 ? 'MATCHED' : null,
      )
    }
    const stopped = await agreed(service, scene, pays(testChain, 1n), { series })
    const mined = await carriedOut(testChain, stopped, 0)
    await submit(owner, stopped.id, mined.transactionHash)
    const { id, resourceVersion } = await current(owner, stopped.id)
    const supersedes = { id, resourceVersion }
    await proposed(analyst, packetBody(service, scene, pays(testChain, 9n), { supersedes }))
    const after = await current(owner, id)
    expect(after.payload.packets.map(({ state }) => state)).toEqual([
      ...['EXECUTED', 'REVOKED', 'REVOKED'],
    ])
  })

  it('registers an execution that a reading of the Safe finds, unless it precedes the approval', async ({
    service,
    testChain,
  }) => {
    const scene = await startDesk(testChain, service)
    const { owner, safe, analyst } = scene
    const packet = await agreed(service, scene, pays(testChain, 11n))
    const readings = async () => {
      await watchSafes(service.services)
      const { body } = await owner.client.listOperatingSystemJobs({
        query: { kind: 'VAULT_SNAPSHOT', status: 'QUEUED' },
      })
      return body.data.length
    }
    expect(await readings()).toBe(0)
    const mined = await carriedOut(testChain, packet)
    const open = await proposed(analyst, packetBody(service, scene, pays(testChain, 12n)))
    const early = await execute(testChain, safe, safeTransactionOf(open, 0, 1n))
    // The watch finds the used nonce, and queues one reading.
    expect([await readings(), await readings()]).toEqual([1, 1])
    await endReadings(service, owner)
    const [first, second] = await receiptsOf(owner)
    expect(first?.payload).toMatchObject({
      reconciliation: 'MATCHED',
      proposal: { id: packet.id },
    })
    expect(second?.payload).toMatchObject({ reconciliation: 'UNREGISTERED', proposal: null })
    const registered = await current(owner, packet.id)
    expect(registered).toMatchObject({
      status: 'COMPLETED',
      createdBy: { kind: 'SYSTEM' },
      payload: {
        phase: 'EXECUTED',
        reconciliation: 'MATCHED',
        packets: [{ state: 'EXECUTED', executedNonce: '0', safeEvidence: { id: first?.id } }],
      },
    })
    const again = await submit(owner, packet.id, mined.transactionHash)
    expect(refusal(again)).toEqual([409, 'LIQUIDITY_PROPOSAL_NOT_APPROVED'])
    const agreedLate = await approved(scene, open.id)
    const late = await submit(owner, agreedLate.id, early.transactionHash)
    expect(refusal(late)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_BEFORE_APPROVAL'])
    // Nobody agreed to it: that is an alert.
    const alerts = await callOperation<{ kind: string; severity: string }[]>(owner, 'listAlertsV2')
    expect(alerts.data).toContainEqual(
      expect.objectContaining({ kind: 'UNREGISTERED_EXECUTION', severity: 'CRITICAL' }),
    )
    const { database, artifacts } = service.services
    expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
  })

  it('is found by one read per Safe, of the next provider if the first hangs', async ({
    service,
    testChain,
    proxy,
  }) => {
    const scene = await startDesk(testChain, service)
    const { owner } = scene
    await throughProxy(scene, proxy.url)
    await owner.client.putOperatingSystemProvider({
      body: providerBody(`${testChain.chain.rpcUrl}/?node=second`, 'second'),
    })
    const packet = await agreed(service, scene, pays(testChain, 31n))
    await agreed(service, scene, pays(testChain, 32n))
    await carriedOut(testChain, packet)
    const readings = async () => {
      const query = { kind: 'VAULT_SNAPSHOT', status: 'QUEUED' } as const
      return (await owner.client.listOperatingSystemJobs({ query })).body.data.length
    }
    const asked: string[] = []
    const ended = new AbortController()
    misbehaving(async ({ method }) => {
      asked.push(method)
      // The turn of the organization ends while its node hangs.
      ended.abort()
      return new Promise(() => {})
    })
    await watchSafes(service.services, () => ended.signal)
    expect([asked.length, await readings()]).toEqual([1, 0])
    behave = async ({ method }) => {
      asked.push(method)
      return { error: { code: -32000, message: 'internal error' } }
    }
    await watchSafes(service.services)
    expect(await readings()).toBe(1)
    behave = ({ method }, forward) => {
      asked.push(method)
      return forward()
    }
    await endReadings(service, owner)
    await agreed(service, scene, pays(testChain, 33n))
    // Two packets of one Safe, one read of its nonce.
    asked.length = 0
    await watchSafes(service.services)
    expect(asked.filter((method) => method === 'eth_call')).toHaveLength(1)
    // A sweep is background work: it leaves the last 5 % of the credits of a day to requests.
    const [first] = (await owner.client.listOperatingSystemProviders()).body.data.filter(
      ({ payload }) => payload.providerId === 'local-chain',
    )
    const { payload, reason } = providerBody(proxy.url)
    const configuration = { ...payload.configuration, limits: { creditsPerDay: 10_000 } }
    const limited = await callOperation<VersionedRecord>(owner, 'putOperatingSystemProvider', {
      body: { payload: { ...payload, configuration }, reason },
      ifMatch: first!.resourceVersion,
    })
    const { id: recordId, resourceVersion } = limited.data
    const { organizationId } = owner
    const day = Math.floor(service.clock.read() / 86_400_000)
    const version = { organizationId, recordId, resourceVersion }
    await service.services.nodeCalls.budgets.addCredits(version, day, 9600)
    asked.length = 0
    await watchSafes(service.services)
    expect(asked).toEqual([])
    await owner.client.readVaultSafe({ params: { id: (await theVault(owner)).id }, query: {} })
    expect(asked.length).toBeGreaterThan(0)
  })

  it('is not queued again after a final refusal, or for an execution of an equal packet', async ({
    service,
    testChain,
    proxy,
  }) => {
    const scene = await startDesk(testChain, service)
    const { owner } = scene
    await throughProxy(scene, proxy.url)
    const jobsOf = async ({ id }: { id: string }) => {
      const query = { kind: 'PROPOSAL_EXECUTION', subjectId: id }
      const { body } = await owner.client.listOperatingSystemJobs({ query })
      return body.data.map(({ status, error }) => [status, error?.code])
    }
    const packet = await agreed(service, scene, pays(testChain, 21n))
    const mined = await carriedOut(testChain, packet)
    misbehaving(withOtherSignatures)
    for (const reading of [1, 2, 3, 4]) {
      await observed(service, scene)
      expect([reading, await jobsOf(packet)]).toEqual([
        reading,
        [['FAILED', 'LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID']],
      ])
    }
    const { body } = await owner.client.listOperatingSystemJobs({
      query: { kind: 'PROPOSAL_EXECUTION', subjectId: packet.id },
    })
    expect(body.data[0]?.error?.message).toContain(mined.transactionHash)

    behave = honest
    expect((await submit(owner, packet.id, mined.transactionHash)).status).toBe(201)
    const equal = await agreed(service, scene, pays(testChain, 21n))
    await observed(service, scene)
    expect(await jobsOf(equal)).toEqual([])
    expect((await current(owner, equal.id)).payload.phase).toBe('APPROVED')
  })

  it('registers every packet of a series that one reading finds', async ({
    service,
    testChain,
  }) => {
    const scene = await startDesk(testChain, service)
    const series = [2n, 3n].map((amount) => ({
      calls: pays(testChain, amount).map((call) => ({ value: '0', ...call })),
    }))
    const whole = await agreed(service, scene, pays(testChain, 1n), { series })
    for (const packetIndex of [0, 1, 2]) await carriedOut(testChain, whole, packetIndex)
    await observed(service, scene)
    const { status, payload } = await current(scene.owner, whole.id)
    expect([status, payload.phase]).toEqual(['COMPLETED', 'EXECUTED'])
    expect(payload.packets.map(({ executedNonce }) => executedNonce)).toEqual(['0', '1', '2'])
  })

  it('with other amounts than expected is executed, with an alert', async ({
    service,
    testChain,
  }) => {
    const scene = await startDesk(testChain, service)
    const { owner, safe } = scene
    const [tokenIn, tokenOut] = testChain.markets.tokens
    const { swapRouter } = testChain.chain.contracts
    const args = [swapRouter, 10n ** 15n] as const
    const allow = encodeFunctionData({
      abi: parseAbi(['function approve(address spender, uint256 amount)']),
      args,
      functionName: 'approve',
    })
    const swap = encodeFunctionData({
      abi: swapRouterAbi,
      functionName: 'exactInputSingle',
      args: [
        {
          tokenIn,
          tokenOut,
          fee: 3000,
          recipient: safe,
          deadline: 4_102_444_800n,
          amountIn: 10n ** 15n,
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: 0n,
        },
      ],
    })
    const calls = [
      { to: tokenIn as string, data: allow },
      { to: swapRouter as string, data: swap },
    ]
    const venue = { action: { actionType: 'VENUE_CALLS' } }
    const tried = await proposed(scene.analyst, packetBody(service, scene, calls, venue))
    const effects = tried.payload.simulation.effects!
    const expectedEffects = effects.map(({ asset, delta }) => ({
      asset,
      minimumDelta: delta,
      maximumDelta: delta,
    }))
    const packet = await agreed(service, scene, calls, { ...venue, expectedEffects })
    expect(packet.payload.packets[0]?.decodedCalls.map(({ readBy }) => readBy)).toEqual([
      ...['RELEASE', 'RELEASE'],
    ])
    await testChain.markets.swap(true, 10n ** 15n)
    const mined = await carriedOut(testChain, packet)
    const response = await submit(owner, packet.id, mined.transactionHash)
    expect(response.data.proposal.payload).toMatchObject({
      phase: 'EXECUTED',
      reconciliation: 'UNEXPECTED_EFFECT',
    })
    const alerts = await callOperation<{ kind: string }[]>(owner, 'listAlertsV2')
    expect(alerts.data).toContainEqual(expect.objectContaining({ kind: 'UNEXPECTED_EFFECT' }))
  })
})

describe('a provider', () => {
  it('with other signatures or an unknown block is rejected', async ({
    service,
    testChain,
    proxy,
  }) => {
    const scene = await startDesk(testChain, service)
    const { owner, safe } = scene
    await throughProxy(scene, proxy.url)
    const packet = await agreed(service, scene, pays(testChain, 70n))
    const mined = await carriedOut(testChain, packet)
    const [, signer] = ownersOf(testChain)
    const own = signer!.address.slice(2).toLowerCase()
    expect(own).toHaveLength(40)
    misbehaving(withOtherSignatures)
    const forged = await submit(owner, packet.id, mined.transactionHash)
    expect(refusal(forged)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID'])
    misbehaving(async ({ method }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getTransactionReceipt') return answer
      const { blockHash } = answer.result as { blockHash: string }
      const other = JSON.stringify(answer.result).replaceAll(blockHash, `0x${'9'.repeat(64)}`)
      return { result: JSON.parse(other) }
    })
    const gone = await submit(owner, packet.id, mined.transactionHash)
    expect(refusal(gone)).toEqual([503, 'LIQUIDITY_CHAIN_REORGED'])
    misbehaving(honest)
    expect((await submit(owner, packet.id, mined.transactionHash)).status).toBe(201)
    expect(safe).toBe(packet.payload.action.safeAddress)
  })

  it('that cannot simulate leaves a packet a draft that says so', async ({
    service,
    testChain,
    proxy,
  }) => {
    const scene = await startDesk(testChain, service)
    await throughProxy(scene, proxy.url)
    const refused: string[] = ['eth_simulateV1']
    misbehaving(async (call, forward) =>
      refused.includes(call.method)
        ? { error: { code: -32601, message: 'the method does not exist' } }
        : forward(),
    )
    const methods: (string | null)[] = []
    for (const next of ['debug_traceCall', null]) {
      const { payload, status } = await proposed(
        scene.analyst,
        packetBody(service, scene, pays(testChain, 80n)),
      )
      methods.push(payload.simulation.method)
      expect([status, payload.simulation.state]).toEqual(['DRAFT', 'PARTIAL'])
      expect(payload.flags.map(({ code }) => code)).toContain('SIMULATION_PARTIAL')
      const known = payload.simulation.effects
      if (known) expect(known).toMatchObject([{ asset: base(testChain), delta: '-80' }])
      if (next) refused.push(next)
    }
    expect(methods).toEqual(['debug_traceCall', 'eth_call'])
  })
})

async function nowOf(testChain: TestChain, safe: Address): Promise<{ nonce: bigint }> {
  const abi = parseAbi(['function nonce() view returns (uint256)'])
  const read = { address: safe, abi, functionName: 'nonce' } as const
  return { nonce: await testChain.chain.publicClient.readContract(read) }
}
