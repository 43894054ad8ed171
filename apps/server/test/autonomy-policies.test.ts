import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expirePolicies } from '../src/families/operate/autonomy-policies/records.ts'
import { dayMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, startTestChain, type TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { carriedOut, decide, packetBody, proposed, submit } from './support/proposing.ts'
import { callOperation, type TestResponse } from './support/requests.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'
import {
  execute,
  observed,
  proveControl,
  theVault,
  type Vault,
  type Vaulted,
  vaulted,
} from './support/vaults.ts'

type Policy = VersionedRecord<contract.AutonomyPolicy>
interface Alert {
  id: string
  kind: string
  severity: string
  state: string
  openedAt: string
  source: { id: string }
}
type Expanded = { policy: Policy; safeAuthorityEvidence: OperatingSystemEvent }

let test: TestChain
let service: TestService
let scene: Vaulted
let vault: Vault
let isStopped = false
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  await catchUp(test.chain, service)
  scene = await vaulted(test, await newOrganization(service))
  await observed(service, scene)
  vault = await theVault(scene.owner)
})
afterAll(async () => {
  await service.stop()
  if (!isStopped) await test.chain.stop()
})

const reason = 'For the test'
const limits = (change: object = {}) => ({
  vaultId: vault.id,
  level: 1,
  maximumSlippagePips: 5000,
  controlEpoch: '1',
  maximumAmountPerTransaction: '1000000',
  maximumDailyTurnover: '5000000',
  approvedContracts: [],
  approvedAssets: [],
  approvedAdapterIds: [],
  minimumSecondsBetweenActions: 3600,
  oracleMaximumAgeSeconds: 300,
  expiresAt: '2026-06-01T00:00:00Z',
  publicMempoolFallbackAllowed: false,
  ...change,
})
const executable = (change: object = {}) =>
  limits({
    level: 3,
    approvedContracts: [test.chain.contracts.swapRouter],
    approvedAssets: [...test.markets.tokens],
    approvedAdapterIds: ['uniswap-v3-swap-router'],
    ...change,
  })
const create = (payload: object, more: object = {}, by: TestMember = scene.owner) =>
  callOperation<Policy>(by, 'createAutonomyPolicies', { body: { payload, reason }, ...more })
const change = ({ id, resourceVersion }: Policy, body: object, by: TestMember = scene.owner) =>
  callOperation<Policy>(by, 'supersedeAutonomyPolicies', {
    params: { id },
    ifMatch: resourceVersion,
    body: { reason, ...body },
  })
const refusal = ({ status, code }: TestResponse<unknown>) => [status, code]
const revoked = async (policy: Policy) => (await change(policy, { status: 'REVOKED' })).data

