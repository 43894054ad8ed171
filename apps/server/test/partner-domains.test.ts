import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expireDomains } from '../src/families/platform/partners/domains/domain-expiry.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import {
  act,
  boundHost,
  type Challenge,
  challenge,
  type PartnerScene,
  startPartnerScene,
} from './support/partnering.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

let scene: PartnerScene
let owner: TestMember
let other: TestMember
let host: string
beforeAll(async () => {
  scene = await startPartnerScene()
  owner = await newOrganization(scene.service)
  other = await newOrganization(scene.service)
})
afterAll(() => scene.stop())
beforeEach(async () => {
  host = scene.hosts.shift()!
  scene.names.zone(host)
  // Sessions end as the clock moves on.
  owner = await newMember(scene.service, owner.organizationId, 'OWNER')
  other = await newMember(scene.service, other.organizationId, 'OWNER')
})

const read = async (by: TestMember, id: string): Promise<Challenge> =>
  (await callOperation<Challenge>(by, 'getPartnerDomainChallenge', { params: { id } })).data

/** A challenge whose record all servers have. */
async function published(by = owner): Promise<Challenge> {
  const { data } = await challenge(by, host)
  scene.names.publish(data.payload.recordName, data.payload.recordValue)
  return data
}

describe('a challenge', () => {
  it('names a record of the organization and this host alone, with a token of 256 bits', async () => {
    const { status, data } = await challenge(owner, host)
    expect([status, data.status]).toEqual([201, 'DRAFT'])
    expect(data.payload.recordName).toMatch(
      new RegExp(`^_[0-9a-f]{16}\\._liquidity-os-challenge\\.${host.replaceAll('.', '\\.')}$`),
    )
    expect(data.payload.recordValue).toMatch(
      /^token=[A-Za-z0-9_-]{43} expiry=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    )
    const theirs = await challenge(other, host)
    expect(theirs.data.payload.recordName).not.toBe(data.payload.recordName)
    const again = await challenge(owner, host)
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_PARTNER_DOMAIN_OPEN'])
    expect(again.fieldErrors['payload.host']?.[0]).toContain(data.id)
  })

  it('is rejected for a name that is not a private host', async () => {
    for (const wrong of ['co.uk', '127.0.0.1', '*.partner.test', 'xn--pyment-3nf.example']) {
      const response = await challenge(owner, wrong)
      expect([wrong, response.status, response.code]).toEqual([
        wrong,
        422,
        'LIQUIDITY_PARTNER_HOST_INVALID',
      ])
      expect(response.fieldErrors['payload.host']?.[0]).toContain(`got ${wrong}`)
    }
  })

  it('requires the permission to manage partners', async () => {
    const analyst = await newMember(scene.service, owner.organizationId, 'ANALYST')
    expect((await challenge(analyst, host)).status).toBe(403)
  })
})

