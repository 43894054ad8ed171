import type { contract } from '@liquidity-os/contract'
import { H, importPublicKey, type VersionedRecord, verify } from '@liquidity-os/evidence'
import {
  createSafe,
  deployProxyAdmin,
  deploySafe13,
  erc20Abi,
  type SafeTransaction,
  safeExecutionData,
  signSafeMessage,
  signSafeTransaction,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseAbi } from 'viem'
import { describe, expect } from 'vitest'
import { publishedKeys } from '../src/access/signing-keys.ts'
import { custodyEvidence, liveCustody } from '../src/families/prove/treasury-custody/api.ts'
import { checkAuthorities } from '../src/families/prove/treasury-custody/authority-check.ts'
import { expireCustodyEvidence } from '../src/families/prove/treasury-custody/custody-expiry.ts'
import { provenAccount, provenSlot } from '../src/integrations/chain/trie-proof.ts'
import { TenantRecords } from '../src/store/records/tenant-records.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { providerBody, type TestChain } from './support/chain.ts'
import {
  accountStatement,
  catchUp,
  digestOf,
  newNonce,
  typedData,
  wholeSeconds,
} from './support/custody.ts'
import { chainTest } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember, TestService } from './support/service.ts'

type Statement = contract.CustodyStatement
type Record = VersionedRecord<contract.TreasuryCustodyEvidence>
type Written = { evidence: Record; receipt: contract.CustodyReceipt }

const it = chainTest.extend(
  'token',
  { scope: 'file', auto: true },
  async ({ service, testChain, owner }) => {
    await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
    await catchUp(testChain.chain, service)
    const token = await testChain.chain.deployToken(
      { name: 'Token', symbol: 'T', supply: 10n ** 9n },
      account(testChain, 1).address,
    )
    return token
  },
)

it.beforeAll(async ({ testChain }) => {
  await testChain.chain.mine(4)
})

const reason = 'For the test'
const account = (testChain: TestChain, index: number): LocalAccount =>
  testChain.chain.accounts[index]!
const keyOf = (address: Address) => `eip155:31337/erc20:${address.toLowerCase()}`
const one = (token: Address, quantity: string, assetKey = keyOf(token)) => [{ assetKey, quantity }]

const admit = (
  owner: TestMember,
  statement: Statement,
  signature: object,
  by = owner,
  more: object = {},
) =>
  callOperation<Written>(by, 'admitTreasuryCustodyEvidence', {
    body: { statement, signature, reason },
    ...more,
  })
const aboutKey = (
  service: TestService,
  testChain: TestChain,
  owner: TestMember,
  token: Address,
  changes: Partial<Statement> = {},
  key = account(testChain, 1),
) =>
  accountStatement(service, owner, testChain.chain, {
    account: key.address,
    holdings: one(token, `${10n ** 9n}`),
    ...changes,
  })
const keySignature = async (
  testChain: TestChain,
  statement: Statement,
  key = account(testChain, 1),
) => ({
  scheme: 'EIP712_EOA',
  signature: await key.signTypedData(typedData(statement) as never),
})
const signedByKey = async (
  testChain: TestChain,
  owner: TestMember,
  statement: Statement,
  key = account(testChain, 1),
) => admit(owner, statement, await keySignature(testChain, statement, key))
const summarize = ({ status, code, fieldErrors }: Awaited<ReturnType<typeof admit>>) => [
  ...[status, code, Object.keys(fieldErrors)],
]

/** What a stranger can check without the service: the receipt, and that it is of this statement. */
function requireVerifiable({ statement, receipt }: Record['payload']): void {
  const { serviceSignature, ...body } = receipt
  const key = importPublicKey(receipt.servicePublicKey)
  expect(verify(key, 'custody-receipt/v1', body, serviceSignature)).toBe(true)
  expect(receipt.statementHash).toBe(H('treasury-custody-statement/v1', statement))
}

