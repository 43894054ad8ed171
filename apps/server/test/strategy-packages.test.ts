// @module-tag long
// @covers apps/server/src/families/plan/strategy-packages

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  approve,
  approved,
  candidate,
  create,
  example,
  expectedResultHash,
  foreignOwner,
  hole,
  observed,
  operator,
  owner,
  type Package,
  revoke,
  seed,
  service,
  startPackaging,
  stopPackaging,
  unknown,
} from './support/packaging.ts'
import { callOperation } from './support/requests.ts'
import { newMember } from './support/service.ts'

beforeAll(startPackaging)
afterAll(stopPackaging)

describe('a candidate', () => {
  it('is a draft for the twin alone, with a hash over everything but its name', async () => {
    const { status, data, headers } = await create()
    expect([status, data.status]).toEqual([201, 'DRAFT'])
    expect(headers.get('etag')).toBe(`"${data.resourceVersion}"`)
    expect(data.payload).toMatchObject({
      digitalTwinOnly: true,
      approval: null,
      supersedes: null,
      contentHash: expect.stringMatching(/^0x/),
    })
    const renamed = await create(candidate({ name: 'Another name' }))
    expect(renamed.data.payload.contentHash).toBe(data.payload.contentHash)
    const changes = [
      { version: '1.0.1' },
      { intendedUse: 'Something else' },
      { knownLimits: ['None that are known.'] },
      { twin: { ...candidate().twin, expectedResultHash: unknown } },
    ]
    const others = await Promise.all(changes.map((change) => create(candidate(change))))
    const hashes = [data, ...others.map((other) => other.data)].map(
      (one) => one.payload.contentHash,
    )
    expect(new Set(hashes).size).toBe(5)
    const read = await callOperation<Package>(owner, 'getStrategyPackages', {
      params: { id: data.id },
    })
    expect(read.data).toEqual(data)
    const list = await callOperation<Package[]>(operator, 'listStrategyPackages')
    expect(list.data).toContainEqual(data)
  })

  it('omits members that the server derives', async () => {
    for (const member of ['contentHash', 'digitalTwinOnly', 'approval']) {
      const { status, code, fieldErrors } = await create(candidate({ [member]: unknown }))
      expect([status, code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
      expect(Object.keys(fieldErrors)).toEqual([`payload.${member}`])
    }
  })

  const parameter = { name: 'width', unit: 'PIPS', min: '1', max: '9', default: '5' }
  const [width, cooldown] = example.parameters
  it.each<[string, object, string[]]>([
    [
      'a hole without a parameter',
      { parameters: [width] },
      ['payload.template.rules.0.cooldownSeconds'],
    ],
    [
      'a parameter without a hole',
      { parameters: [...example.parameters, { ...parameter, name: 'depth' }] },
      ['payload.parameters.2.name'],
    ],
    [
      'a hole that is a part of its text',
      { template: { ...example.template, name: `At ${hole('width')}` } },
      ['payload.template.name'],
    ],
    [
      'a default outside its bounds',
      { parameters: [{ ...width, default: '19999' }, cooldown] },
      ['payload.parameters.0.default'],
    ],
    ['one name twice', { parameters: [width, cooldown, cooldown] }, ['payload.parameters.2.name']],
    [
      'an amount below zero',
      { parameters: [width, { ...cooldown, unit: 'QUOTE_ATOMS', min: '-1' }] },
      ['payload.parameters.1.min'],
    ],
    [
      'a value of a unit that its place does not take',
      { parameters: [width, { ...cooldown, unit: 'QUOTE_ATOMS' }] },
      ['payload.template.rules.0.cooldownSeconds'],
    ],
    [
      'a market of its own',
      { template: { ...example.template, venue: { id: 'venue_1', resourceVersion: unknown } } },
      ['payload.template.venue'],
    ],
    [
      'a guard that nothing looks at',
      {
        template: {
          ...example.template,
          guards: { ...example.template.guards, oracleMaxAgeSeconds: 60 },
        },
      },
      ['payload.template.guards.oracleMaxAgeSeconds'],
    ],
    [
      'a number that is not whole',
      { template: { ...example.template, idlePips: 0.5 } },
      ['payload.template.idlePips'],
    ],
  ])('with %s is refused at its field', async (_what, change, fields) => {
    const { status, code, fieldErrors } = await create(candidate(change))
    expect([status, code]).toEqual([422, 'LIQUIDITY_PACKAGE_TEMPLATE_INVALID'])
    expect(Object.keys(fieldErrors)).toEqual(fields)
  })

  it('of a thousand faults lists fifty, and so do parameters', async () => {
    const holes = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`at${i}`, hole('no')]))
    const faulty = await create(candidate({ template: { ...example.template, ...holes } }))
    const source = await approved()
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`p${i}`, '1']))
    const unknowns = await seed(source, { parameters: many })
    expect([faulty, unknowns].map((response) => Object.keys(response.fieldErrors).length)).toEqual([
      50, 50,
    ])
  })

  it('has a twin of itself, inline, that can be run', async () => {
    const { spec } = candidate().twin
    const twin = (change: object) =>
      candidate({ twin: { spec: { ...spec, ...change }, expectedResultHash } })
    const [arm] = spec.arms
    const refusals = await Promise.all([
      create(twin({ market: { venue: observed.venue } })),
      create(twin({ horizonSeconds: undefined })),
      create(twin({ arms: [{ ...arm, definition: { ...arm.definition, idlePips: 1 } }] })),
      create(twin({ arms: [{ armId: 'full', label: 'Full', position: { kind: 'FULL_RANGE' } }] })),
    ])
    expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array(4).fill('422 LIQUIDITY_PACKAGE_TWIN_INVALID'),
    )
    expect(refusals.map(({ fieldErrors }) => Object.keys(fieldErrors))).toEqual([
      ['payload.twin.spec.market'],
      ['payload.twin.spec.horizonSeconds'],
      ['payload.twin.spec.arms'],
      ['payload.twin.spec.arms'],
    ])
  })

  it('is written, seeded and revoked once under one key', async () => {
    const key = (what: string) => ({ idempotencyKey: `key-of-${what}-once` })
    const written = [
      await create(candidate(), key('writing')),
      await create(candidate(), key('writing')),
    ]
    const source = (await approve(written[0]!.data)).data
    const seeded = [await seed(source, {}, key('seeding')), await seed(source, {}, key('seeding'))]
    const revoked = [await revoke(source, key('revoking')), await revoke(source, key('revoking'))]
    for (const [first, again] of [written, seeded, revoked]) {
      expect([first!.isReplayed, again!.isReplayed]).toEqual([false, true])
      expect([again!.status, again!.data]).toEqual([first!.status, first!.data])
    }
    const reused = await create(candidate({ version: '9.9.9' }), key('writing'))
    expect([reused.status, reused.code]).toEqual([409, 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED'])
  })

  it('supersedes a package that exists, by a higher version', async () => {
    const { data: first } = await create(candidate({ version: '1.9.0' }))
    const supersedes = { id: first.id, resourceVersion: first.resourceVersion }
    const next = await create(candidate({ version: '1.10.0', supersedes }))
    expect(next.data.payload.supersedes).toEqual(supersedes)
    const [same, lost, stolen] = await Promise.all([
      create(candidate({ version: '1.9.0', supersedes })),
      create(candidate({ supersedes: { ...supersedes, resourceVersion: unknown } })),
      create(candidate({ version: '2.0.0', supersedes }), { by: foreignOwner }),
    ])
    expect([same.code, same.fieldErrors['payload.version']?.[0]]).toEqual([
      'LIQUIDITY_PACKAGE_VERSION_REFUSED',
      'must be above 1.9.0, got 1.9.0',
    ])
    expect([lost.code, stolen.code]).toEqual(Array(2).fill('LIQUIDITY_SOURCE_UNAVAILABLE'))
  })
})