async function made(payload: object, more: object = {}): Promise<Policy> {
  const response = await create(payload, more)
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

describe('what acts on chain without the owners', () => {
  it('is an alert while a policy of the vault is in force, most severe if paused, until the module is removed', async () => {
    const other = await vaulted(test, await newOrganization(service))
    await observed(service, other)
    const listAuthorityAlerts = async () =>
      (await callOperation<Alert[]>(other.owner, 'listAlertsV2')).data.filter(
        ({ kind }) => kind === 'ONCHAIN_AUTHORITY',
      )
    const alerts = async () =>
      (await listAuthorityAlerts()).map(({ severity, state, source }) => [
        severity,
        state,
        source.id,
      ])
    const terms = { ...limits(), vaultId: (await theVault(other.owner)).id }
    const policy = (await create(terms, {}, other.owner)).data
    expect(await alerts()).toEqual([])
    const module = test.chain.accounts[5]!.address
    const abi = parseAbi(['function enableModule(address module)'])
    const enable = encodeFunctionData({ abi, functionName: 'enableModule', args: [module] })
    await execute(test, other.safe, { to: other.safe, data: enable, nonce: 0n })
    await test.chain.mine(3)
    await observed(service, other)
    expect(await alerts()).toEqual([['WARNING', 'OPEN', policy.id]])
    const [{ openedAt, id: alertId } = { openedAt: '', id: '' }] = await listAuthorityAlerts()
    expect(openedAt).toBe((await theVault(other.owner)).payload.snapshot.timestamp)
    const stopped = await change(policy, { status: 'PAUSED' }, other.owner)
    expect(await alerts()).toEqual([['CRITICAL', 'OPEN', policy.id]])
    const { authority, removal } = stopped.data.payload.onChain
    expect(authority).toBe('UNKNOWN')
    // It has been there since it was first read, and another one is another alert.
    const second = test.chain.accounts[6]!.address
    const more = encodeFunctionData({ abi, functionName: 'enableModule', args: [second] })
    await execute(test, other.safe, { to: other.safe, data: more, nonce: 1n })
    await test.chain.mine(3)
    expect((await listAuthorityAlerts())[0]).toMatchObject({ openedAt, id: alertId })
    await observed(service, other)
    const both = await listAuthorityAlerts()
    expect(both.map(({ severity }) => severity)).toEqual(['CRITICAL'])
    expect(both[0]!.id).not.toBe(alertId)
    const remove = parseAbi(['function disableModule(address previous, address module)'])
    const args = ['0x0000000000000000000000000000000000000001', second] as const
    await execute(test, other.safe, {
      to: other.safe,
      data: encodeFunctionData({ abi: remove, functionName: 'disableModule', args }),
      nonce: 2n,
    })
    const [call] = removal!
    await execute(test, other.safe, {
      to: call!.to as Address,
      data: call!.data as Hex,
      nonce: 3n,
    })
    await test.chain.mine(3)
    await observed(service, other)
    expect(await alerts()).toEqual([])
  })
})

describe('a policy that can execute nothing', () => {
  it('is admitted, compared with the previous policy, and replaced by a user with its version', async () => {
    const first = await made(limits())
    expect([first.status, first.payload.admission]).toEqual(['ACTIVE', 'ADVISORY'])
    expect(first.payload.comparison.relation).toBe('WIDER')
    expect(first.payload).toMatchObject({
      safeAuthority: null,
      usedEnvelopes: [],
      executionAuthorityGranted: false,
      onChain: { authority: 'NONE', removal: null },
      compilation: { calls: null, commitment: { value: '0' } },
    })
    expect(new Set(first.payload.compilation.coverage.map(({ enforcedBy }) => enforcedBy))).toEqual(
      new Set(['SERVICE_CHECK']),
    )
    expect(refusal(await create(limits()))).toEqual([428, 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED'])
    const stale = await create(limits(), { ifMatch: `0x${'1'.repeat(64)}` })
    expect(refusal(stale)).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
    const ifMatch = first.resourceVersion
    const next = await made(limits({ level: 2, maximumSlippagePips: 9000 }), { ifMatch })
    expect([next.id, next.sequence, next.payload.comparison.relation]).toEqual([
      first.id,
      2,
      'WIDER',
    ])
    await revoked(next)
    const none = await create(limits(), { ifMatch: next.resourceVersion })
    expect(refusal(none)).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
  })

  it('narrows, pauses, resumes and ends by one person, and never widens', async () => {
    const policy = await made(limits({ level: 2 }))
    const narrow = await change(policy, { payload: limits({ level: 2, maximumSlippagePips: 100 }) })
    expect([narrow.status, narrow.data.payload.comparison.relation]).toEqual([200, 'NARROWER'])
    const wider = await change(narrow.data, { payload: limits({ level: 2 }) })
    expect(refusal(wider)).toEqual([409, 'LIQUIDITY_POLICY_EXPANSION_REQUIRES_SAFE'])
    expect(wider.fieldErrors).toEqual({
      'payload.maximumSlippagePips': ['must grant at most 100, got 5000'],
    })
    expect(refusal(await change(narrow.data, {}))).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
    const paused = await change(narrow.data, { status: 'PAUSED' })
    const resumed = await change(paused.data, { status: 'ACTIVE' })
    expect([paused.data.status, resumed.data.status]).toEqual(['PAUSED', 'ACTIVE'])
    const ended = await revoked(resumed.data)
    expect(refusal(await change(ended, { status: 'ACTIVE' }))).toEqual([
      ...[409, 'LIQUIDITY_POLICY_TERMINAL'],
    ])
    const viewer = await newMember(service, scene.owner.organizationId, 'ANALYST')
    expect((await create(limits(), {}, viewer)).status).toBe(403)
  })

  it('is rejected with the contradicting member', async () => {
    const cases: readonly (readonly [number, string, object, string])[] = [
      [400, 'DERIVED_FIELD_SUPPLIED', { safeTxHash: '0x' }, 'payload.safeTxHash'],
      [400, 'DERIVED_FIELD_SUPPLIED', { policyHash: '0x', proof: 1 }, 'payload.proof'],
      [422, 'NOT_CANONICAL', { expiresAt: '2026-06-01T00:00:00.000Z' }, 'payload.expiresAt'],
      [
        ...([422, 'NOT_CANONICAL'] as const),
        { approvedAssets: [test.markets.tokens[0].toLowerCase()] },
        'payload.approvedAssets.0',
      ],
      [
        ...([422, 'CAPS_INVERTED', { maximumAmountPerTransaction: '5000001' }] as const),
        'payload.maximumAmountPerTransaction',
      ],
      [
        ...([422, 'PRICE_BAND_INVERTED'] as const),
        { minimumPriceX18: '2', maximumPriceX18: '1' },
        'payload.minimumPriceX18',
      ],
      [422, 'EXPIRY_PAST', { expiresAt: '2026-01-05T12:00:00Z' }, 'payload.expiresAt'],
      [422, 'EXPIRY_PAST', { expiresAt: '2027-01-07T12:00:00Z' }, 'payload.expiresAt'],
      [422, 'EXECUTABLE_SETS_EMPTY', { level: 3 }, 'payload.approvedContracts'],
      [422, 'EPOCH_NOT_CURRENT', { controlEpoch: '2' }, 'payload.controlEpoch'],
      [
        ...([422, 'NOT_ENCODABLE'] as const),
        { ...executable(), level: 4, maximumDailyTurnover: `${2n ** 128n}` },
        'payload.maximumDailyTurnover',
      ],
      [422, 'VAULT_UNQUALIFIED', executable(), 'payload.vaultId'],
    ]
    for (const [status, code, wrong, field] of cases) {
      const response = await create(limits(wrong))
      expect([response.status, response.code]).toEqual([status, `LIQUIDITY_POLICY_${code}`])
      expect(Object.keys(response.fieldErrors)).toContain(field)
    }
    const unknown = await create(limits({ vaultId: `vault_${'0'.repeat(32)}` }))
    expect(refusal(unknown)).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const foreignOwner = await newOrganization(service)
    expect((await create(limits(), {}, foreignOwner)).status).toBe(404)
  })

  it('ends by the clock, whether or not that was written down', async () => {
    const soon = '2026-01-05T12:30:00Z'
    const policy = await made(limits({ expiresAt: soon }))
    service.clock.advance(31 * minuteMilliseconds)
    const paused = await change(policy, { status: 'PAUSED' })
    expect(refusal(paused)).toEqual([409, 'LIQUIDITY_POLICY_TERMINAL'])
    // Nothing stands, so nothing need be named; the end of the first is written with the second.
    const later = '2026-01-05T13:00:00Z'
    const second = await made(limits({ expiresAt: later }))
    expect(second.id).not.toBe(policy.id)
    const { data } = await callOperation<Policy>(scene.owner, 'getAutonomyPolicies', {
      params: { id: policy.id },
    })
    expect(data.status).toBe('EXPIRED')
    expect((await revoked(data)).status).toBe('REVOKED')
    service.clock.advance(31 * minuteMilliseconds)
    await expirePolicies(service.services)
    const swept = await callOperation<Policy>(scene.owner, 'getAutonomyPolicies', {
      params: { id: second.id },
    })
    expect(swept.data.status).toBe('EXPIRED')
  })
})

/** A packet that commits the owners to limits, approved by the only one who is asked. */
async function admissionPacket(owner: TestMember, limits: ReturnType<typeof executable>) {
  // Vault and epoch come from the vault.
  const { vaultId: _, controlEpoch: __, ...policy } = limits as Record<string, unknown>
  const drafted = await callOperation<{ draft: { id: string; resourceVersion: string } }>(
    owner,
    'createStructuredPolicyIntentDraft',
    { body: { payload: { vaultId: vault.id, baseline: 'NONE', policy }, reason } },
  )
  const { id, resourceVersion: ifMatch } = drafted.data.draft
  const compiled = await callOperation<{ draft: { id: string; resourceVersion: string } }>(
    owner,
    'compilePolicyIntent',
    { params: { id }, ifMatch, body: { reason } },
  )
  const { resourceVersion } = compiled.data.draft
  const proposal = await proposed(
    owner,
    packetBody(service, { vault, safe: scene.safe }, undefined, {
      action: { actionType: 'ADMIT_POLICY' },
      policyDraft: { id, resourceVersion },
      review: { required: 1 },
    }),
  )
  await decide(owner, proposal.id, 'APPROVE')
  return proposal
}

describe('a policy that can execute', () => {
  it('needs a recent sign-in, a release that covers it, and the owners on chain, each once', async () => {
    await proveControl(test, {
      ...scene,
      owner: await newMember(service, scene.owner.organizationId, 'OWNER'),
    })
    await catchUp(test.chain, service)
    await observed(service, scene)
    vault = await theVault(scene.owner)
    expect(vault.status).toBe('ACTIVE')
    expect(refusal(await create(executable()))).toEqual([
      ...[401, 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'],
    ])
    const owner = await newMember(service, scene.owner.organizationId, 'OWNER')
    const expand = (payload: object, more: object = {}) =>
      callOperation<Expanded>(owner, 'createAutonomyPolicies', {
        body: { payload, reason },
        ...more,
      })
    for (const [wrong, field] of [
      [{ approvedAdapterIds: ['unknown'] }, 'payload.approvedAdapterIds.0'],
      [{ approvedContracts: [test.chain.contracts.payer] }, 'payload.approvedContracts.0'],
    ] as const) {
      const response = await expand(executable(wrong))
      expect(refusal(response)).toEqual([409, 'LIQUIDITY_POLICY_RELEASE_UNAVAILABLE'])
      expect(Object.keys(response.fieldErrors)).toContain(field)
    }
    const none = await expand(executable())
    expect(refusal(none)).toEqual([409, 'LIQUIDITY_POLICY_SAFE_AUTHORITY_UNAVAILABLE'])
    expect(none.fieldErrors.safeEnvelope?.[0]).toMatch(/^NO_COMMITMENT/)

    // What owners sign is shown before anything is executable, by a policy of the same limits that cannot act.
    const [, to, data] = /must have called (0x\w+) with the hash .* with (0x[0-9a-f]+); got/.exec(
      none.fieldErrors.safeEnvelope?.[0] ?? '',
    ) as unknown as [string, Hex, Hex]
    await execute(test, scene.safe, { to, data, nonce: 0n })
    await observed(service, scene)
    // The owners alone are not enough: people agree to the packet first.
    const unagreed = await expand(executable())
    expect(unagreed.fieldErrors.safeEnvelope?.[0]).toMatch(/^NOT_AGREED/)
    const agreed = await admissionPacket(owner, executable())
    expect(agreed.payload.packets[0]?.decodedCalls).toMatchObject([
      { to, data, readBy: 'COMMITMENT' },
    ])
    expect(agreed.payload.flags).toEqual([])
    const { transactionHash } = await carriedOut(test, agreed)
    const early = await expand(executable())
    expect(refusal(early)).toEqual([409, 'LIQUIDITY_POLICY_SAFE_AUTHORITY_UNAVAILABLE'])
    const submitted = await submit(owner, agreed.id, transactionHash)
    expect(submitted.data.safeEvidence.payload).toMatchObject({
      policyHash: data.slice(0, 66),
      reconciliation: 'MATCHED',
    })
    const other = await expand(executable({ maximumSlippagePips: 5001 }))
    expect(refusal(other)).toEqual([409, 'LIQUIDITY_POLICY_SAFE_AUTHORITY_UNAVAILABLE'])
    const admitted = await expand(executable())
    expect(admitted.status).toBe(201)
    const { policy, safeAuthorityEvidence } = admitted.data
    expect(policy.payload).toMatchObject({
      admission: 'EXPANSION',
      usedEnvelopes: [expect.any(String)],
    })
    expect(safeAuthorityEvidence).toMatchObject({
      kind: 'policy.safe_authority_bound',
      payload: { envelope: { nonce: '1' }, policyHash: policy.payload.policyHash },
    })
    expect(policy.payload.compilation.role.targets).toMatchObject([
      { address: test.chain.contracts.swapRouter, functions: [{ selector: '0x414bf389' }] },
    ])

    // It may be narrowed by one person; resuming it after a pause is an expansion.
    const narrower = await change(policy, { payload: executable({ maximumSlippagePips: 10 }) })
    expect([narrower.status, narrower.data.payload.admission]).toEqual([200, 'NARROWING'])
    expect(narrower.data.payload.usedEnvelopes).toEqual(policy.payload.usedEnvelopes)
    const paused = await change(narrower.data, { status: 'PAUSED' })
    const resumed = await change(paused.data, { status: 'ACTIVE' })
    expect(refusal(resumed)).toEqual([409, 'LIQUIDITY_POLICY_EXPANSION_REQUIRES_SAFE'])
    await revoked(paused.data)
    const again = await expand(executable())
    expect(refusal(again)).toEqual([409, 'LIQUIDITY_POLICY_SAFE_AUTHORITY_USED'])
    const { database, artifacts } = service.services
    const { organizationId } = scene.owner
    expect((await verifyHistory(database, organizationId, artifacts)).faults).toEqual([])

    const stale = 8 * dayMilliseconds
    service.clock.advance(stale)
    const late = await newMember(service, organizationId, 'OWNER')
    const old = await callOperation(late, 'createAutonomyPolicies', {
      body: { payload: executable(), reason },
    })
    expect(refusal(old)).toEqual([422, 'LIQUIDITY_POLICY_VAULT_UNQUALIFIED'])
  })

  it('is paused and revoked while no chain answers', async () => {
    const owner = await newMember(service, scene.owner.organizationId, 'OWNER')
    const { data: policy } = await create(limits({ level: 2 }), {}, owner)
    await test.chain.stop()
    isStopped = true
    const paused = await change(policy, { status: 'PAUSED' }, owner)
    const ended = await change(paused.data, { status: 'REVOKED' }, owner)
    expect([paused.status, ended.status, ended.data.status]).toEqual([200, 200, 'REVOKED'])
  })
})
