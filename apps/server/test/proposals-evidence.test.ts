// @module-tag long
// @covers apps/server/src/families/operate/proposals

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
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  type Behaviour,
  honest,
  startProviderProxy,
} from '../src/outside/chain/testing/provider-proxy.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, providerBody, startTestChain, type TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
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
import { type Told, tell } from './support/requests.ts'
import { startTestService, type TestService } from './support/service.ts'
import {
  execute,
  observed,
  ownersOf,
  receiptsOf,
  signedExecution,
  theVault,
} from './support/vaults.ts'

let test: TestChain
let service: TestService
let desk: Desk
let behave: Behaviour = honest
let proxy: Awaited<ReturnType<typeof startProviderProxy>>
beforeAll(async () => {
  test = await startTestChain()
  proxy = await startProviderProxy(test.chain.rpcUrl, (call, forward) => behave(call, forward))
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl, proxy.url) })
  await catchUp(test.chain, service)
  desk = await startDesk(test, service)
})
afterAll(async () => {
  await service.stop()
  await proxy.stop()
  await test.chain.stop()
})

const base = () => test.markets.tokens[0]
const someone = () => test.chain.accounts[9]!.address
const pays = (amount: bigint) => [{ to: base() as string, data: transferData(someone(), amount) }]
const refusal = ({ status, code }: Told<unknown>) => [status, code]