describe('verification', () => {
  it('proves a host where every server has the value, and binds it', async () => {
    const issued = await published()
    const { status, data } = await act(owner, 'verify', issued)
    expect([status, data.status]).toEqual([200, 'VALIDATED'])
    const [check] = data.payload.observations
    expect(check).toMatchObject({ verdict: 'PROVEN', zone: host })
    expect(check?.answers.map(({ role, outcome }) => `${role} ${outcome}`)).toEqual([
      ...['AUTHORITATIVE PROVEN', 'AUTHORITATIVE PROVEN', 'RECURSIVE PROVEN'],
    ])
    expect(data.payload.binding).toMatchObject({ provisionedAt: null })
    const again = await act(owner, 'verify', data)
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_PARTNER_DOMAIN_STATE'])
  })

  it('is refused with what each server answered where they do not agree', async () => {
    const { data: issued } = await challenge(owner, host)
    const { recordName, recordValue } = issued.payload
    const { names } = scene
    names.publish(recordName, recordValue, [names.first])
    names.publish(recordName, 'token=other', [names.second])
    const { status, code, fieldErrors } = await act(owner, 'verify', issued)
    expect([status, code]).toEqual([409, 'LIQUIDITY_PARTNER_DOMAIN_NOT_PROVEN'])
    expect(fieldErrors.host).toEqual([
      expect.stringContaining('the servers disagree'),
      expect.stringMatching(/^ns1\.names\.test \(127\.0\.0\.2\): PROVEN/),
      expect.stringMatching(/^ns2\.names\.test \(127\.0\.0\.3\): OTHER_VALUE.*"token=other"/),
      expect.stringMatching(/^127\.0\.0\.1:\d+.*: ABSENT/),
    ])
    expect((await read(owner, issued.id)).status).toBe('DRAFT')
  })

  it('does not count one server that refuses, and is refused where all do', async () => {
    const issued = await published()
    const { first, second } = scene.names
    first.behaviour = 'REFUSES'
    second.behaviour = 'REFUSES'
    const refused = await act(owner, 'verify', issued)
    first.behaviour = 'ANSWERS'
    expect(refused.fieldErrors.host?.[0]).toContain('no authoritative server responded')
    const { data } = await act(owner, 'verify', issued)
    second.behaviour = 'ANSWERS'
    const outcomes = data.payload.observations[0]?.answers.map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['PROVEN', 'SILENT', 'PROVEN'])
  })

  it('refuses a zone that has the value at every name', async () => {
    const { data: issued } = await challenge(owner, host)
    const { first, second, resolver } = scene.names
    for (const server of [first, second, resolver]) {
      server.wildcard = { below: host, text: issued.payload.recordValue }
    }
    const { code, fieldErrors } = await act(owner, 'verify', issued)
    for (const server of [first, second, resolver]) server.wildcard = null
    expect(code).toBe('LIQUIDITY_PARTNER_DOMAIN_NOT_PROVEN')
    expect(fieldErrors.host?.[1]).toContain('WILDCARD')
  })

  it('follows one alias, named, and no second', async () => {
    const { data: issued } = await challenge(owner, host)
    const { recordName, recordValue } = issued.payload
    const { first, second, resolver } = scene.names
    const target = `proof.${host}`
    for (const server of [first, second]) server.alias(recordName, target)
    scene.names.publish(target, recordValue)
    scene.names.publish(recordName, recordValue, [resolver])
    for (const server of [first, second]) server.alias(target, `further.${host}`)
    const twice = await act(owner, 'verify', issued)
    expect(twice.fieldErrors.host?.join()).toContain('an alias of an alias')
    for (const server of [first, second]) server.alias(target, null)
    const { data } = await act(owner, 'verify', issued)
    expect([twice.status, data.status]).toEqual([409, 'VALIDATED'])
    const answers = data.payload.observations[0]?.answers ?? []
    expect(answers.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      ...[`${recordName} ALIAS`, `${recordName} ALIAS`],
      ...[`${target} PROVEN`, `${target} PROVEN`, `${recordName} PROVEN`],
    ])
  })

  it('queries no internal name server', async () => {
    const { names } = scene
    names.resolver.host('inner.names.test', '10.0.0.53')
    names.resolver.servers(host, 'inner.names.test')
    const { data: issued } = await challenge(owner, host)
    names.publish(issued.payload.recordName, issued.payload.recordValue)
    const { fieldErrors } = await act(owner, 'verify', issued)
    expect(fieldErrors.host?.[0]).toContain('no authoritative server responded')
    expect(fieldErrors.host?.[1]).toMatch(/NOT_ASKED.*not public/)
  })

  it('is refused with an old token, which the sweep writes down', async () => {
    const issued = await published()
    scene.service.clock.advance(7 * dayMilliseconds)
    owner = await again(owner)
    const { code } = await act(owner, 'verify', issued)
    expect(code).toBe('LIQUIDITY_PARTNER_DOMAIN_EXPIRED')
    await expireDomains(scene.service.services)
    expect((await read(owner, issued.id)).status).toBe('EXPIRED')
    expect((await act(owner, 'verify', await read(owner, issued.id))).code).toBe(
      'LIQUIDITY_PARTNER_DOMAIN_TERMINAL',
    )
    expect((await challenge(owner, host)).status).toBe(201)
  })

  it('is answered ten times an hour', async () => {
    const { data: issued } = await challenge(owner, host)
    const codes: string[] = []
    for (let turn = 0; turn < 11; turn += 1) codes.push((await act(owner, 'verify', issued)).code)
    expect(codes.filter((code) => code === 'LIQUIDITY_PARTNER_DOMAIN_NOT_PROVEN')).toHaveLength(10)
    expect(codes.at(-1)).toBe('LIQUIDITY_RATE_LIMITED')
  })

  it('must name the version that was reviewed', async () => {
    const { id } = await published()
    const response = await callOperation(owner, 'verifyPartnerDomainChallenge', {
      params: { id },
      body: { reason: 'Unseen' },
    })
    expect(response.status).toBe(428)
  })
})

/** The same organization, by somebody who has just signed in. */
const again = ({ organizationId }: TestMember): Promise<TestMember> =>
  newMember(scene.service, organizationId, 'OWNER')

