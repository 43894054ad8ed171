// @module-tag long
// @covers apps/server/src/families/operate/proposals apps/server/src/integrations/safe-service

import type { contract } from '@liquidity-os/contract'
import { delegateDigest, safeTransactionHash, signSafeTransaction } from '@liquidity-os/localchain'
import { expect, onTestFinished } from 'vitest'
import { hostOf } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { started, test } from './support/fixtures.ts'
import {
  approved,
  current,
  packetBody,
  proposed,
  safeTransactionOf,
  startDesk,
  transferData,
} from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import { startSafeService } from './support/safe-service.ts'
import { newOrganization, type TestMember } from './support/service.ts'
import { ownersOf } from './support/vaults.ts'

const it = test
  .extend('safeService', { scope: 'file' }, started(startSafeService))
  .extend('settings', { scope: 'file' }, ({ testChain, safeService }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, safeService.url),
  }))
  .extend('desk', { scope: 'file' }, async ({ service, testChain }) => {
    await catchUp(testChain.chain, service)
    return startDesk(testChain, service)
  })

const register = (owner: TestMember, url: string) =>
  callOperation(owner, 'putOperatingSystemProvider', {
    body: {
      payload: {
        providerId: 'safe-service',
        kind: 'SAFE_SERVICE',
        displayName: 'Safe Transaction Service',
        endpoint: url,
        credentialReference: 'env:PROVIDER_SECRET_SAFE',
        configuration: { chainId: 31_337 },
      },
      reason: 'For the test',
    },
  })

const listed = (member: TestMember, id: string) =>
  callOperation<contract.SafeConfirmations>(member, 'listSafeConfirmations', { params: { id } })

