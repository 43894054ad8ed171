import type { LooseRequest } from '@liquidity-os/client'
import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyHistory } from '../src/records/verify-history.ts'
import { runInlineStudy } from '../src/simulation/run-inline-study.ts'
import type { StudySpec } from '../src/simulation/spec-faults.ts'
import { admissionStudies, storedStudy } from './support/admissible.ts'
import { hostOf, startTestChain, type TestChain } from './support/chain.ts'
import { type ObservedVenue, observedVenue } from './support/observed-venue.ts'
import { type Told, tell } from './support/requests.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Package = VersionedRecord<Static<typeof contract.StrategyPackage>>
type Strategy = VersionedRecord<Static<typeof contract.StrategyDefinitionV2>>
type Seeded = { strategy: Strategy; compilation: Static<typeof contract.StrategyCompilation> }
type Evidence = Static<typeof contract.getStrategyEvidence.response.schema>

let test: TestChain
let service: TestService
let owner: TestMember
/** A second operator, who may approve what the owner wrote. */
let operator: TestMember
let stranger: TestMember
let observed: ObservedVenue
let expectedResultHash: string
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  operator = await newMember(service, owner.organizationId, 'OPERATOR')
  stranger = await newOrganization(service)
  observed = await observedVenue(service, owner, test)
  expectedResultHash = await twinHash(example.twin.spec)
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

const example = contract.createStrategyPackageCandidate.example.body.payload
const hole = contract.hole
const unknown = `0x${'9'.repeat(64)}`

/** What the author of a package reads from the sandbox. */
const twinHash = async (spec: object) =>
  (await runInlineStudy(service.services, spec as StudySpec)).result.resultHash

const candidate = (change: object = {}) => ({
  ...structuredClone(example),
  twin: { spec: structuredClone(example.twin.spec), expectedResultHash },
  ...change,
})

const create = (
  payload: object = candidate(),
  { by = owner, ...more }: { by?: TestMember } & LooseRequest = {},
): Promise<Told<Package>> =>
  tell(by, 'createStrategyPackageCandidate', {
    body: { payload, reason: 'For the test' },
    ...more,
  })

const decide =
  (operationId: string) =>
  (
    { id, resourceVersion: ifMatch }: { id: string; resourceVersion?: string },
    { by = operator, body = {}, ...more }: { by?: TestMember; body?: object } & LooseRequest = {},
  ): Promise<Told<Package>> =>
    tell(by, operationId, {
      params: { id },
      ...(ifMatch === undefined ? {} : { ifMatch }),
      body: { reason: 'For the test', ...body },
      ...more,
    })
const approve = decide('approveStrategyPackage')
const revoke = decide('revokeStrategyPackage')

const seed = (
  { id }: { id: string },
  payload: object = {},
  { by = owner, ...more }: { by?: TestMember } & LooseRequest = {},
): Promise<Told<Seeded>> =>
  tell(by, 'seedStrategyFromApprovedPackage', {
    params: { id },
    body: {
      payload: {
        parameters: {},
        ...observed,
        capital: { maxBase: `${10n ** 18n}`, maxQuote: `${10n ** 18n}` },
        ...payload,
      },
      reason: 'For the test',
    },
    ...more,
  })

async function approved(payload?: object): Promise<Package> {
  const { data, status } = await approve((await create(payload)).data)
  expect(status).toBe(200)
  return data
}