describe('evidence of the account of a key', () => {
  it('is verified, kept with a signed receipt, and shown to a stranger by its proof', async ({
    service,
    testChain,
    owner,
    stranger,
    token,
  }) => {
    const statement = await aboutKey(service, testChain, owner, token)
    const answer = await signedByKey(testChain, owner, statement)
    expect([summarize(answer), answer.headers.get('etag')]).toEqual([
      [201, '', []],
      `"${answer.data.evidence.resourceVersion}"`,
    ])
    const { evidence, receipt } = answer.data
    expect(evidence.payload).toEqual({
      statement,
      signature: await keySignature(testChain, statement),
      receipt,
    })
    expect(receipt).toMatchObject({
      assurance: 'CHAIN_PROVEN',
      signedDigest: digestOf(statement),
      authority: { kind: 'EOA', address: account(testChain, 1).address, flags: [] },
      observed: [{ assetKey: keyOf(token), quantity: `${10n ** 9n}`, proof: 'MERKLE' }],
      limitations: ['SINGLE_RPC_PROVIDER', 'LIABILITIES_NOT_STATED'],
      statementBlock: { number: statement.blockNumber, hash: statement.blockHash },
    })
    expect(receipt.checks.every(({ result }) => result === 'PASS')).toBe(true)
    requireVerifiable(evidence.payload)
    const published = await publishedKeys(service.database)
    expect(published.map(({ publicKey }) => publicKey)).toContain(receipt.servicePublicKey)

    const [contentHash] = receipt.observed[0]!.evidenceHashes
    const { body } = await owner.client.downloadArtifact({ params: { contentHash: contentHash! } })
    const proof = JSON.parse(Buffer.from(body as never).toString())
    const { stateRoot } = await testChain.chain.publicClient.getBlock({
      blockHash: statement.blockHash as Hex,
    })
    expect(stateRoot).toBe(receipt.statementBlock!.stateRoot)
    const { storageHash } = provenAccount(stateRoot, token, proof.accountProof)
    expect(provenSlot(storageHash, proof.storage.slot, proof.storage.proof)).toBe(10n ** 9n)

    for (const evidenceId of [evidence.id, statement.evidenceId]) {
      const read = await callOperation<Record>(owner, 'getTreasuryCustodyEvidence', {
        params: { evidenceId },
      })
      expect([read.status, read.data.id]).toEqual([200, evidence.id])
      const hidden = await callOperation(stranger, 'getTreasuryCustodyEvidence', {
        params: { evidenceId },
      })
      expect([hidden.status, hidden.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
    }
  })

  it('again is what exists, under its key and under another', async ({
    service,
    testChain,
    owner,
    stranger,
    token,
  }) => {
    const statement = await aboutKey(service, testChain, owner, token)
    const signature = await keySignature(testChain, statement)
    const idempotencyKey = crypto.randomUUID()
    const first = await admit(owner, statement, signature, owner, { idempotencyKey })
    const again = await admit(owner, statement, signature, owner, { idempotencyKey })
    const other = await admit(owner, statement, signature)
    expect([first, again, other].map(({ status, isReplayed }) => [status, isReplayed])).toEqual([
      ...[
        [201, false],
        [200, true],
        [200, false],
      ],
    ])
    for (const { data } of [again, other]) expect(data).toEqual(first.data)
    const changed = { ...statement, purpose: 'Another purpose' }
    expect(summarize(await signedByKey(testChain, owner, changed))).toEqual([
      ...[409, 'LIQUIDITY_CUSTODY_EVIDENCE_ID_BOUND', ['statement.evidenceId']],
    ])
    const { nonce } = statement
    expect(
      summarize(
        await signedByKey(
          testChain,
          owner,
          await aboutKey(service, testChain, owner, token, { nonce }),
        ),
      ),
    ).toEqual([...[422, 'LIQUIDITY_CUSTODY_NONCE_USED', ['statement.nonce']]])
    // Names are those of an organization: another one has its own.
    await stranger.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
    const theirs = await accountStatement(service, stranger, testChain.chain, {
      account: account(testChain, 1).address,
      holdings: one(token, `${10n ** 9n}`),
      nonce,
      evidenceId: statement.evidenceId,
    })
    expect(
      (await admit(owner, theirs, await keySignature(testChain, theirs), stranger)).status,
    ).toBe(201)
  })

  it('of one identity that comes many times at once is kept once', async ({
    service,
    testChain,
    owner,
    token,
  }) => {
    const statement = await aboutKey(service, testChain, owner, token)
    const signature = await keySignature(testChain, statement)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admit(owner, statement, signature)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...[200, 200, 200, 200, 200, 200, 200, 201],
    ])
    expect(new Set(answers.map(({ data }) => data.evidence.id)).size).toBe(1)
  })

  it('is refused where an amount is one atom off, with both figures', async ({
    service,
    testChain,
    owner,
    token,
  }) => {
    const claimed = `${10n ** 9n + 1n}`
    const answer = await signedByKey(
      testChain,
      owner,
      await aboutKey(service, testChain, owner, token, { holdings: one(token, claimed) }),
    )
    expect(summarize(answer)).toEqual([
      ...[422, 'LIQUIDITY_CUSTODY_HOLDING_MISMATCH', ['statement.holdings.0.quantity']],
    ])
    expect(answer.fieldErrors['statement.holdings.0.quantity']![0]).toContain(
      `claimed ${claimed}, observed ${10n ** 9n}`,
    )
  })

  it('is about its block, not about now', async ({ service, testChain, owner, token }) => {
    const key = account(testChain, 4)
    const own = await testChain.chain.deployToken(
      { name: 'Own', symbol: 'O', supply: 100n },
      key.address,
    )
    await testChain.chain.mine(4)
    const before = await aboutKey(
      service,
      testChain,
      owner,
      token,
      { holdings: one(token, '100', keyOf(own)) },
      key,
    )
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [account(testChain, 5).address, 40n],
    })
    await testChain.chain.send({ from: key.address, to: own, data })
    await testChain.chain.mine(4)
    expect((await signedByKey(testChain, owner, before, key)).status).toBe(201)
    const after = await aboutKey(
      service,
      testChain,
      owner,
      token,
      { holdings: one(token, '100', keyOf(own)) },
      key,
    )
    expect(summarize(await signedByKey(testChain, owner, after, key))[1]).toBe(
      'LIQUIDITY_CUSTODY_HOLDING_MISMATCH',
    )
  })

  it('is rejected for wrong times, blocks, signer and organization', async ({
    service,
    testChain,
    owner,
    stranger,
    token,
  }) => {
    const refused = async (changes: Partial<Statement>, key = account(testChain, 1)) =>
      summarize(
        await signedByKey(
          testChain,
          owner,
          await aboutKey(service, testChain, owner, token, changes),
          key,
        ),
      )
    const invalid = (...members: string[]) => [
      ...[422, 'LIQUIDITY_CUSTODY_STATEMENT_INVALID', members.map((one) => `statement.${one}`)],
    ]
    const now = service.clock.read()
    const at = (seconds: number) => wholeSeconds(now + seconds * 1000)
    expect(await refused({ issuedAt: at(61) })).toEqual(invalid('issuedAt'))
    expect(await refused({ expiresAt: at(30 * 86_400 + 1) })).toEqual(invalid('expiresAt'))
    expect(await refused({ issuedAt: at(-10), expiresAt: at(0) })).toEqual([
      ...[412, 'LIQUIDITY_CUSTODY_AUTHORITY_CHANGED', ['statement.expiresAt']],
    ])
    const organizationHash = H('organization/v1', { organizationId: stranger.organizationId })
    expect(await refused({ organizationHash })).toEqual(invalid('organizationHash'))
    expect(await refused({ evidenceId: `custody_evidence_${'0'.repeat(32)}` })).toEqual(
      invalid('evidenceId'),
    )
    const { number } = await testChain.chain.publicClient.getBlock({ blockTag: 'latest' })
    expect(await refused({ blockNumber: Number(number) })).toEqual([
      ...[422, 'LIQUIDITY_CUSTODY_BLOCK_NOT_FINAL', ['statement.blockNumber']],
    ])
    expect(await refused({ blockHash: newNonce() })).toEqual([
      ...[422, 'LIQUIDITY_CUSTODY_BLOCK_NOT_FINAL', ['statement.blockHash']],
    ])
    const old = await testChain.chain.publicClient.getBlock({ blockNumber: 10n })
    expect(await refused({ blockNumber: 10, blockHash: old.hash })).toEqual([
      ...[422, 'LIQUIDITY_CUSTODY_BLOCK_TOO_OLD', ['statement.blockNumber']],
    ])
    const foreign = ['signature.signature', 'statement']
    expect(await refused({}, account(testChain, 2))).toEqual([
      ...[422, 'LIQUIDITY_CUSTODY_SIGNATURE_INVALID', foreign],
    ])
    const statement = await aboutKey(service, testChain, owner, token)
    const signed = await keySignature(testChain, statement)
    const moved = { ...statement, purpose: 'Said by nobody' }
    expect(summarize(await admit(owner, moved, signed))[1]).toBe(
      'LIQUIDITY_CUSTODY_SIGNATURE_INVALID',
    )
    const doubled = [...one(token, '1'), ...one(token, '1')]
    expect(await refused({ holdings: doubled })).toEqual(invalid('holdings.1.assetKey'))
    const receipt = {
      ...(await signedByKey(testChain, owner, await aboutKey(service, testChain, owner, token)))
        .data.receipt,
    }
    const typed = await callOperation(owner, 'admitTreasuryCustodyEvidence', {
      body: { statement, signature: signed, reason, receipt },
    })
    expect(typed.status).toBe(400)
  })

  it('is refused where a scalar is not in the form that is signed, and never brought into it', async ({
    service,
    testChain,
    owner,
    token,
  }) => {
    const statement = await aboutKey(service, testChain, owner, token)
    const signature = await keySignature(testChain, statement)
    const spelled: Partial<Statement>[] = [
      { issuedAt: statement.issuedAt.replace('Z', '.000Z') },
      { expiresAt: statement.expiresAt.replace('Z', '+00:00') },
      { controller: statement.controller.toLowerCase() },
      { nonce: statement.nonce.toUpperCase().replace('0X', '0x') },
      { holdings: one(token, '01000000000') },
    ]
    const members = ['issuedAt', 'expiresAt', 'controller', 'nonce', 'holdings.0.quantity']
    for (const [index, change] of spelled.entries()) {
      expect(summarize(await admit(owner, { ...statement, ...change }, signature))).toEqual([
        ...[422, 'LIQUIDITY_CUSTODY_STATEMENT_INVALID', [`statement.${members[index]}`]],
      ])
    }
  })

  it('may be of a contract that it owns, and of nothing that it does not', async ({
    service,
    testChain,
    owner,
    token,
  }) => {
    const admin = await deployProxyAdmin(testChain.chain)
    // The factory of Uniswap v3 belongs to whoever deployed it, and what lies in it to nobody.
    const factory = testChain.chain.contracts.uniswapV3Factory
    await testChain.chain.mine(4)
    const owned = (contract: Address) =>
      aboutKey(
        service,
        testChain,
        owner,
        token,
        {
          container: `eip155:31337:${contract.toLowerCase()}`,
          holdings: one(token, '0'),
          relation: 'OWNER',
        },
        account(testChain, 0),
      )
    expect(
      summarize(await signedByKey(testChain, owner, await owned(admin), account(testChain, 0))),
    ).toEqual([201, '', []])
    expect(
      summarize(await signedByKey(testChain, owner, await owned(factory), account(testChain, 0))),
    ).toEqual([...[422, 'LIQUIDITY_TREASURY_CONTAINER_IS_PROTOCOL', ['statement.container']]])
    const { safe } = await newSafe(testChain, [account(testChain, 1)], 1)
    const more = { container: `eip155:31337:${safe.toLowerCase()}`, holdings: one(token, '0') }
    const signatory = await signedByKey(
      testChain,
      owner,
      await aboutKey(service, testChain, owner, token, { ...more, relation: 'SIGNATORY' }),
    )
    expect(summarize(signatory)).toEqual([201, '', []])
    for (const statement of [
      { ...more, relation: 'OWNER' as const },
      {
        ...more,
        relation: 'SIGNATORY' as const,
        container: (await newSafe(testChain, [account(testChain, 1), account(testChain, 2)], 2))
          .key,
      },
    ]) {
      expect(
        summarize(
          await signedByKey(
            testChain,
            owner,
            await aboutKey(service, testChain, owner, token, statement),
          ),
        ),
      ).toEqual([...[422, 'LIQUIDITY_CUSTODY_CONTROL_UNPROVEN', ['statement.relation']]])
    }
  })
})

