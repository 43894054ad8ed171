import { hashTypedData } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expireChallenges,
  expireProofs,
} from '../src/families/prove/project-control/control-expiry.ts'
import { dayMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { providerBody } from './support/chain.ts'
import { type ControlScene, startControlScene } from './support/controlling.ts'
import { newOrganization, type TestMember } from './support/service.ts'

type Link = readonly [place: number, from: string, to: string]

let scene: ControlScene
let foreignOwner: TestMember
beforeAll(async () => {
  scene = await startControlScene()
  foreignOwner = await newOrganization(scene.service)
})
afterAll(() => scene.stop())

const admin = `0x${'0'.repeat(64)}` as const

describe('a challenge', () => {
  it('is a message of EIP-4361 that names the deployment, the claim and the organization', async () => {
    const token = await scene.newToken()
    const claim = { token, claimant: scene.deployer(), method: 'DEFAULT_ADMIN' }
    const challenge = await scene.issued(claim)
    expect(parseSiweMessage(challenge.message!)).toEqual({
      domain: '127.0.0.1:8080',
      address: scene.deployer(),
      uri: 'http://127.0.0.1:8080',
      version: '1',
      chainId: 31_337,
      nonce: challenge.nonce,
      issuedAt: new Date('2026-01-05T12:00:00Z'),
      expirationTime: new Date('2026-01-05T12:10:00Z'),
      statement: `Prove control of MINT ${token} on chain 31337 for ${scene.owner.organizationId}. This moves no funds and grants no permission.`,
      resources: [
        expect.stringMatching(/^urn:liquidity-os:organization:0x[0-9a-f]{64}$/),
        'urn:liquidity-os:control:DEFAULT_ADMIN',
      ],
    })
    expect(challenge.message).toContain('Issued At: 2026-01-05T12:00:00Z\n')
    expect(challenge).toMatchObject({ status: 'OPEN', typedData: null, proofId: null })
    const { data, headers } = await scene.read(challenge.nonce)
    expect(data).toEqual(challenge)
    expect(headers.get('cache-control')).toBe('private, no-store')
    const foreign = await scene.read(challenge.nonce, foreignOwner)
    expect([foreign.status, foreign.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
    const signature = await scene.sign(challenge, 0)
    expect((await scene.answer(challenge.nonce, signature, foreignOwner)).status).toBe(404)
  })

  it('is typed data of the same members on request', async () => {
    const token = await scene.newToken()
    const claim = { token, claimant: scene.deployer(), method: 'DEFAULT_ADMIN', format: 'EIP712' }
    const { typedData, digest, message, nonce } = await scene.issued(claim)
    expect(message).toBeNull()
    expect(hashTypedData(typedData as never)).toBe(digest)
    const signature = await scene.account(0).signTypedData(typedData as never)
    const { data } = await scene.answer(nonce, signature)
    expect(data.proof.payload).toMatchObject({ strength: 'FULL', messageHash: digest })
  })

  it('names the first failing step with the read value', async () => {
    const token = await scene.newOwned()
    await scene.test.chain.mine(3)
    const other = scene.account(1).address
    const refused = async (claim: object) => {
      const { status, code, fieldErrors } = await scene.issue({ token, ...claim })
      return [status, code, fieldErrors]
    }
    const unproven = 'LIQUIDITY_PROJECT_CONTROL_PATH_UNPROVEN'
    const step = (fields: readonly [from: string, to: string], link: Link, what: string) => {
      const [index, from, to] = link
      const message = `step ${index}, from ${from} to ${to}: ${from} ${what}`
      return Object.fromEntries(fields.map((field) => [field, [message]]))
    }
    const direct = ['token', 'claimant'] as const
    expect(await refused({ claimant: other, method: 'OWNER' })).toEqual([
      ...[422, unproven],
      step(direct, [1, token, other], `has owner() ${scene.deployer()}`),
    ])
    const via = [scene.deployer()]
    expect(await refused({ claimant: other, method: 'OWNER', via })).toEqual([
      ...[422, unproven],
      step(
        ...([
          ['via.0', 'claimant'],
          [2, scene.deployer(), other],
        ] as const),
        'has no code, so only its own key controls it',
      ),
    ])
    expect(
      await refused({ claimant: other, method: 'OWNER', via: [scene.account(2).address] }),
    ).toEqual([
      ...[422, unproven],
      step(
        ['token', 'via.0'],
        [1, token, scene.account(2).address],
        `has owner() ${scene.deployer()}`,
      ),
    ])
    expect(await refused({ claimant: other, method: 'DEFAULT_ADMIN' })).toEqual([
      ...[422, unproven, step(direct, [1, token, other], 'has no hasRole(bytes32,address)')],
    ])
    const noAdmin = 'has neither an admin nor a beacon in its EIP-1967 slots'
    expect(await refused({ claimant: other, method: 'PROXY_ADMIN' })).toEqual([
      ...[422, unproven, step(direct, [1, token, other], noAdmin)],
    ])
    expect(await refused({ token: other, claimant: scene.deployer(), method: 'OWNER' })).toEqual([
      ...[422, unproven, step(direct, [1, other, scene.deployer()], 'has no code')],
    ])
  })

  it('takes what its method needs, and nothing that it does not read', async () => {
    const token = await scene.newToken()
    const refused = async (claim: object) => {
      const { status, fieldErrors } = await scene.issue({
        token,
        claimant: scene.deployer(),
        ...claim,
      })
      return [status, Object.keys(fieldErrors)]
    }
    expect(await refused({ method: 'ROLE' })).toEqual([400, ['role']])
    expect(await refused({ method: 'OWNER', role: admin })).toEqual([400, ['role']])
    expect(await refused({ method: 'OWNER', deploymentTxHash: admin })).toEqual([
      ...[400, ['deploymentTxHash']],
    ])
    expect(await refused({ method: 'DEPLOYER', via: [scene.account(1).address] })).toEqual([
      ...[400, ['deploymentTxHash', 'via']],
    ])
    expect(await refused({ method: 'OWNER', via: [scene.deployer()] })).toEqual([400, ['claimant']])
    expect(await refused({ method: 'OWNER', chainId: 5 })).toEqual([404, ['chainId']])
  })

  it('is one of at most twenty that are open', async () => {
    const member = await newOrganization(scene.service)
    await member.client.putOperatingSystemProvider({ body: providerBody(scene.test.chain.rpcUrl) })
    const claim = {
      token: await scene.newToken(),
      claimant: scene.deployer(),
      method: 'DEFAULT_ADMIN',
    }
    await scene.test.chain.mine(3)
    for (let open = 0; open < 18; open += 1)
      expect((await scene.issue(claim, member)).status).toBe(201)
    // Of four at once for two places, two are counted again and find none.
    const four = await Promise.all(Array.from({ length: 4 }, () => scene.issue(claim, member)))
    expect(four.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429])
    const refused = await scene.issue(claim, member)
    expect([refused.status, refused.code]).toEqual([429, 'LIQUIDITY_RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).toBe('600')
  })
})

describe('time', () => {
  it('ends a challenge after ten minutes and a proof after ninety days, swept or not', async () => {
    const token = await scene.newOwned()
    const { id } = await scene.proven({ token, claimant: scene.deployer(), method: 'OWNER' }, 0)
    const challenge = await scene.issued({ token, claimant: scene.deployer(), method: 'OWNER' })
    scene.service.clock.advance(9 * minuteMilliseconds)
    await expireChallenges(scene.service.services)
    expect((await scene.read(challenge.nonce)).data.status).toBe('OPEN')
    scene.service.clock.advance(minuteMilliseconds)
    expect((await scene.read(challenge.nonce)).data.status).toBe('EXPIRED')
    const late = await scene.answer(challenge.nonce, await scene.sign(challenge, 0))
    expect([late.status, late.code]).toEqual([
      ...[409, 'LIQUIDITY_PROJECT_CONTROL_CHALLENGE_EXPIRED'],
    ])
    await expireChallenges(scene.service.services)
    expect((await scene.read(challenge.nonce)).data.status).toBe('EXPIRED')
    const later = {
      ...scene.service.services,
      clock: () => scene.service.clock.read() + 90 * dayMilliseconds,
    }
    await expireProofs(scene.service.services)
    expect((await scene.stored(id)).status).toBe('ACTIVE')
    await expireProofs(later)
    expect((await scene.stored(id)).status).toBe('EXPIRED')
  })

  it('makes a sign-in too old for a proof, and leaves the challenge open', async () => {
    const token = await scene.newOwned()
    scene.service.clock.advance(minuteMilliseconds)
    const challenge = await scene.issued({ token, claimant: scene.deployer(), method: 'OWNER' })
    const signature = await scene.sign(challenge, 0)
    const old = await scene.answer(challenge.nonce, signature)
    expect([old.status, old.code]).toEqual([401, 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'])
    expect((await scene.read(challenge.nonce)).data.status).toBe('OPEN')
  })

  it('leaves a history that verifies', async () => {
    const { artifacts } = scene.service.services
    const { faults } = await verifyHistory(
      scene.service.database,
      scene.owner.organizationId,
      artifacts,
    )
    expect(faults).toEqual([])
  })
})