describe('provisioning', () => {
  it('finds its value on the host, over TLS that verifies, and nowhere else', async () => {
    const bound = await boundHost(scene, owner, host)
    expect(bound.status).toBe('ACTIVE')
    expect(bound.payload.binding?.provisionedAt).not.toBeNull()
    const { routingPath, routingValue } = bound.payload
    expect(await askAs(host, routingPath)).toEqual([200, routingValue])
    expect((await askAs('elsewhere.test', routingPath))[0]).toBe(404)
    const again = await act(owner, 'provision', bound)
    expect(again.code).toBe('LIQUIDITY_PARTNER_DOMAIN_STATE')
  })

  it('is rejected if the host resolves elsewhere, with the observed values', async () => {
    const issued = await published()
    const { data: verified } = await act(owner, 'verify', issued)
    scene.names.zone(host, '127.0.0.9')
    const { status, code, fieldErrors } = await act(owner, 'provision', verified)
    expect([status, code]).toEqual([409, 'LIQUIDITY_PARTNER_DOMAIN_ROUTING_NOT_READY'])
    expect(fieldErrors.host?.[0]).toContain('got 127.0.0.9')
    expect(fieldErrors.host?.[1]).toContain('CONNECTION_FAILED')
  })

  it('shows live responses of servers and host, and changes nothing', async () => {
    const bound = await boundHost(scene, owner, host)
    scene.names.publish(bound.payload.recordName, null, [scene.names.second])
    const { data } = await callOperation<Record<string, unknown>>(owner, 'getPartnerDomainStatus', {
      params: { id: bound.id },
    })
    expect(data).toMatchObject({
      status: 'ACTIVE',
      resourceVersion: bound.resourceVersion,
      isRecorded: false,
      check: { verdict: 'SPLIT' },
      routing: { leadsHere: true, answersHere: true, addresses: ['127.0.0.1'] },
    })
    expect((await read(owner, bound.id)).resourceVersion).toBe(bound.resourceVersion)
  })
})

/** Status and body of a path, asked of the service under another host's name. */
function askAs(name: string, path: string): Promise<[number, string]> {
  return new Promise((done, fail) => {
    request(`${scene.service.baseUrl}${path}`, { headers: { host: name } }, async (answer) => {
      const chunks = await Array.fromAsync(answer)
      done([answer.statusCode ?? 0, Buffer.concat(chunks as Buffer[]).toString()])
    })
      .on('error', fail)
      .end()
  })
}

describe('a bound host', () => {
  it('stays with the holder of its record, and moves to another if that is gone', async () => {
    const held = await boundHost(scene, owner, host)
    const theirs = await published(other)
    const kept = await act(other, 'verify', theirs)
    expect([kept.status, kept.code]).toEqual([409, 'LIQUIDITY_PARTNER_HOST_BOUND'])
    expect((await read(owner, held.id)).status).toBe('ACTIVE')
    scene.names.publish(held.payload.recordName, null)
    const taken = await act(other, 'verify', theirs)
    expect([taken.status, taken.data.status]).toEqual([200, 'VALIDATED'])
    const expired = await read(owner, held.id)
    expect([expired.status, expired.payload.binding]).toEqual(['PAUSED', null])
    // The old record, copied back, revives nothing: a lapsed challenge can only be ended.
    scene.names.publish(held.payload.recordName, held.payload.recordValue)
    expect((await act(owner, 'verify', expired)).code).toBe('LIQUIDITY_PARTNER_DOMAIN_STATE')
    expect((await act(owner, 'revoke', expired)).data.status).toBe('REVOKED')
  })

  it('is not looked like by that of another', async () => {
    const named = 'lotus.partner.test'
    scene.names.zone(named)
    const { data } = await challenge(owner, named)
    scene.names.publish(data.payload.recordName, data.payload.recordValue)
    await act(owner, 'verify', data)
    const alike = await challenge(other, 'l0tus.partner.test')
    expect([alike.code, alike.fieldErrors['payload.host']?.[0]]).toEqual([
      'LIQUIDITY_PARTNER_HOST_INVALID',
      expect.stringContaining('look like'),
    ])
    expect((await challenge(owner, 'l0tus.partner.test')).status).toBe(201)
  })

  it('is given up by a revocation, and free for others at once', async () => {
    const held = await boundHost(scene, owner, host)
    expect((await act(owner, 'revoke', held)).data.status).toBe('REVOKED')
    expect((await act(owner, 'revoke', held)).status).toBe(412)
    const theirs = await published(other)
    expect((await act(other, 'verify', theirs)).data.status).toBe('VALIDATED')
  })
})

it('leaves a history in which names and rows follow from the records', async () => {
  for (const { organizationId } of [owner, other]) {
    const { database, services } = scene.service
    const { faults } = await verifyHistory(database, organizationId, services.artifacts)
    expect(faults).toEqual([])
  }
})
