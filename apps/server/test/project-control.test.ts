import { basePath, type contract } from '@liquidity-os/contract'
import { openRecord, type VersionedRecord } from '@liquidity-os/evidence'
import {
  controlAbi,
  createSafe,
  deployBeaconProxy,
  deployMinimalProxy,
  deployProxyAdmin,
  deployRoleToken,
  deployTimelock,
  deployTransparentProxy,
  safeExecutionData,
  sendControl,
  signSafeMessage,
  signSafeTransaction,
} from '@liquidity-os/localchain'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  isAddressEqual,
  parseAbi,
  zeroAddress,
} from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expireChallenges,
  expireProofs,
} from '../src/families/prove/project-control/control-expiry.ts'
import { checkPaths } from '../src/families/prove/project-control/path-check.ts'
import { textOf } from '../src/store/database/row.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, providerBody, startTestChain, type TestChain } from './support/chain.ts'
import { tell } from './support/requests.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Challenge = contract.ProjectControlChallengeView
type Link = readonly [place: number, from: string, to: string]
type Proof = VersionedRecord<contract.ProjectControlProof>

let test: TestChain
let service: TestService
let owner: TestMember
let stranger: TestMember
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  stranger = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

const reason = 'For the test'
const admin = `0x${'0'.repeat(64)}` as const
const account = (index: number) => test.chain.accounts[index]!
const deployer = () => account(0).address

const issue = (claim: object, by = owner) =>
  tell<Challenge>(by, 'issueProjectControlChallenge', {
    body: { chainId: 31_337, format: 'EIP4361', reason, ...claim },
  })
const read = (nonce: string, by = owner) =>
  tell<Challenge>(by, 'getProjectControlChallenge', { params: { nonce } })
const answer = (nonce: string, signature: Hex, by = owner) =>
  tell<{ proof: Proof }>(by, 'acceptProjectControlProof', { body: { nonce, signature, reason } })

async function issued(claim: object): Promise<Challenge> {
  await test.chain.mine(3)
  const told = await issue(claim)
  expect([told.status, told.code, told.fieldErrors]).toEqual([201, '', {}])
  return told.data
}
const sign = ({ message }: Challenge, index: number) =>
  account(index).signMessage({ message: message ?? '' })

async function proven(claim: object, index: number): Promise<Proof> {
  const challenge = await issued(claim)
  const told = await answer(challenge.nonce, await sign(challenge, index))
  expect([told.status, told.code, told.fieldErrors]).toEqual([201, '', {}])
  return told.data.proof
}

/** Owned as OpenZeppelin's Ownable is; the package publishes no such token, and no token is needed to be owned. */
const newOwned = async () => (await deployBeaconProxy(test.chain, await newToken())).beacon
const newToken = () => deployRoleToken(test.chain, 'MINT')
const hand = (contract: Address, to: Address, from = deployer()) =>
  sendControl(test.chain, from, contract, { functionName: 'transferOwnership', args: [to] })
const minterRole = (address: Address) =>
  test.chain.publicClient.readContract({ address, abi: controlAbi, functionName: 'MINTER_ROLE' })

const safeSignature = (safe: Address, digest: Hex, indexes: readonly number[]) =>
  signSafeMessage(31_337, safe, digest, indexes.map(account))
const ascending = (addresses: readonly Address[]) =>
  addresses.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
const newSafe = (indexes: readonly number[], threshold: number, saltNonce: bigint) =>
  createSafe(test.chain, {
    ...{ owners: indexes.map((index) => account(index).address), threshold, saltNonce },
  })