describe('an approval', () => {
  it('runs the twin again and stores its result', async () => {
    const { data: draft } = await create()
    const { status, data } = await approve(draft)
    expect([status, data.status, data.sequence]).toEqual([200, 'ACTIVE', 2])
    expect(data.payload).toEqual({ ...draft.payload, approval: data.payload.approval })
    expect(data.payload.approval).toMatchObject({
      twinResultHash: expectedResultHash,
      isSelfApproved: false,
    })
  })

  it('is rejected if the twin has another result', async () => {
    const { data: draft } = await create(
      candidate({ twin: { ...candidate().twin, expectedResultHash: unknown } }),
    )
    const { status, code, fieldErrors } = await approve(draft)
    expect([status, code]).toEqual([409, 'LIQUIDITY_PACKAGE_TWIN_MISMATCH'])
    expect(fieldErrors['payload.twin.expectedResultHash']?.[0]).toContain(expectedResultHash)
    const read = await callOperation<Package>(owner, 'getStrategyPackages', {
      params: { id: draft.id },
    })
    expect(read.data).toEqual(draft)
  })

  it('is refused where the twin is more work than the sandbox takes', async () => {
    const { spec } = candidate().twin
    const large = { ...spec, paths: 100_000, halfWidthPips: 1, horizonSeconds: 3600 * 24 * 365 }
    const { data: draft } = await create(candidate({ twin: { spec: large, expectedResultHash } }))
    const { status, code, fieldErrors } = await approve(draft)
    expect([status, code]).toEqual([422, 'LIQUIDITY_PACKAGE_TWIN_INVALID'])
    expect(fieldErrors['payload.twin.spec']?.[0]).toMatch(/at most/)
  })

  it('is not the author, unless no other reviewer exists', async () => {
    const { data: draft } = await create()
    const self = await approve(draft, { by: owner })
    expect([self.status, self.code]).toEqual([409, 'LIQUIDITY_PACKAGE_SELF_APPROVAL'])
    const { data: lonely } = await create(candidate(), { by: foreignOwner })
    const alone = await approve(lonely, { by: foreignOwner })
    expect(alone.data.payload.approval?.isSelfApproved).toBe(true)
  })

  it('is given by operators, in a session, for a version that was read', async () => {
    const { data: draft } = await create()
    const { id, resourceVersion } = draft
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const refusals = await Promise.all([
      approve(draft, { by: analyst }),
      approve({ id }),
      approve({ id, resourceVersion: unknown }),
      approve(draft, { body: { resourceVersion: unknown } }),
      approve(draft, { by: foreignOwner }),
    ])
    expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '403 LIQUIDITY_ROLE_REQUIRED',
      '428 LIQUIDITY_STUDIO_PRECONDITION_REQUIRED',
      '412 LIQUIDITY_PRECONDITION_FAILED',
      '400 LIQUIDITY_PRECONDITION_AMBIGUOUS',
      '404 LIQUIDITY_RESOURCE_NOT_FOUND',
    ])
    expect((await approve({ id }, { body: { resourceVersion } })).status).toBe(200)
  })

  it('by ten at once is one, and a repeated key is answered with it', async () => {
    const { data: draft } = await create()
    const request = { idempotencyKey: 'key-of-an-approval' }
    const first = approve(draft, request)
    const others = Array.from({ length: 9 }, () => approve(draft))
    const answers = await Promise.all([first, ...others])
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(9)
    const again = await approve(draft, request)
    expect([again.isReplayed, again.status]).toEqual([true, (await first).status])
    const late = await approve(won[0]!.data)
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_PACKAGE_TRANSITION_REFUSED'])
  })
})