it('lists the signatures of the owners in Safe{Wallet}, each recovered here', async ({
  service,
  testChain,
  desk,
  safeService,
}) => {
  process.env.PROVIDER_SECRET_SAFE = '127.0.0.1 the-key'
  onTestFinished(() => {
    delete process.env.PROVIDER_SECRET_SAFE
  })
  const { owner, safe, analyst } = desk
  const [token] = testChain.markets.tokens
  const someone = testChain.chain.accounts[9]!.address
  const calls = [{ to: token as string, data: transferData(someone, 1n) }]
  const { id } = await proposed(analyst, packetBody(service, desk, calls))
  const first = await approved(desk, id)
  const missing = await listed(owner, id)
  expect([missing.status, missing.code]).toEqual([404, 'LIQUIDITY_PROVIDER_UNKNOWN'])

  safeService.chainId = 1
  const wrong = await register(owner, safeService.url)
  expect([wrong.status, wrong.code]).toEqual([422, 'LIQUIDITY_PROVIDER_PROBE_FAILED'])
  expect(wrong.fieldErrors.SERVES_CHAIN?.[0]).toContain('it serves chain 1')
  safeService.chainId = 31_337
  expect((await register(owner, safeService.url)).status).toBe(201)
  expect(safeService.authorizations.at(-1)).toBe('Bearer the-key')

  const nothing = await listed(analyst, id)
  expect(nothing.data.packets).toMatchObject([
    { packetIndex: 0, state: 'NOT_PROPOSED', valid: 0, confirmations: [], conflicts: [] },
  ])

  const transaction = safeTransactionOf(first)
  const safeTxHash = safeTransactionHash(31_337, safe, transaction)
  const [one, two] = ownersOf(testChain)
  const signedBy = (signer: typeof one) => signSafeTransaction(31_337, safe, transaction, [signer!])
  const sent = (body: object, member = owner) =>
    callOperation<contract.SafeQueueEntry>(member, 'proposeToSafe', {
      params: { id },
      ifMatch: first.resourceVersion,
      body: { packetIndex: 0, reason: 'For the owners', ...body },
    })
  const forgery = await sent({ owner: two!.address, signature: await signedBy(one) })
  expect([forgery.status, forgery.code]).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID'])
  const noPacket = await sent({
    owner: one!.address,
    signature: await signedBy(one),
    packetIndex: 7,
  })
  expect([noPacket.status, noPacket.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  expect(safeService.posted).toEqual([])

  // An account becomes a delegate by the signature of an owner.
  const delegate = testChain.chain.accounts[8]!
  const ofDelegate = { owner: delegate.address, signature: await signedBy(delegate) }
  const unknown = await sent(ofDelegate)
  expect([unknown.status, unknown.code]).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID'])
  const addDelegate = async (delegator: typeof one, ofSafe: string | null = safe) =>
    fetch(`${safeService.url}/api/v2/delegates/`, {
      method: 'POST',
      body: JSON.stringify({
        safe: ofSafe,
        delegate: delegate.address,
        delegator: delegator!.address,
        label: 'Desk',
        signature: await delegator!.sign({
          hash: delegateDigest(31_337, delegate.address, Date.now() / 1000),
        }),
      }),
    })
  expect((await addDelegate(delegate)).status).toBe(201)
  expect((await sent(ofDelegate)).status).toBe(409)
  expect((await addDelegate(one, testChain.chain.accounts[7]!.address)).status).toBe(201)
  expect((await sent(ofDelegate)).status).toBe(409)
  // Without a Safe, a delegate is one of all Safes of the owner.
  for (const ofSafe of [null, safe]) {
    safeService.delegates.splice(1)
    // The delegate is on a later page of the list.
    for (let other = 0; other < 120; other += 1) {
      safeService.delegates.push({ ...safeService.delegates[0]!, label: `${other}` })
    }
    expect((await addDelegate(one, ofSafe)).status).toBe(201)
    const byDelegate = await sent(ofDelegate)
    expect([byDelegate.status, byDelegate.data]).toMatchObject([
      201,
      { owner: delegate.address, isDelegate: true, safeTxHash },
    ])
    expect(safeService.posted.splice(0)).toMatchObject([{ sender: delegate.address }])
  }
  expect((await listed(owner, id)).data.packets).toMatchObject([
    { state: 'COLLECTING', valid: 0, confirmations: [{ state: 'IGNORED' }] },
  ])
  safeService.queue.clear()
  const queued = await sent({ owner: one!.address, signature: await signedBy(one) })
  expect([queued.status, queued.data]).toMatchObject([
    201,
    { providerId: 'safe-service', safeTxHash, owner: one!.address, executionPerformed: false },
  ])
  expect(safeService.posted).toMatchObject([
    {
      to: transaction.to,
      data: transaction.data,
      value: '0',
      operation: 0,
      nonce: `${transaction.nonce}`,
      contractTransactionHash: safeTxHash,
      sender: one!.address,
    },
  ])
  expect((await listed(owner, id)).data.packets).toMatchObject([{ state: 'COLLECTING', valid: 1 }])
  const other = `0x${'e'.repeat(64)}`
  const nonce = `${transaction.nonce}`
  const forged = { owner: two!.address, signature: await signedBy(one) }
  safeService.queue.set(safeTxHash, {
    nonce,
    confirmations: [{ owner: one!.address, signature: await signedBy(one) }, forged],
  })
  safeService.queue.set(other, { nonce, confirmations: [] })
  const collecting = (await listed(owner, id)).data
  expect(collecting).toMatchObject({ providerId: 'safe-service', threshold: 2 })
  expect(collecting.packets).toMatchObject([
    {
      safeTxHash,
      state: 'COLLECTING',
      valid: 1,
      confirmations: [
        { owner: one!.address, signedAt: '2026-01-05T12:00:00.000Z', state: 'VALID' },
        { owner: two!.address, state: 'IGNORED' },
      ],
      conflicts: [other],
      nonceConflict: {
        code: 'NONCE_CONFLICT',
        severity: 'WARN',
        nextNonce: `${transaction.nonce + 1n}`,
      },
    },
  ])

  safeService.queue.set(safeTxHash, {
    nonce,
    confirmations: [
      { owner: one!.address, signature: await signedBy(one) },
      { owner: two!.address, signature: await signedBy(two) },
    ],
  })
  expect((await listed(owner, id)).data.packets).toMatchObject([{ state: 'READY', valid: 2 }])

  // Another tool queued the same calls with the next nonce.
  safeService.queue.clear()
  const later = { ...transaction, nonce: transaction.nonce + 1n }
  const laterHash = safeTransactionHash(31_337, safe, later)
  safeService.queue.set(laterHash, { nonce: `${later.nonce}`, confirmations: [] })
  expect((await listed(owner, id)).data.packets).toMatchObject([
    { safeTxHash: laterHash, nonce: `${later.nonce}`, state: 'COLLECTING' },
  ])
  const { resourceVersion } = await current(owner, id)
  const twice = await callOperation(owner, 'proposeToSafe', {
    params: { id },
    ifMatch: resourceVersion,
    body: {
      packetIndex: 0,
      reason: 'Again',
      owner: one!.address,
      signature: await signedBy(one),
    },
  })
  expect([twice.status, twice.code]).toEqual([409, 'LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND'])

  for (const broken of [
    { status: 429, body: '{}', code: 'LIQUIDITY_PROVIDER_UNAVAILABLE' },
    { status: 200, body: '[]', code: 'LIQUIDITY_PROVIDER_ANSWER_REFUSED' },
    { status: 200, body: '<html>', code: 'LIQUIDITY_PROVIDER_ANSWER_REFUSED' },
  ]) {
    safeService.broken = broken
    const failed = await listed(owner, id)
    expect([failed.status >= 500, failed.code]).toEqual([true, broken.code])
  }
  safeService.broken = null

  const stranger = await newOrganization(service)
  expect((await listed(stranger, id)).status).toBe(404)
})