describe('a challenge', () => {
  it('is a message of EIP-4361 that names the deployment, the claim and the organization', async () => {
    const token = await newToken()
    const claim = { token, claimant: deployer(), method: 'DEFAULT_ADMIN' }
    const challenge = await issued(claim)
    expect(parseSiweMessage(challenge.message!)).toEqual({
      ...{ domain: '127.0.0.1:8080', address: deployer(), uri: 'http://127.0.0.1:8080' },
      ...{ version: '1', chainId: 31_337, nonce: challenge.nonce },
      ...{ issuedAt: new Date('2026-01-05T12:00:00Z') },
      ...{ expirationTime: new Date('2026-01-05T12:10:00Z') },
      statement: `Prove control of MINT ${token} on chain 31337 for ${owner.organizationId}. This moves no funds and grants no permission.`,
      resources: [
        expect.stringMatching(/^urn:liquidity-os:organization:0x[0-9a-f]{64}$/),
        'urn:liquidity-os:control:DEFAULT_ADMIN',
      ],
    })
    expect(challenge.message).toContain('Issued At: 2026-01-05T12:00:00Z\n')
    expect(challenge).toMatchObject({ status: 'OPEN', typedData: null, proofId: null })
    const { data, headers } = await read(challenge.nonce)
    expect(data).toEqual(challenge)
    expect(headers.get('cache-control')).toBe('private, no-store')
    const foreign = await read(challenge.nonce, stranger)
    expect([foreign.status, foreign.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
    const signature = await sign(challenge, 0)
    expect((await answer(challenge.nonce, signature, stranger)).status).toBe(404)
  })

  it('is typed data of the same members where it is asked for', async () => {
    const token = await newToken()
    const claim = { token, claimant: deployer(), method: 'DEFAULT_ADMIN', format: 'EIP712' }
    const { typedData, digest, message, nonce } = await issued(claim)
    expect(message).toBeNull()
    expect(hashTypedData(typedData as never)).toBe(digest)
    const signature = await account(0).signTypedData(typedData as never)
    const { data } = await answer(nonce, signature)
    expect(data.proof.payload).toMatchObject({ strength: 'FULL', messageHash: digest })
  })

  it('names the first step that does not hold, and what was read there', async () => {
    const token = await newOwned()
    await test.chain.mine(3)
    const other = account(1).address
    const refused = async (claim: object) => {
      const { status, code, fieldErrors } = await issue({ token, ...claim })
      return [status, code, fieldErrors]
    }
    const unproven = 'LIQUIDITY_PROJECT_CONTROL_PATH_UNPROVEN'
    const step = (fields: readonly [from: string, to: string], link: Link, what: string) => {
      const [place, from, to] = link
      const message = `step ${place}, from ${from} to ${to}: ${from} ${what}`
      return Object.fromEntries(fields.map((field) => [field, [message]]))
    }
    const direct = ['token', 'claimant'] as const
    expect(await refused({ claimant: other, method: 'OWNER' })).toEqual([
      ...[422, unproven],
      step(direct, [1, token, other], `has the owner() ${deployer()}`),
    ])
    const via = [deployer()]
    expect(await refused({ claimant: other, method: 'OWNER', via })).toEqual([
      ...[422, unproven],
      step(
        ...([
          ['via.0', 'claimant'],
          [2, deployer(), other],
        ] as const),
        'has no code, and only its own key decides for it',
      ),
    ])
    expect(await refused({ claimant: other, method: 'OWNER', via: [account(2).address] })).toEqual([
      ...[422, unproven],
      step(['token', 'via.0'], [1, token, account(2).address], `has the owner() ${deployer()}`),
    ])
    expect(await refused({ claimant: other, method: 'DEFAULT_ADMIN' })).toEqual([
      ...[422, unproven, step(direct, [1, token, other], 'has no hasRole(bytes32,address)')],
    ])
    const nobody = 'has neither an admin nor a beacon in the slots of EIP-1967'
    expect(await refused({ claimant: other, method: 'PROXY_ADMIN' })).toEqual([
      ...[422, unproven, step(direct, [1, token, other], nobody)],
    ])
    expect(await refused({ token: other, claimant: deployer(), method: 'OWNER' })).toEqual([
      ...[422, unproven, step(direct, [1, other, deployer()], 'has no code')],
    ])
  })

  it('takes what its method needs, and nothing that it does not read', async () => {
    const token = await newToken()
    const refused = async (claim: object) => {
      const { status, fieldErrors } = await issue({ token, claimant: deployer(), ...claim })
      return [status, Object.keys(fieldErrors)]
    }
    expect(await refused({ method: 'ROLE' })).toEqual([400, ['role']])
    expect(await refused({ method: 'OWNER', role: admin })).toEqual([400, ['role']])
    expect(await refused({ method: 'OWNER', deploymentTxHash: admin })).toEqual([
      ...[400, ['deploymentTxHash']],
    ])
    expect(await refused({ method: 'DEPLOYER', via: [account(1).address] })).toEqual([
      ...[400, ['deploymentTxHash', 'via']],
    ])
    expect(await refused({ method: 'OWNER', via: [deployer()] })).toEqual([400, ['claimant']])
    expect(await refused({ method: 'OWNER', chainId: 5 })).toEqual([404, ['chainId']])
  })

  it('is one of at most twenty that are open', async () => {
    const member = await newOrganization(service)
    await member.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    const claim = { token: await newToken(), claimant: deployer(), method: 'DEFAULT_ADMIN' }
    await test.chain.mine(3)
    for (let open = 0; open < 18; open += 1) expect((await issue(claim, member)).status).toBe(201)
    // Of four at once for two places, two are counted again and find none.
    const four = await Promise.all(Array.from({ length: 4 }, () => issue(claim, member)))
    expect(four.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429])
    const refused = await issue(claim, member)
    expect([refused.status, refused.code]).toEqual([429, 'LIQUIDITY_RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).toBe('600')
  })
})

/** What deploys some code as it is. */
const initOf = (code: Hex): Hex =>
  `0x60${((code.length - 2) / 2).toString(16).padStart(2, '0')}8060095f395ff3${code.slice(2)}`

describe('a proof', () => {
  it('of an owner with a key is full, stands for its challenge once, and is the same for the same signature', async () => {
    const token = await newOwned()
    const challenge = await issued({ token, claimant: deployer(), method: 'OWNER' })
    const wrong = await answer(challenge.nonce, await sign(challenge, 1))
    expect([wrong.status, wrong.code, Object.keys(wrong.fieldErrors)]).toEqual([
      ...[422, 'LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID', ['signature']],
    ])
    const signature = await sign(challenge, 0)
    const { status, data } = await answer(challenge.nonce, signature)
    expect(status).toBe(201)
    const { proof } = data
    expect(proof).toMatchObject({ status: 'ACTIVE', sequence: 1 })
    expect(proof.payload).toMatchObject({
      ...{ token, claimant: deployer(), claimantKind: 'EOA', strength: 'FULL' },
      path: [
        {
          ...{ from: token, to: deployer(), relation: 'owner' },
          evidence: { read: 'owner()', answer: deployer() },
        },
      ],
      ...{ code: { kind: 'DIRECT', implementation: token, admin: null } },
      ...{ pending: { pendingOwner: null, pendingDefaultAdmin: null }, otherHolders: null },
      ...{ messageHash: challenge.digest, validUntil: '2026-04-05T12:00:00.000Z', lapse: null },
      computation: { limitations: ['SINGLE_RPC_PROVIDER'], executionAuthorityGranted: false },
    })
    const again = await answer(challenge.nonce, signature)
    expect([again.status, again.data.proof]).toEqual([201, proof])
    const other = await answer(challenge.nonce, await sign(challenge, 1))
    expect([other.status, other.code]).toEqual([
      ...[409, 'LIQUIDITY_PROJECT_CONTROL_CHALLENGE_CONSUMED'],
    ])
    const { data: consumed } = await read(challenge.nonce)
    expect(consumed).toEqual({ ...challenge, status: 'CONSUMED', proofId: proof.id })
  })

  it('is one, however many bring the same signature at once', async () => {
    const challenge = await issued({
      token: await newOwned(),
      claimant: deployer(),
      method: 'OWNER',
    })
    const signature = await sign(challenge, 0)
    const told = await Promise.all([1, 2, 3, 4].map(() => answer(challenge.nonce, signature)))
    expect(told.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(told.map(({ data }) => data.proof.id)).size).toBe(1)
  })

  it('through proxy, admin, timelock and Safe names each step, and is as strong as the weakest', async () => {
    const safe = await newSafe([1, 2, 3], 2, 21n)
    const timelock = await deployTimelock(test.chain, {
      ...{ minDelay: 172_800n, proposers: [safe], executors: [zeroAddress] },
    })
    const proxyAdmin = await deployProxyAdmin(test.chain)
    await hand(proxyAdmin, timelock)
    const implementation = await newToken()
    const token = await deployTransparentProxy(test.chain, implementation, proxyAdmin)
    const method = 'PROXY_ADMIN'
    const signer = account(2).address
    const { payload } = await proven(
      { token, claimant: signer, method, via: [proxyAdmin, timelock, safe] },
      2,
    )
    expect(payload.path).toMatchObject([
      { from: token, to: proxyAdmin, relation: 'proxyAdmin', evidence: { answer: proxyAdmin } },
      { from: proxyAdmin, to: timelock, relation: 'owner', evidence: { answer: timelock } },
      {
        ...{ from: timelock, to: safe, relation: 'timelockRole' },
        evidence: { timelock: { minDelaySeconds: '172800', isExecutionOpen: true } },
      },
      {
        ...{ from: safe, to: signer, relation: 'safeOwner' },
        evidence: { safe: { threshold: 2, singletonName: 'Safe 1.4.1', modules: [] } },
      },
    ])
    expect([payload.strength, payload.claimantKind]).toEqual(['PARTIAL_SIGNER', 'EOA'])
    expect(payload.code).toMatchObject({ kind: 'EIP1967', implementation, admin: proxyAdmin })

    const challenge = await issued({ token, claimant: safe, method, via: [proxyAdmin, timelock] })
    const signature = await safeSignature(safe, challenge.digest as Hex, [1, 3])
    const { data } = await answer(challenge.nonce, signature)
    expect([data.proof.payload.strength, data.proof.payload.claimantKind]).toEqual([
      ...['DELAYED', 'SAFE'],
    ])

    const drawn = await fetch(
      `${service.baseUrl}${basePath}/pictures/project-control/${challenge.nonce}/control-path.svg`,
      {
        headers: {
          cookie: `${service.config.sessionCookie}=${owner.cookie}`,
          'x-service-organization-id': owner.organizationId,
        },
      },
    )
    const picture = await drawn.text()
    expect(drawn.status).toBe(200)
    expect(picture).toContain('after 2 days at least; whoever proposes can execute')
    for (const address of [token, proxyAdmin, timelock, safe]) expect(picture).toContain(address)
  })

  it('of a Safe is full by its own rule, and not with fewer signatures than it asks for', async () => {
    const safe = await newSafe([1, 2, 3], 2, 22n)
    const token = await newOwned()
    await hand(token, safe)
    const challenge = await issued({ token, claimant: safe, method: 'OWNER' })
    const digest = challenge.digest as Hex
    for (const indexes of [[1], [1, 4], []]) {
      const wrong = await answer(challenge.nonce, await safeSignature(safe, digest, indexes))
      expect([wrong.status, wrong.code]).toEqual([
        ...[422, 'LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID'],
      ])
    }
    const { data } = await answer(challenge.nonce, await safeSignature(safe, digest, [1, 2]))
    expect(data.proof.payload).toMatchObject({
      ...{ strength: 'FULL', claimantKind: 'SAFE' },
      authority: {
        ...{ kind: 'SAFE', address: safe, safe: { threshold: 2, version: '1.4.1' } },
        signers: ascending([account(1).address, account(2).address]),
      },
    })
    const one = await proven(
      { token, claimant: account(3).address, method: 'OWNER', via: [safe] },
      3,
    )
    expect(one.payload.strength).toBe('PARTIAL_SIGNER')
  })

  it('of a role lists who else has it', async () => {
    const token = await newToken()
    const role = await minterRole(token)
    const minter = account(5).address
    await sendControl(test.chain, deployer(), token, {
      ...{ functionName: 'grantRole', args: [role, minter] },
    })
    const { payload } = await proven({ token, claimant: minter, method: 'ROLE', role }, 5)
    expect(payload).toMatchObject({
      ...{ strength: 'FULL', role, otherHolders: [deployer()] },
      path: [{ relation: 'hasRole', evidence: { read: `hasRole(${role}, address)` } }],
    })
    const { payload: ofAdmin } = await proven(
      { token, claimant: deployer(), method: 'DEFAULT_ADMIN' },
      0,
    )
    expect(ofAdmin.otherHolders).toEqual([])
  })

  it('tells what really runs behind a beacon or a minimal proxy, and who changes it', async () => {
    const implementation = await newToken()
    const { beacon, proxy } = await deployBeaconProxy(test.chain, implementation)
    const claim = { token: proxy, claimant: deployer(), method: 'PROXY_ADMIN', via: [beacon] }
    const { payload } = await proven(claim, 0)
    expect(payload).toMatchObject({
      ...{ strength: 'FULL', code: { kind: 'BEACON', implementation, beacon } },
      path: [{ relation: 'proxyAdmin', evidence: { read: 'eip1967.proxy.beacon' } }, {}],
    })
    const owned = await newOwned()
    const clone = await deployMinimalProxy(test.chain, owned)
    await test.chain.mine(3)
    // A clone has storage of its own, in which nobody owns it.
    const refused = await issue({ token: clone, claimant: deployer(), method: 'OWNER' })
    expect(refused.fieldErrors.claimant![0]).toContain(`has the owner() ${zeroAddress}`)
    const deploymentTxHash = await creationOf(clone)
    const { payload: ofClone } = await proven(
      { token: clone, claimant: deployer(), method: 'DEPLOYER', deploymentTxHash },
      0,
    )
    expect(ofClone.code).toMatchObject({ kind: 'EIP1167', implementation: owned })
  })

  it('of a creation is history, never control', async () => {
    const token = await newOwned()
    const deploymentTxHash = await creationOf(token)
    await hand(token, account(6).address)
    const claim = { token, claimant: deployer(), method: 'DEPLOYER', deploymentTxHash }
    const { payload } = await proven(claim, 0)
    expect([payload.strength, payload.path[0]!.relation]).toEqual(['HISTORICAL_ORIGIN', 'deployer'])
    const other = await issue({ ...claim, claimant: account(1).address })
    expect(other.fieldErrors.claimant![0]).toContain(`was created by ${deployer()}`)
    const elsewhere = await newOwned()
    await test.chain.mine(3)
    const another = await issue({ ...claim, token: elsewhere })
    expect(another.fieldErrors.claimant![0]).toContain('is not what the transaction')
    const unknown = await issue({ ...claim, deploymentTxHash: `0x${'9'.repeat(64)}` })
    expect(unknown.fieldErrors.claimant![0]).toContain('is created by no final transaction')
  })

  it('is refused where control went elsewhere since the challenge', async () => {
    const token = await newOwned()
    const challenge = await issued({ token, claimant: deployer(), method: 'OWNER' })
    await hand(token, account(7).address)
    await test.chain.mine(3)
    const told = await answer(challenge.nonce, await sign(challenge, 0))
    expect([told.status, told.code]).toEqual([412, 'LIQUIDITY_PROJECT_CONTROL_CHANGED'])
    expect(told.fieldErrors.claimant![0]).toContain(`has the owner() ${account(7).address}`)
    expect((await read(challenge.nonce)).data.status).toBe('OPEN')
  })

  it('takes no signature of another form: a high s, another v, another length, or an account that is not there', async () => {
    const token = await newOwned()
    const challenge = await issued({ token, claimant: deployer(), method: 'OWNER' })
    const good = await sign(challenge, 0)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${good.slice(66, 130)}`)
    const v = Number.parseInt(good.slice(130), 16)
    const byte = (value: number) => value.toString(16).padStart(2, '0')
    const high = `${good.slice(0, 66)}${(order - s).toString(16).padStart(64, '0')}${byte(55 - v)}`
    const wrong = {
      highS: [high, 'with the lower s and v 27 or 28'],
      lowV: [`${good.slice(0, 130)}${byte(v - 27)}`, 'with the lower s and v 27 or 28'],
      long: [`${good}00`, 'in 65 bytes'],
      undeployed: [`${good}${'6492'.repeat(16)}`, 'must be of a deployed account'],
    }
    for (const [signature, what] of Object.values(wrong)) {
      const told = await answer(challenge.nonce, signature as Hex)
      expect(told.code).toBe('LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID')
      expect(told.fieldErrors.signature![0]).toContain(what!)
    }
    expect((await answer(challenge.nonce, good)).status).toBe(201)
  })

  it('through a contract whose rules nobody knows is nobody’s alone, and says so', async () => {
    // It answers everything with one address, as a contract may say of its owner what it likes.
    const answer = (address: Address): Hex => `0x73${address.slice(2)}5f5260205ff3`
    const between = await test.chain.deploy(initOf(answer(deployer())))
    const token = await newOwned()
    await hand(token, between)
    const { payload } = await proven(
      { token, claimant: deployer(), method: 'OWNER', via: [between] },
      0,
    )
    expect([payload.strength, payload.computation.limitations]).toEqual([
      ...['PARTIAL_SIGNER', ['SINGLE_RPC_PROVIDER', 'CONTRACT_RULES_UNKNOWN']],
    ])
  })

  it('lapses with the sweep when its path has changed, and not while it stands', async () => {
    const token = await newOwned()
    const { id } = await proven({ token, claimant: deployer(), method: 'OWNER' }, 0)
    await checkPaths(service.services)
    expect((await stored(id)).status).toBe('ACTIVE')
    await hand(token, account(8).address)
    await test.chain.mine(3)
    await checkPaths(service.services)
    await checkPaths(service.services)
    const lapsed = await stored(id)
    expect(lapsed).toMatchObject({ status: 'REVOKED', sequence: 2, createdBy: { kind: 'SYSTEM' } })
    expect(lapsed.payload.lapse?.detail).toContain(`has the owner() ${account(8).address}`)
  })

  it('is stale in the summary until its claim is proven again', async () => {
    const member = await newOrganization(service)
    await member.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    const prove = async (token: Address) => {
      await test.chain.mine(3)
      const challenge = await issue({ token, claimant: deployer(), method: 'OWNER' }, member)
      const told = await answer(challenge.data.nonce, await sign(challenge.data, 0), member)
      expect([told.status, told.code]).toEqual([201, ''])
      return told.data.proof
    }
    const summary = async () => {
      const { latest, freshness, control } = (await member.client.getTreasurySummary()).body.data
      return [latest.control.source?.id, control.proofs, freshness[5]?.stale]
    }
    const [first, second] = [await newOwned(), await newOwned()]
    await prove(first)
    const other = await prove(second)
    expect(await summary()).toEqual([other.id, 2, false])
    await hand(first, account(8).address)
    await test.chain.mine(3)
    await checkPaths(service.services)
    expect(await summary()).toEqual([other.id, 1, true])
    await hand(first, deployer(), account(8).address)
    const again = await prove(first)
    expect(await summary()).toEqual([again.id, 2, false])
  })

  it('lapses where one owner of a Safe no longer decides alone', async () => {
    const safe = await newSafe([1, 2], 1, 23n)
    const token = await newOwned()
    await hand(token, safe)
    const signer = account(1)
    const claim = { token, claimant: signer.address, method: 'OWNER', via: [safe] }
    const { id, payload } = await proven(claim, 1)
    expect(payload.strength).toBe('FULL')
    const raise = encodeFunctionData({
      ...{ abi: parseAbi(['function changeThreshold(uint256 threshold)']), args: [2n] },
    })
    const transaction = { to: safe, value: 0n, data: raise, operation: 0, nonce: 0n } as const
    const signatures = await signSafeTransaction(31_337, safe, transaction, [signer])
    const data = safeExecutionData(transaction, signatures)
    await test.chain.send({ from: deployer(), to: safe, data })
    await test.chain.mine(3)
    await checkPaths(service.services)
    const { status, payload: lapsed } = await stored(id)
    expect([status, lapsed.lapse?.detail]).toEqual([
      ...['REVOKED', 'it is PARTIAL_SIGNER and was FULL'],
    ])
  })

  it('says what a reader must know beside the path', async () => {
    const timelock = await deployTimelock(test.chain, {
      ...{ minDelay: 60n, proposers: [account(1).address], executors: [account(2).address] },
    })
    const { proxy } = await deployBeaconProxy(test.chain, await newToken())
    const deploymentTxHash = await creationOf(proxy)
    const owned = await newOwned()
    await hand(owned, timelock)
    const delayed = { token: owned, claimant: account(1).address, method: 'OWNER', via: [timelock] }
    const { payload } = await proven(delayed, 1)
    expect([payload.strength, payload.computation.limitations]).toEqual([
      ...['DELAYED', ['SINGLE_RPC_PROVIDER', 'TIMELOCK_EXECUTION_RESTRICTED']],
    ])
    const created = { token: proxy, claimant: deployer(), method: 'DEPLOYER', deploymentTxHash }
    const { payload: ofProxy } = await proven(created, 0)
    expect(ofProxy.computation.limitations).toContain('CODE_CHANGEABLE_BY_OTHERS')
  })
})

describe('time', () => {
  it('ends a challenge after ten minutes and a proof after ninety days, swept or not', async () => {
    const token = await newOwned()
    const { id } = await proven({ token, claimant: deployer(), method: 'OWNER' }, 0)
    const challenge = await issued({ token, claimant: deployer(), method: 'OWNER' })
    service.clock.advance(9 * minuteMilliseconds)
    await expireChallenges(service.services)
    expect((await read(challenge.nonce)).data.status).toBe('OPEN')
    service.clock.advance(minuteMilliseconds)
    expect((await read(challenge.nonce)).data.status).toBe('EXPIRED')
    const late = await answer(challenge.nonce, await sign(challenge, 0))
    expect([late.status, late.code]).toEqual([
      ...[409, 'LIQUIDITY_PROJECT_CONTROL_CHALLENGE_EXPIRED'],
    ])
    await expireChallenges(service.services)
    expect((await read(challenge.nonce)).data.status).toBe('EXPIRED')
    const later = { ...service.services, clock: () => service.clock.read() + 90 * dayMilliseconds }
    await expireProofs(service.services)
    expect((await stored(id)).status).toBe('ACTIVE')
    await expireProofs(later)
    expect((await stored(id)).status).toBe('EXPIRED')
  })

  it('makes a sign-in too old for a proof, and leaves the challenge open', async () => {
    const token = await newOwned()
    service.clock.advance(minuteMilliseconds)
    const challenge = await issued({ token, claimant: deployer(), method: 'OWNER' })
    const signature = await sign(challenge, 0)
    const old = await answer(challenge.nonce, signature)
    expect([old.status, old.code]).toEqual([401, 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'])
    expect((await read(challenge.nonce)).data.status).toBe('OPEN')
  })

  it('leaves a history that verifies', async () => {
    const { artifacts } = service.services
    const { faults } = await verifyHistory(service.database, owner.organizationId, artifacts)
    expect(faults).toEqual([])
  })
})

/** A proof has no reading of its own yet: its record as it is stored. */
async function stored(id: string): Promise<Proof> {
  const [rows] = await service.database.tenant(owner.organizationId, [
    sql`select body from records where organization_id = ${owner.organizationId} and id = ${id}
      order by sequence desc limit 1`,
  ])
  return openRecord(textOf(rows![0]!, 'body')) as Proof
}

/** The transaction that created a contract. */
async function creationOf(created: Address): Promise<Hex> {
  const last = await test.chain.publicClient.getBlockNumber()
  for (let blockNumber = last; blockNumber > last - 50n; blockNumber -= 1n) {
    const { transactions } = await test.chain.publicClient.getBlock({ blockNumber })
    for (const hash of transactions) {
      const { contractAddress } = await test.chain.publicClient.getTransactionReceipt({ hash })
      if (contractAddress && isAddressEqual(contractAddress, created)) return hash
    }
  }
  throw new Error(`Nothing created ${created}.`)
}