function recordsOf(service: TestService, { organizationId }: TestMember): TenantRecords {
  const { database, verified, artifacts, clock } = service.services
  const actor = { kind: 'SYSTEM', id: 'test' } as const
  return new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now: clock(),
    database,
    verified,
    artifacts,
  })
}

let salt = 900n
async function newSafe(
  testChain: TestChain,
  signers: readonly LocalAccount[],
  threshold: number,
  version = '1.4.1',
) {
  salt += 1n
  const release = version === '1.3.0' ? { release: await deploySafe13(testChain.chain) } : {}
  const owners = signers.map(({ address }) => address)
  const safe = await createSafe(testChain.chain, { owners, threshold, saltNonce: salt, ...release })
  await testChain.chain.mine(4)
  return { safe, key: `eip155:31337:${safe.toLowerCase()}` }
}

describe.each(['1.3.0', '1.4.1'])('evidence of a Safe %s of two out of three', (version) => {
  const managing = parseAbi([
    'function changeThreshold(uint256 threshold)',
    'function enableModule(address module)',
  ])
  const owners = (testChain: TestChain) => [
    account(testChain, 1),
    account(testChain, 2),
    account(testChain, 3),
  ]
  const signedBySafe = async (
    owner: TestMember,
    statement: Statement,
    safe: Address,
    signers: LocalAccount[],
  ) =>
    admit(owner, statement, {
      scheme: 'EIP712_SAFE',
      signature: await signSafeMessage(31_337, safe, digestOf(statement), signers),
      signer: safe,
    })
  const aboutSafe = (
    service: TestService,
    testChain: TestChain,
    owner: TestMember,
    token: Address,
    safe: Address,
    quantity: string,
    asset: Address,
  ) =>
    accountStatement(service, owner, testChain.chain, {
      account: safe,
      holdings: one(token, quantity, keyOf(asset)),
    })
  async function manage(testChain: TestChain, safe: Address, nonce: bigint, data: Hex) {
    const transaction: SafeTransaction = { to: safe, value: 0n, data, operation: 0, nonce }
    const signatures = await signSafeTransaction(
      31_337,
      safe,
      transaction,
      owners(testChain).slice(0, 2),
    )
    const call = safeExecutionData(transaction, signatures)
    await testChain.chain.send({ from: account(testChain, 8).address, to: safe, data: call })
    await testChain.chain.mine(4)
  }

  it('needs two owners, and lapses with their threshold', async ({
    service,
    testChain,
    owner,
    token,
  }) => {
    const { safe } = await newSafe(testChain, owners(testChain), 2, version)
    const held = await testChain.chain.deployToken({ name: 'H', symbol: 'H', supply: 500n }, safe)
    await testChain.chain.mine(4)
    const statement = await aboutSafe(service, testChain, owner, token, safe, '500', held)
    const alone = await signedBySafe(owner, statement, safe, [account(testChain, 2)])
    expect(summarize(alone).slice(0, 2)).toEqual([422, 'LIQUIDITY_CUSTODY_SIGNATURE_INVALID'])
    expect(alone.fieldErrors['signature.signature']![0]).toContain('2 signatures required')
    const both = await signedBySafe(owner, statement, safe, [
      account(testChain, 3),
      account(testChain, 2),
    ])
    expect(summarize(both)).toEqual([201, '', []])
    const { receipt, evidence } = both.data
    expect(receipt).toMatchObject({
      assurance: 'CHAIN_PROVEN',
      authority: { kind: 'SAFE', version, threshold: 2, modules: [], flags: [] },
    })
    const { authority } = receipt
    expect(authority.kind === 'SAFE' && new Set(authority.signers)).toEqual(
      new Set([account(testChain, 2).address, account(testChain, 3).address]),
    )
    requireVerifiable(evidence.payload)

    const later = await aboutSafe(service, testChain, owner, token, safe, '500', held)
    const args = [3n] as const
    await manage(
      testChain,
      safe,
      0n,
      encodeFunctionData({ abi: managing, functionName: 'changeThreshold', args }),
    )
    const response = await signedBySafe(owner, later, safe, owners(testChain).slice(0, 2))
    expect(summarize(response)).toEqual([
      ...[412, 'LIQUIDITY_CUSTODY_AUTHORITY_CHANGED', ['statement.blockNumber']],
    ])
    const now = await aboutSafe(service, testChain, owner, token, safe, '500', held)
    expect((await signedBySafe(owner, now, safe, owners(testChain))).status).toBe(201)

    // What the Safe of then said lapses with the daily reading; what the Safe of now says stands.
    await checkAuthorities(service.services)
    const { status, payload, createdBy } = (await custodyEvidence.current(
      recordsOf(service, owner),
      evidence.id,
    ))!.record
    expect([status, createdBy.kind]).toEqual(['REVOKED', 'SYSTEM'])
    expect(payload.lapse?.detail).toMatch(/^then 2 of .+, now 3 of /u)
    const live = await liveCustody(recordsOf(service, owner), statement.container)
    expect(live.map(({ evidence: { id } }) => id)).not.toContain(evidence.id)
    expect(live).toHaveLength(1)
  })

  it('names the modules that can move its holdings', async ({
    service,
    testChain,
    owner,
    token,
  }) => {
    const { safe } = await newSafe(testChain, owners(testChain), 2, version)
    const args = [testChain.chain.contracts.multiSend] as const
    await manage(
      testChain,
      safe,
      0n,
      encodeFunctionData({ abi: managing, functionName: 'enableModule', args }),
    )
    const statement = await aboutSafe(service, testChain, owner, token, safe, '0', token)
    const { data } = await signedBySafe(owner, statement, safe, owners(testChain).slice(0, 2))
    expect(data.receipt.authority).toMatchObject({
      modules: [testChain.chain.contracts.multiSend],
      flags: ['MODULE_CAN_MOVE_FUNDS'],
    })
    const byKey = await aboutKey(service, testChain, owner, token, {}, account(testChain, 1))
    const asSafe = await admit(owner, byKey, { scheme: 'EIP712_SAFE', signature: '0x' })
    expect(summarize(asSafe)).toEqual([
      ...[422, 'LIQUIDITY_CUSTODY_CONTROL_UNPROVEN', ['statement.controller']],
    ])
  })
})

describe('expired evidence', () => {
  it('no longer counts from that moment on, swept or not', async ({
    service,
    testChain,
    owner,
    token,
  }) => {
    const expiresAt = wholeSeconds(service.clock.read() + 3_600_000)
    const statement = await aboutKey(service, testChain, owner, token, { expiresAt })
    const { data } = await signedByKey(testChain, owner, statement)
    const { id } = data.evidence
    const live = async () =>
      (await liveCustody(recordsOf(service, owner))).map(({ evidence }) => evidence.id)
    expect(await live()).toContain(id)
    service.clock.advance(3_600_000)
    expect(await live()).not.toContain(id)
    const late = await callOperation(owner, 'admitTreasuryCustodyEvidence', {
      body: { statement, signature: await keySignature(testChain, statement), reason },
    })
    expect([late.status, late.code]).toEqual([401, 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'])
    await expireCustodyEvidence(service.services)
    const read = await callOperation<Record>(owner, 'getTreasuryCustodyEvidence', {
      params: { evidenceId: statement.evidenceId },
    })
    expect([read.data.status, read.data.sequence]).toEqual(['EXPIRED', 2])
  })

  it('leaves a history that verifies', async ({ service, owner }) => {
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