const evidenceOf = async (id: string) =>
  (await tell<Evidence>(owner, 'getStrategyEvidence', { params: { id } })).data

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
    const read = await tell<Package>(owner, 'getStrategyPackages', { params: { id: data.id } })
    expect(read.data).toEqual(data)
    const list = await tell<Package[]>(operator, 'listStrategyPackages')
    expect(list.data).toContainEqual(data)
  })

  it('does not say what the server derives', async () => {
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
      'a number that is not whole',
      { template: { ...example.template, idlePips: 0.5 } },
      ['payload.template.idlePips'],
    ],
  ])('with %s is refused at its field', async (_what, change, fields) => {
    const { status, code, fieldErrors } = await create(candidate(change))
    expect([status, code]).toEqual([422, 'LIQUIDITY_PACKAGE_TEMPLATE_INVALID'])
    expect(Object.keys(fieldErrors)).toEqual(fields)
  })

  it('of a thousand faults is told fifty, and so are parameters', async () => {
    const holes = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`at${i}`, hole('no')]))
    const faulty = await create(candidate({ template: { ...example.template, ...holes } }))
    const source = await approved()
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`p${i}`, '1']))
    const unknowns = await seed(source, { parameters: many })
    expect([faulty, unknowns].map((told) => Object.keys(told.fieldErrors).length)).toEqual([50, 50])
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
      create(candidate({ version: '2.0.0', supersedes }), { by: stranger }),
    ])
    expect([same.code, same.fieldErrors['payload.version']?.[0]]).toEqual([
      'LIQUIDITY_PACKAGE_VERSION_REFUSED',
      'must be above 1.9.0, got 1.9.0',
    ])
    expect([lost.code, stolen.code]).toEqual(Array(2).fill('LIQUIDITY_SOURCE_UNAVAILABLE'))
  })
})