/** A packet of a desk that both reviewers approved. */
async function agreed(
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

async function throughProxy({ owner }: Desk, url: string): Promise<void> {
  const { body } = await owner.client.listOperatingSystemProviders()
  const { resourceVersion } = body.data[0]!
  const told = await tell(owner, 'putOperatingSystemProvider', {
    body: providerBody(url),
    ifMatch: resourceVersion,
  })
  if (told.status >= 300) throw new Error(`${told.code} ${JSON.stringify(told.fieldErrors)}`)
}

/** Mines some transactions of one sender as one block, and makes it final. */
async function inFinalBlock(sent: readonly { to: Address; data: Hex }[]): Promise<Hex[]> {
  const from = test.chain.accounts[8]!.address
  const hashes = await inOneBlock(
    test.chain,
    sent.map((call) => ({ from, ...call })),
  )
  await test.chain.mine(3)
  return hashes
}

const releaseOf = async (kind: string): Promise<SafeRelease | undefined> =>
  kind === '1.4.1'
    ? undefined
    : kind === '1.3.0'
      ? deploySafe13(test.chain)
      : {
          singleton: await test.chain.deploy(artifact('SafeL2').bytecode),
          proxyFactory: test.chain.contracts.safeProxyFactory,
          fallbackHandler: test.chain.contracts.fallbackHandler,
        }

describe.each(['1.4.1', '1.3.0', 'L2'])('three packets of a Safe %s in one block', (kind) => {
  it('are told apart by their hashes, whoever sent them, and each is bound once', async () => {
    const release = await releaseOf(kind)
    const scene =
      kind === '1.4.1' ? desk : await startDesk(test, service, release ? { release } : {})
    const { safe, owner } = scene
    const packets = [
      await agreed(scene, pays(1n)),
      await agreed(scene, [...pays(2n), ...pays(3n)]),
      await agreed(scene, pays(1n), { action: { nonce: '2' } }),
    ]
    const datas = await Promise.all(
      packets.map((packet, place) =>
        signedExecution(test, safe, safeTransactionOf(packet, 0, BigInt(place))),
      ),
    )
    // The last is passed on by somebody else, so its transaction is not to the Safe.
    const relayed = multiSendData([{ to: safe, data: datas[2]! }])
    const hashes = await inFinalBlock([
      { to: safe, data: datas[0]! },
      { to: safe, data: datas[1]! },
      { to: test.chain.contracts.multiSendCallOnly, data: relayed },
    ])
    // The first and the last have the same calls; that one fixed its nonce tells them apart.
    const wrong = await submit(owner, packets[2]!.id, hashes[0]!)
    expect(refusal(wrong)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_MISMATCH'])
    for (const [place, packet] of packets.entries()) {
      const told = await submit(owner, packet.id, hashes[place]!)
      expect([told.status, told.code, told.fieldErrors]).toEqual([201, '', {}])
      const { proposal, safeEvidence, receipt } = told.data
      expect([proposal.status, proposal.payload.phase]).toEqual(['COMPLETED', 'EXECUTED'])
      expect(proposal.payload.reconciliation).toBe('MATCHED')
      const safeTxHash = safeTransactionHash(
        31_337,
        safe,
        safeTransactionOf(packet, 0, BigInt(place)),
      )
      expect(proposal.payload.packets[0]).toMatchObject({
        state: 'EXECUTED',
        executedNonce: `${place}`,
        hashes: { safeTxHash, isNonceFixed: true },
      })
      expect(safeEvidence).toMatchObject({
        kind: 'proposal.safe_evidence_resolved',
        payload: {
          safeTxHash,
          nonce: `${place}`,
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
  it('is refused for what is not there, not final, not approved, reverted, or something else', async () => {
    const { owner, safe, analyst } = desk
    const open = await proposed(analyst, packetBody(service, desk, pays(50n)))
    const early = await submit(owner, open.id, `0x${'1'.repeat(64)}`)
    expect(refusal(early)).toEqual([409, 'LIQUIDITY_PROPOSAL_NOT_APPROVED'])
    const packet = await approved(desk, open.id)
    const none = await submit(owner, packet.id, `0x${'1'.repeat(64)}`)
    expect(refusal(none)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_NOT_FOUND'])
    expect((await submit(analyst, packet.id, `0x${'1'.repeat(64)}`)).status).toBe(403)

    // One byte of the calldata is another.
    const nonce = BigInt(packet.payload.packets[0]!.hashes.nonce)
    const other = { ...safeTransactionOf(packet), data: transferData(someone(), 51n), nonce }
    const foreign = await execute(test, safe, other)
    const mismatch = await submit(owner, packet.id, foreign.transactionHash)
    expect(refusal(mismatch)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_MISMATCH'])
    expect(mismatch.fieldErrors.transactionHash?.[0]).toContain(
      safeTransactionHash(31_337, safe, other),
    )

    const data = await signedExecution(test, safe, {
      ...safeTransactionOf(packet),
      nonce: nonce + 1n,
    })
    const sender = test.chain.accounts[8]!.address
    const sent = await test.chain.send({ from: sender, to: safe, data })
    const soon = await submit(owner, packet.id, sent.transactionHash)
    expect(refusal(soon)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_NOT_FINALIZED'])
    await test.chain.mine(3)
    expect((await submit(owner, packet.id, sent.transactionHash)).status).toBe(201)
    const done = await submit(owner, packet.id, sent.transactionHash)
    expect(refusal(done)).toEqual([409, 'LIQUIDITY_PROPOSAL_NOT_APPROVED'])
    for (const nonce of ['0', '100000', `${2n ** 256n - 1n}`]) {
      const away = packetBody(service, desk, pays(1n), { action: { nonce } })
      const told = await propose(analyst, away)
      expect(refusal(told)).toEqual([422, 'LIQUIDITY_PROPOSAL_NONCE_USED'])
    }
    const twin = await agreed(desk, pays(50n))
    const taken = await submit(owner, twin.id, sent.transactionHash)
    expect(refusal(taken)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND'])
  })

  it('of what the Safe reverted as a whole leaves the packet approved, and its nonce unused', async () => {
    const { owner, safe } = desk
    const packet = await agreed(desk, pays(60n))
    const { nonce } = (await nowOf(safe)) ?? {}
    const data = await signedExecution(test, safe, {
      ...safeTransactionOf(packet),
      nonce: nonce! + 7n,
    })
    // Signed for another nonce, the genuine bytecode reverts, and so it does where an inner call fails (GS013).
    const [hash] = await inFinalBlock([{ to: safe, data }])
    const told = await submit(owner, packet.id, hash!)
    expect(refusal(told)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_REVERTED'])
    expect((await current(owner, packet.id)).status).toBe('ACTIVE')
    const vain = { to: base(), data: transferData(someone(), 10n ** 30n), nonce: nonce! }
    await expect(execute(test, safe, vain)).rejects.toMatchObject({ reason: 'GS013' })
    expect((await nowOf(safe))?.nonce).toBe(nonce)
  })

  it('of a change of owners says so, and a module that does the same is no packet', async () => {
    const scene = await startDesk(test, service)
    const { safe, owner } = scene
    const module = test.chain.accounts[5]!.address
    const abi = parseAbi([
      'function enableModule(address module)',
      'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool)',
    ])
    const enable = encodeFunctionData({ abi, functionName: 'enableModule', args: [module] })
    const change = { action: { actionType: 'OWNER_CHANGE' } }
    const packet = await agreed(scene, [{ to: safe, data: enable }], change)
    const paying = await agreed(scene, pays(5n))
    const mined = await carriedOut(test, packet)
    const told = await submit(owner, packet.id, mined.transactionHash)
    expect(told.data.safeEvidence.payload).toMatchObject({ isControlChanged: true })
    const act = encodeFunctionData({
      abi,
      functionName: 'execTransactionFromModule',
      args: [base(), 0n, transferData(someone(), 5n), 0],
    })
    const acted = await test.chain.send({ from: module, to: safe, data: act })
    await test.chain.mine(3)
    const other = await submit(owner, paying.id, acted.transactionHash)
    expect(refusal(other)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_MISMATCH'])
    expect(other.fieldErrors.transactionHash?.[0]).toContain(`a call of the module ${module}`)
    // Others control the vault now, so what was prepared before is agreed to no more.
    await observed(service, scene)
    expect((await theVault(owner)).payload.controlEpoch).toBe('2')
  })

  it('of a series is one packet at a time, and what stops revokes the rest', async () => {
    const scene = await startDesk(test, service)
    const { owner, analyst } = scene
    const series = [2n, 3n].map((amount) => ({
      calls: pays(amount).map((call) => ({ value: '0', ...call })),
    }))
    const expectedEffects = [{ asset: base(), minimumDelta: '-6', maximumDelta: '-6' }]
    const whole = await agreed(scene, pays(1n), { series, expectedEffects })
    for (const packetIndex of [0, 1, 2]) {
      const mined = await carriedOut(test, whole, packetIndex)
      const told = await submit(owner, whole.id, mined.transactionHash)
      expect([told.code, told.data.safeEvidence.payload.packetIndex]).toEqual(['', packetIndex])
      expect(told.data.proposal.status).toBe(packetIndex === 2 ? 'COMPLETED' : 'ACTIVE')
      expect(told.data.proposal.payload.reconciliation).toBe(packetIndex === 2 ? 'MATCHED' : null)
    }
    const stopped = await agreed(scene, pays(1n), { series })
    const mined = await carriedOut(test, stopped, 0)
    await submit(owner, stopped.id, mined.transactionHash)
    const { id, resourceVersion } = await current(owner, stopped.id)
    const supersedes = { id, resourceVersion }
    await proposed(analyst, packetBody(service, scene, pays(9n), { supersedes }))
    const after = await current(owner, id)
    expect(after.payload.packets.map(({ state }) => state)).toEqual([
      ...['EXECUTED', 'REVOKED', 'REVOKED'],
    ])
  })

  it('finds the receipt that was made before it, unless it was executed before it was agreed', async () => {
    const scene = await startDesk(test, service)
    const { owner, safe, analyst } = scene
    const packet = await agreed(scene, pays(11n))
    const mined = await carriedOut(test, packet)
    const open = await proposed(analyst, packetBody(service, scene, pays(12n)))
    const early = await execute(test, safe, safeTransactionOf(open, 0, 1n))
    await observed(service, scene)
    const [first, second] = await receiptsOf(owner)
    expect(first?.payload).toMatchObject({
      reconciliation: 'MATCHED',
      proposal: { id: packet.id },
    })
    expect(second?.payload).toMatchObject({ reconciliation: 'UNREGISTERED', proposal: null })
    const told = await submit(owner, packet.id, mined.transactionHash)
    expect(told.data.receipt.id).toBe(first?.id)
    const agreedLate = await approved(scene, open.id)
    const late = await submit(owner, agreedLate.id, early.transactionHash)
    expect(refusal(late)).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_BEFORE_APPROVAL'])
    // Nobody agreed to it: that is an alert.
    const alerts = await tell<{ kind: string; severity: string }[]>(owner, 'listAlertsV2')
    expect(alerts.data).toContainEqual(
      expect.objectContaining({ kind: 'UNREGISTERED_EXECUTION', severity: 'CRITICAL' }),
    )
  })

  it('that moved something else than was expected is executed, and told as an alert', async () => {
    const scene = await startDesk(test, service)
    const { owner, safe } = scene
    const [tokenIn, tokenOut] = test.markets.tokens
    const { swapRouter } = test.chain.contracts
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
    const packet = await agreed(scene, calls, { ...venue, expectedEffects })
    expect(packet.payload.packets[0]?.decodedCalls.map(({ readBy }) => readBy)).toEqual([
      ...['RELEASE', 'RELEASE'],
    ])
    await test.markets.swap(true, 10n ** 15n)
    const mined = await carriedOut(test, packet)
    const told = await submit(owner, packet.id, mined.transactionHash)
    expect(told.data.proposal.payload).toMatchObject({
      phase: 'EXECUTED',
      reconciliation: 'UNEXPECTED_EFFECT',
    })
    const alerts = await tell<{ kind: string }[]>(owner, 'listAlertsV2')
    expect(alerts.data).toContainEqual(expect.objectContaining({ kind: 'UNEXPECTED_EFFECT' }))
  })
})

describe('a provider', () => {
  it('that tells of other signatures, or of a block that is not there, is not believed', async () => {
    const scene = await startDesk(test, service)
    const { owner, safe } = scene
    await throughProxy(scene, proxy.url)
    const packet = await agreed(scene, pays(70n))
    const mined = await carriedOut(test, packet)
    const [, signer] = ownersOf(test)
    const own = signer!.address.slice(2).toLowerCase()
    expect(own).toHaveLength(40)
    misbehaving(async ({ method }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getTransactionByHash') return answer
      const { input, ...rest } = answer.result as { input: string }
      // The last byte but the padding of the signatures is another.
      const at = input.lastIndexOf('1c') > input.lastIndexOf('1b') ? '1c' : '1b'
      const place = input.lastIndexOf(at)
      const changed = `${input.slice(0, place - 8)}deadbeef${input.slice(place)}`
      return { result: { ...rest, input: changed } }
    })
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

  it('that cannot simulate leaves a packet a draft that says so', async () => {
    const scene = await startDesk(test, service)
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
        packetBody(service, scene, pays(80n)),
      )
      methods.push(payload.simulation.method)
      expect([status, payload.simulation.state]).toEqual(['DRAFT', 'PARTIAL'])
      expect(payload.flags.map(({ code }) => code)).toContain('SIMULATION_PARTIAL')
      const known = payload.simulation.effects
      if (known) expect(known).toMatchObject([{ asset: base(), delta: '-80' }])
      if (next) refused.push(next)
    }
    expect(methods).toEqual(['debug_traceCall', 'eth_call'])
  })
})

async function nowOf(safe: Address): Promise<{ nonce: bigint }> {
  const abi = parseAbi(['function nonce() view returns (uint256)'])
  const read = { address: safe, abi, functionName: 'nonce' } as const
  return { nonce: await test.chain.publicClient.readContract(read) }
}
