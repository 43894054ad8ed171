import { basePath } from '@liquidity-os/contract'
import {
  deployBeaconProxy,
  deployMinimalProxy,
  deployProxyAdmin,
  deployTimelock,
  deployTransparentProxy,
  safeExecutionData,
  sendControl,
  signSafeTransaction,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkPaths } from '../src/families/prove/project-control/path-check.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { providerBody } from './support/chain.ts'
import { type ControlScene, startControlScene } from './support/controlling.ts'
import { shownGate } from './support/launch-gates.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization } from './support/service.ts'

let scene: ControlScene
beforeAll(async () => {
  scene = await startControlScene()
})
afterAll(() => scene.stop())

/** What deploys some code as it is. */
const initOf = (code: Hex): Hex =>
  `0x60${((code.length - 2) / 2).toString(16).padStart(2, '0')}8060095f395ff3${code.slice(2)}`

const ascending = (addresses: readonly Address[]) =>
  addresses.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))

describe('a proof', () => {
  it('of an owner with a key is full, is valid for its challenge once, and equal for an equal signature', async () => {
    const token = await scene.newOwned()
    const challenge = await scene.issued({ token, claimant: scene.deployer(), method: 'OWNER' })
    const wrong = await scene.answer(challenge.nonce, await scene.sign(challenge, 1))
    expect([wrong.status, wrong.code, Object.keys(wrong.fieldErrors)]).toEqual([
      ...[422, 'LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID', ['signature']],
    ])
    const signature = await scene.sign(challenge, 0)
    const { status, data } = await scene.answer(challenge.nonce, signature)
    expect(status).toBe(201)
    const { proof } = data
    expect(proof).toMatchObject({ status: 'ACTIVE', sequence: 1 })
    expect(proof.payload).toMatchObject({
      token,
      claimant: scene.deployer(),
      claimantKind: 'EOA',
      strength: 'FULL',
      path: [
        {
          from: token,
          to: scene.deployer(),
          relation: 'owner',
          evidence: { read: 'owner()', answer: scene.deployer() },
        },
      ],
      code: { kind: 'DIRECT', implementation: token, admin: null },
      pending: { pendingOwner: null, pendingDefaultAdmin: null },
      otherHolders: null,
      messageHash: challenge.digest,
      validUntil: '2026-04-05T12:00:00.000Z',
      lapse: null,
      computation: { limitations: ['SINGLE_RPC_PROVIDER'], executionAuthorityGranted: false },
    })
    const again = await scene.answer(challenge.nonce, signature)
    expect([again.status, again.data.proof]).toEqual([201, proof])
    const read = await callOperation(scene.owner, 'getProjectControlProof', {
      params: { id: proof.id },
    })
    expect([read.status, read.data]).toEqual([200, proof])
    const other = await scene.answer(challenge.nonce, await scene.sign(challenge, 1))
    expect([other.status, other.code]).toEqual([
      ...[409, 'LIQUIDITY_PROJECT_CONTROL_CHALLENGE_CONSUMED'],
    ])
    const { data: consumed } = await scene.read(challenge.nonce)
    expect(consumed).toEqual({ ...challenge, status: 'CONSUMED', proofId: proof.id })
  })

  it('is one, however many bring the same signature at once', async () => {
    const challenge = await scene.issued({
      token: await scene.newOwned(),
      claimant: scene.deployer(),
      method: 'OWNER',
    })
    const signature = await scene.sign(challenge, 0)
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => scene.answer(challenge.nonce, signature)),
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(responses.map(({ data }) => data.proof.id)).size).toBe(1)
  })

  it('through proxy, admin, timelock and Safe names each step, and is as strong as the weakest', async () => {
    const safe = await scene.newSafe([1, 2, 3], 2, 21n)
    const timelock = await deployTimelock(scene.test.chain, {
      minDelay: 172_800n,
      proposers: [safe],
      executors: [zeroAddress],
    })
    const proxyAdmin = await deployProxyAdmin(scene.test.chain)
    await scene.hand(proxyAdmin, timelock)
    const implementation = await scene.newToken()
    const token = await deployTransparentProxy(scene.test.chain, implementation, proxyAdmin)
    const method = 'PROXY_ADMIN'
    const signer = scene.account(2).address
    const { payload } = await scene.proven(
      { token, claimant: signer, method, via: [proxyAdmin, timelock, safe] },
      2,
    )
    expect(payload.path).toMatchObject([
      { from: token, to: proxyAdmin, relation: 'proxyAdmin', evidence: { answer: proxyAdmin } },
      { from: proxyAdmin, to: timelock, relation: 'owner', evidence: { answer: timelock } },
      {
        from: timelock,
        to: safe,
        relation: 'timelockRole',
        evidence: { timelock: { minDelaySeconds: '172800', isExecutionOpen: true } },
      },
      {
        from: safe,
        to: signer,
        relation: 'safeOwner',
        evidence: { safe: { threshold: 2, singletonName: 'Safe 1.4.1', modules: [] } },
      },
    ])
    expect([payload.strength, payload.claimantKind]).toEqual(['PARTIAL_SIGNER', 'EOA'])
    expect(payload.code).toMatchObject({ kind: 'EIP1967', implementation, admin: proxyAdmin })

    const challenge = await scene.issued({
      token,
      claimant: safe,
      method,
      via: [proxyAdmin, timelock],
    })
    const signature = await scene.safeSignature(safe, challenge.digest as Hex, [1, 3])
    const { data } = await scene.answer(challenge.nonce, signature)
    expect([data.proof.payload.strength, data.proof.payload.claimantKind]).toEqual([
      ...['DELAYED', 'SAFE'],
    ])

    const drawn = await fetch(
      `${scene.service.baseUrl}${basePath}/pictures/project-control/${challenge.nonce}/control-path.svg`,
      {
        headers: {
          cookie: `${scene.service.config.sessionCookie}=${scene.owner.cookie}`,
          'x-service-organization-id': scene.owner.organizationId,
        },
      },
    )
    const picture = await drawn.text()
    expect(drawn.status).toBe(200)
    expect(picture).toContain('proposers can also execute')
    for (const address of [token, proxyAdmin, timelock, safe]) expect(picture).toContain(address)
  })

  it('of a Safe is full by its own rule, and not with fewer signatures than its threshold', async () => {
    const safe = await scene.newSafe([1, 2, 3], 2, 22n)
    const token = await scene.newOwned()
    await scene.hand(token, safe)
    const challenge = await scene.issued({ token, claimant: safe, method: 'OWNER' })
    const digest = challenge.digest as Hex
    for (const indexes of [[1], [1, 4], []]) {
      const wrong = await scene.answer(
        challenge.nonce,
        await scene.safeSignature(safe, digest, indexes),
      )
      expect([wrong.status, wrong.code]).toEqual([
        ...[422, 'LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID'],
      ])
    }
    const { data } = await scene.answer(
      challenge.nonce,
      await scene.safeSignature(safe, digest, [1, 2]),
    )
    expect(data.proof.payload).toMatchObject({
      strength: 'FULL',
      claimantKind: 'SAFE',
      authority: {
        kind: 'SAFE',
        address: safe,
        safe: { threshold: 2, version: '1.4.1' },
        signers: ascending([scene.account(1).address, scene.account(2).address]),
      },
    })
    const one = await scene.proven(
      { token, claimant: scene.account(3).address, method: 'OWNER', via: [safe] },
      3,
    )
    expect(one.payload.strength).toBe('PARTIAL_SIGNER')
  })

  it('of a role lists who else has it', async () => {
    const token = await scene.newToken()
    const role = await scene.minterRole(token)
    const minter = scene.account(5).address
    await sendControl(scene.test.chain, scene.deployer(), token, {
      functionName: 'grantRole',
      args: [role, minter],
    })
    const { payload } = await scene.proven({ token, claimant: minter, method: 'ROLE', role }, 5)
    expect(payload).toMatchObject({
      strength: 'FULL',
      role,
      otherHolders: [scene.deployer()],
      path: [{ relation: 'hasRole', evidence: { read: `hasRole(${role}, address)` } }],
    })
    const { payload: ofAdmin } = await scene.proven(
      { token, claimant: scene.deployer(), method: 'DEFAULT_ADMIN' },
      0,
    )
    expect(ofAdmin.otherHolders).toEqual([])
  })

  it('reports the code behind a beacon or a minimal proxy, and the account that can change it', async () => {
    const implementation = await scene.newToken()
    const { beacon, proxy } = await deployBeaconProxy(scene.test.chain, implementation)
    const claim = { token: proxy, claimant: scene.deployer(), method: 'PROXY_ADMIN', via: [beacon] }
    const { payload } = await scene.proven(claim, 0)
    expect(payload).toMatchObject({
      strength: 'FULL',
      code: { kind: 'BEACON', implementation, beacon },
      path: [{ relation: 'proxyAdmin', evidence: { read: 'eip1967.proxy.beacon' } }, {}],
    })
    const owned = await scene.newOwned()
    const clone = await deployMinimalProxy(scene.test.chain, owned)
    await scene.test.chain.mine(3)
    // A clone has storage of its own, in which nobody owns it.
    const refused = await scene.issue({ token: clone, claimant: scene.deployer(), method: 'OWNER' })
    expect(refused.fieldErrors.claimant![0]).toContain(`has owner() ${zeroAddress}`)
    const deploymentTxHash = await scene.creationOf(clone)
    const { payload: ofClone } = await scene.proven(
      { token: clone, claimant: scene.deployer(), method: 'DEPLOYER', deploymentTxHash },
      0,
    )
    expect(ofClone.code).toMatchObject({ kind: 'EIP1167', implementation: owned })
  })

  it('of a creation is history, never control', async () => {
    const token = await scene.newOwned()
    const deploymentTxHash = await scene.creationOf(token)
    await scene.hand(token, scene.account(6).address)
    const claim = { token, claimant: scene.deployer(), method: 'DEPLOYER', deploymentTxHash }
    const { payload } = await scene.proven(claim, 0)
    expect([payload.strength, payload.path[0]!.relation]).toEqual(['HISTORICAL_ORIGIN', 'deployer'])
    const other = await scene.issue({ ...claim, claimant: scene.account(1).address })
    expect(other.fieldErrors.claimant![0]).toContain(`was created by ${scene.deployer()}`)
    const elsewhere = await scene.newOwned()
    await scene.test.chain.mine(3)
    const another = await scene.issue({ ...claim, token: elsewhere })
    expect(another.fieldErrors.claimant![0]).toContain('was not created by the transaction')
    const unknown = await scene.issue({ ...claim, deploymentTxHash: `0x${'9'.repeat(64)}` })
    expect(unknown.fieldErrors.claimant![0]).toContain('has no finalized creation transaction')
  })

  it('opens a gate where it shows present control and its path still holds', async () => {
    const token = await scene.newOwned()
    const shown = () =>
      shownGate(scene.service, scene.owner, {
        gate: { kind: 'PROJECT_CONTROL_PROVEN' },
        token: `eip155:31337/erc20:${token.toLowerCase()}`,
        quote: 'iso4217:USD',
      })
    const deploymentTxHash = await scene.creationOf(token)
    const claim = { token, claimant: scene.deployer() }
    await scene.proven({ ...claim, method: 'DEPLOYER', deploymentTxHash }, 0)
    expect(await shown()).toMatchObject({
      result: 'OPEN',
      detail: expect.stringContaining('there is HISTORICAL_ORIGIN'),
    })
    await scene.proven({ ...claim, method: 'OWNER' }, 0)
    expect((await shown()).result).toBe('SATISFIED')
    await scene.hand(token, scene.account(6).address)
    await scene.test.chain.mine(3)
    expect(await shown()).toMatchObject({
      result: 'OPEN',
      detail: expect.stringContaining('The path of the newest proof has changed'),
    })
  })

  it('is refused where control went elsewhere since the challenge', async () => {
    const token = await scene.newOwned()
    const challenge = await scene.issued({ token, claimant: scene.deployer(), method: 'OWNER' })
    await scene.hand(token, scene.account(7).address)
    await scene.test.chain.mine(3)
    const response = await scene.answer(challenge.nonce, await scene.sign(challenge, 0))
    expect([response.status, response.code]).toEqual([412, 'LIQUIDITY_PROJECT_CONTROL_CHANGED'])
    expect(response.fieldErrors.claimant![0]).toContain(`has owner() ${scene.account(7).address}`)
    expect((await scene.read(challenge.nonce)).data.status).toBe('OPEN')
  })

  it('takes no signature of another form: a high s, another v, another length, or an account that is not there', async () => {
    const token = await scene.newOwned()
    const challenge = await scene.issued({ token, claimant: scene.deployer(), method: 'OWNER' })
    const good = await scene.sign(challenge, 0)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${good.slice(66, 130)}`)
    const v = Number.parseInt(good.slice(130), 16)
    const byte = (value: number) => value.toString(16).padStart(2, '0')
    const high = `${good.slice(0, 66)}${(order - s).toString(16).padStart(64, '0')}${byte(55 - v)}`
    const wrong = {
      highS: [high, 'with low s and v 27 or 28'],
      lowV: [`${good.slice(0, 130)}${byte(v - 27)}`, 'with low s and v 27 or 28'],
      long: [`${good}00`, 'in 65 bytes'],
      undeployed: [`${good}${'6492'.repeat(16)}`, 'must be from a deployed account'],
    }
    for (const [signature, what] of Object.values(wrong)) {
      const response = await scene.answer(challenge.nonce, signature as Hex)
      expect(response.code).toBe('LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID')
      expect(response.fieldErrors.signature![0]).toContain(what!)
    }
    expect((await scene.answer(challenge.nonce, good)).status).toBe(201)
  })

  it('through a contract with unknown rules belongs to no one, and says so', async () => {
    // It answers everything with one address, as a contract may say of its owner what it likes.
    const answer = (address: Address): Hex => `0x73${address.slice(2)}5f5260205ff3`
    const between = await scene.test.chain.deploy(initOf(answer(scene.deployer())))
    const token = await scene.newOwned()
    await scene.hand(token, between)
    const { payload } = await scene.proven(
      { token, claimant: scene.deployer(), method: 'OWNER', via: [between] },
      0,
    )
    expect([payload.strength, payload.computation.limitations]).toEqual([
      ...['PARTIAL_SIGNER', ['SINGLE_RPC_PROVIDER', 'CONTRACT_RULES_UNKNOWN']],
    ])
  })

  it('expires at the sweep after its path changed, and not before', async () => {
    const token = await scene.newOwned()
    const { id } = await scene.proven({ token, claimant: scene.deployer(), method: 'OWNER' }, 0)
    await checkPaths(scene.service.services)
    expect((await scene.stored(id)).status).toBe('ACTIVE')
    await scene.hand(token, scene.account(8).address)
    await scene.test.chain.mine(3)
    await checkPaths(scene.service.services)
    await checkPaths(scene.service.services)
    const revoked = await scene.stored(id)
    expect(revoked).toMatchObject({ status: 'REVOKED', sequence: 2, createdBy: { kind: 'SYSTEM' } })
    expect(revoked.payload.lapse?.detail).toContain(`has owner() ${scene.account(8).address}`)
  })

  it('is stale in the summary until its claim is proven again', async () => {
    const member = await newOrganization(scene.service)
    await member.client.putOperatingSystemProvider({ body: providerBody(scene.test.chain.rpcUrl) })
    const prove = async (token: Address) => {
      await scene.test.chain.mine(3)
      const challenge = await scene.issue(
        { token, claimant: scene.deployer(), method: 'OWNER' },
        member,
      )
      const response = await scene.answer(
        challenge.data.nonce,
        await scene.sign(challenge.data, 0),
        member,
      )
      expect([response.status, response.code]).toEqual([201, ''])
      return response.data.proof
    }
    const summary = async () => {
      const { latest, freshness, control } = (await member.client.getTreasurySummary()).body.data
      return [latest.control.source?.id, control.proofs, freshness[5]?.stale]
    }
    const [first, second] = [await scene.newOwned(), await scene.newOwned()]
    await prove(first)
    const other = await prove(second)
    expect(await summary()).toEqual([other.id, 2, false])
    await scene.hand(first, scene.account(8).address)
    await scene.test.chain.mine(3)
    await checkPaths(scene.service.services)
    expect(await summary()).toEqual([other.id, 1, true])
    await scene.hand(first, scene.deployer(), scene.account(8).address)
    const again = await prove(first)
    expect(await summary()).toEqual([again.id, 2, false])
  })

  it('lapses where one owner of a Safe no longer decides alone', async () => {
    const safe = await scene.newSafe([1, 2], 1, 23n)
    const token = await scene.newOwned()
    await scene.hand(token, safe)
    const signer = scene.account(1)
    const claim = { token, claimant: signer.address, method: 'OWNER', via: [safe] }
    const { id, payload } = await scene.proven(claim, 1)
    expect(payload.strength).toBe('FULL')
    const raise = encodeFunctionData({
      abi: parseAbi(['function changeThreshold(uint256 threshold)']),
      args: [2n],
    })
    const transaction = { to: safe, value: 0n, data: raise, operation: 0, nonce: 0n } as const
    const signatures = await signSafeTransaction(31_337, safe, transaction, [signer])
    const data = safeExecutionData(transaction, signatures)
    await scene.test.chain.send({ from: scene.deployer(), to: safe, data })
    await scene.test.chain.mine(3)
    await checkPaths(scene.service.services)
    const { status, payload: revoked } = await scene.stored(id)
    expect([status, revoked.lapse?.detail]).toEqual([...['REVOKED', 'is PARTIAL_SIGNER, was FULL']])
  })

  it('states the limits of the path', async () => {
    const timelock = await deployTimelock(scene.test.chain, {
      minDelay: 60n,
      proposers: [scene.account(1).address],
      executors: [scene.account(2).address],
    })
    const { proxy } = await deployBeaconProxy(scene.test.chain, await scene.newToken())
    const deploymentTxHash = await scene.creationOf(proxy)
    const owned = await scene.newOwned()
    await scene.hand(owned, timelock)
    const delayed = {
      token: owned,
      claimant: scene.account(1).address,
      method: 'OWNER',
      via: [timelock],
    }
    const { payload } = await scene.proven(delayed, 1)
    expect([payload.strength, payload.computation.limitations]).toEqual([
      ...['DELAYED', ['SINGLE_RPC_PROVIDER', 'TIMELOCK_EXECUTION_RESTRICTED']],
    ])
    const created = {
      token: proxy,
      claimant: scene.deployer(),
      method: 'DEPLOYER',
      deploymentTxHash,
    }
    const { payload: ofProxy } = await scene.proven(created, 0)
    expect(ofProxy.computation.limitations).toContain('CODE_CHANGEABLE_BY_OTHERS')
  })
})

it('proofs leave a history that verifies', async () => {
  const { database, services } = scene.service
  const { faults } = await verifyHistory(database, scene.owner.organizationId, services.artifacts)
  expect(faults).toEqual([])
})