describe('an approval', () => {
  it('runs the twin again and keeps what it came to', async () => {
    const { data: draft } = await create()
    const { status, data } = await approve(draft)
    expect([status, data.status, data.sequence]).toEqual([200, 'ACTIVE', 2])
    expect(data.payload).toEqual({ ...draft.payload, approval: data.payload.approval })
    expect(data.payload.approval).toMatchObject({
      twinResultHash: expectedResultHash,
      isSelfApproved: false,
    })
  })

  it('is refused where the twin comes to another result', async () => {
    const { data: draft } = await create(
      candidate({ twin: { ...candidate().twin, expectedResultHash: unknown } }),
    )
    const { status, code, fieldErrors } = await approve(draft)
    expect([status, code]).toEqual([409, 'LIQUIDITY_PACKAGE_TWIN_MISMATCH'])
    expect(fieldErrors['payload.twin.expectedResultHash']?.[0]).toContain(expectedResultHash)
    const read = await tell<Package>(owner, 'getStrategyPackages', { params: { id: draft.id } })
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

  it('is not the author’s, unless there is nobody else', async () => {
    const { data: draft } = await create()
    const self = await approve(draft, { by: owner })
    expect([self.status, self.code]).toEqual([409, 'LIQUIDITY_PACKAGE_SELF_APPROVAL'])
    const { data: lonely } = await create(candidate(), { by: stranger })
    const alone = await approve(lonely, { by: stranger })
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
      approve(draft, { by: stranger }),
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

describe('a seeded strategy', () => {
  it('is the template with its values, compiled, and names where it comes from', async () => {
    const source = await approved()
    const { status, data } = await seed(source, { parameters: { width: '50000' } })
    expect([status, data.strategy.status]).toEqual([201, 'DRAFT'])
    const { definition, lineage } = data.strategy.payload
    expect(definition).toMatchObject({
      name: example.template.name,
      pair: observed.pair,
      venue: observed.venue,
      positions: [{ template: { kind: 'RANGE', lowerPips: 50_000, upperPips: 50_000 } }],
      rules: [{ cooldownSeconds: 7200 }],
    })
    expect(data.compilation).toMatchObject({ ok: true, irHash: expect.stringMatching(/^0x/) })
    expect(lineage).toEqual({
      package: { id: source.id, resourceVersion: source.resourceVersion },
      contentHash: source.payload.contentHash,
      parameters: { width: '50000', cooldown: '7200' },
      irHash: data.compilation.irHash,
    })
    const evidence = await evidenceOf(data.strategy.id)
    expect(evidence.packageLineage).toMatchObject({
      contentHash: source.payload.contentHash,
      isChanged: false,
      packageStatus: 'ACTIVE',
      packageRevoked: false,
      revocationReason: null,
    })
    const kinds = new Map(evidence.hashes.map(({ hash, kind }) => [hash, kind]))
    expect(kinds.get(source.payload.contentHash)).toBe('PACKAGE_CONTENT')
    expect(kinds.get(source.resourceVersion)).toBe('PACKAGE_VERSION')
  })

  it('may have a name of its own, and as many of one package as are asked for at once', async () => {
    const source = await approved()
    const names = ['One', 'Two', 'Three', 'Four']
    const seeded = await Promise.all(names.map((name) => seed(source, { name })))
    expect(seeded.map(({ data }) => data.strategy.payload.definition.name)).toEqual(names)
    expect(new Set(seeded.map(({ data }) => data.strategy.id)).size).toBe(4)
  })

  it.each<[string, object, string[]]>([
    ['below its bound', { width: '19999' }, ['payload.parameters.width']],
    ['above its bound', { cooldown: '86401' }, ['payload.parameters.cooldown']],
    ['not of its unit', { width: '50000.5' }, ['payload.parameters.width']],
    ['not known', { depth: '1' }, ['payload.parameters.depth']],
    [
      'wrong, and another as well',
      { width: '0', toString: '1' },
      ['payload.parameters.width', 'payload.parameters.toString'],
    ],
  ])('with a parameter that is %s is refused at it', async (_what, parameters, fields) => {
    const { status, code, fieldErrors } = await seed(await approved(), { parameters })
    expect([status, code]).toEqual([422, 'LIQUIDITY_PACKAGE_PARAMETER_OUT_OF_BOUNDS'])
    expect(Object.keys(fieldErrors)).toEqual(fields)
  })

  it('that the market does not bear is refused by the compiler', async () => {
    const capital = { maxBase: '0', maxQuote: '0' }
    const { status, code } = await seed(await approved(), { capital })
    expect([status, code]).toEqual([422, 'LIQUIDITY_STRATEGY_CAPITAL_EXCEEDS_CAPS'])
  })

  it('that a value makes no definition of is refused as the template', async () => {
    const { spec } = candidate().twin
    const template = structuredClone(example.template)
    const parameters = [
      ...example.parameters,
      { name: 'most', unit: 'COUNT', min: '0', max: '5000', default: '6' },
    ]
    Object.assign(template.rules[0]!, { maxPerDay: hole('most') })
    const source = await approved(
      candidate({ template, parameters, twin: { spec, expectedResultHash } }),
    )
    const { status, code, fieldErrors } = await seed(source, { parameters: { most: '2000' } })
    expect([status, code]).toEqual([422, 'LIQUIDITY_PACKAGE_TEMPLATE_INVALID'])
    expect(Object.keys(fieldErrors)).toEqual(['template.rules.0.maxPerDay'])
  })

  it('comes from an approved package of this organization, at the version that was read', async () => {
    const { data: draft } = await create()
    const source = await approved()
    const refusals = await Promise.all([
      seed(draft),
      seed(source, {}, { by: stranger }),
      seed(source, {}, { ifMatch: draft.resourceVersion }),
      seed(source, { resourceVersion: unknown }),
      seed(source, { resourceVersion: unknown }, { ifMatch: source.resourceVersion }),
    ])
    expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '409 LIQUIDITY_PACKAGE_NOT_APPROVED',
      '404 LIQUIDITY_RESOURCE_NOT_FOUND',
      '412 LIQUIDITY_PRECONDITION_FAILED',
      '412 LIQUIDITY_PRECONDITION_FAILED',
      '400 LIQUIDITY_PRECONDITION_AMBIGUOUS',
    ])
  })

  it('shows that it was rewritten since', async () => {
    const { data } = await seed(await approved())
    const { id, resourceVersion, payload } = data.strategy
    await owner.client.supersedeStrategies({
      params: { id },
      ifMatch: resourceVersion,
      body: {
        payload: { ...payload.definition, objective: 'CUSTOM' },
        reason: 'For the test',
      } as never,
    })
    expect((await evidenceOf(id)).packageLineage).toMatchObject({ isChanged: true })
  })
})

describe('a revocation', () => {
  it('is final, shows on what was seeded, and ends seeding', async () => {
    const source = await approved()
    const { data: seeded } = await seed(source)
    const body = { reason: 'The venue changed its fee' }
    const { status, data } = await revoke(source, { body })
    expect([status, data.status]).toEqual([200, 'REVOKED'])
    expect(data.payload).toEqual(source.payload)
    expect((await evidenceOf(seeded.strategy.id)).packageLineage).toMatchObject({
      packageStatus: 'REVOKED',
      packageRevoked: true,
      revocationReason: 'The venue changed its fee',
    })
    const still = await owner.client.getStrategies({ params: { id: seeded.strategy.id } })
    expect(still.body.data.status).toBe('DRAFT')
    const late = await Promise.all([revoke(data), approve(data), seed(data)])
    expect(late.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '409 LIQUIDITY_PACKAGE_TERMINAL',
      '409 LIQUIDITY_PACKAGE_TERMINAL',
      '409 LIQUIDITY_PACKAGE_NOT_APPROVED',
    ])
  })

  /** A validated strategy of a package, and what admits it. */
  async function admissible(source: Package, width: string) {
    const { data: seeded } = await seed(source, { parameters: { width } })
    const { body } = await owner.client.supersedeStrategies({
      params: { id: seeded.strategy.id },
      ifMatch: seeded.strategy.resourceVersion,
      body: { status: 'VALIDATED', reason: 'For the test' },
    })
    const strategy = body.data.strategy as Strategy
    const { replay, paths } = await admissionStudies(owner, strategy)
    const studies = [
      await storedStudy(service, owner, replay),
      await storedStudy(service, owner, paths),
    ]
    const limits = { maxEs95LossPips: 900_000, minDepthTimeSharePips: 0, maxFailurePips: 100_000 }
    const admit = () =>
      tell<{ admission: { id: string } }>(owner, 'admitStrategyProposal', {
        params: { id: strategy.id },
        body: { payload: { studies, limits, validForSeconds: 3600 }, reason: 'For the test' },
      })
    return { strategy, admit }
  }

  it('leaves admissions that were given, and refuses every other', async () => {
    const source = await approved()
    const { strategy, admit } = await admissible(source, '90000')
    const first = await admit()
    expect([first.status, first.fieldErrors]).toEqual([201, {}])
    await revoke(source)
    const refused = await admit()
    expect([refused.status, refused.code]).toEqual([422, 'LIQUIDITY_STRATEGY_ADMISSION_REFUSED'])
    expect(Object.keys(refused.fieldErrors)).toEqual(['gates.PACKAGE_REVOKED'])
    expect((await evidenceOf(strategy.id)).admissions).toMatchObject([
      { eventId: first.data.admission.id, state: 'ADMITTED', packageRevoked: true },
    ])
  })

  it('against an admission at the same time leaves one order of the two', async () => {
    const source = await approved()
    const { strategy, admit } = await admissible(source, '95000')
    const [revoked, ...answers] = await Promise.all([revoke(source), admit(), admit(), admit()])
    expect(revoked.status).toBe(200)
    const given = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 422)
    expect(given.length + refused.length).toBe(3)
    expect((await evidenceOf(strategy.id)).admissions).toHaveLength(given.length)
    expect((await admit()).status).toBe(422)
  })

  it('takes a candidate back, from those who may, and only their own', async () => {
    const { data: draft } = await create()
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const refusals = await Promise.all([
      revoke(draft, { by: analyst }),
      revoke(draft, { by: stranger }),
      revoke({ ...draft, resourceVersion: unknown }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([403, 404, 412])
    expect((await revoke({ id: draft.id }, { by: owner })).data.status).toBe('REVOKED')
  })

  it('against a seeding at the same time leaves one order of the two', async () => {
    const source = await approved()
    const [revoked, seeded] = await Promise.all([revoke(source), seed(source)])
    expect([200, 412]).toContain(revoked.status)
    expect([201, 409]).toContain(seeded.status)
    // Whoever came second has seen the first: a package that is revoked seeds nothing.
    const after = await seed(source)
    expect(after.status).toBe(revoked.status === 200 ? 409 : 201)
  })
})

it('leaves chains of records and events that are intact, and artifacts that are there', async () => {
  const { database, artifacts } = service.services
  const report = await verifyHistory(database, owner.organizationId, artifacts)
  expect(report.faults).toEqual([])
  expect(report.events).toBeGreaterThan(0)
})
