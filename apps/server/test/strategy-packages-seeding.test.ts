// @module-tag long
// @covers apps/server/src/families/plan/strategy-packages

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyHistory } from '../src/whole-history.ts'
import { admissionStudies, storedStudy } from './support/admissible.ts'
import {
  approve,
  approved,
  candidate,
  create,
  evidenceOf,
  example,
  expectedResultHash,
  foreignOwner,
  hole,
  lastingPackage,
  observed,
  owner,
  type Package,
  revoke,
  type Strategy,
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

describe('a seeded strategy', () => {
  it('is the template with its values, compiled, and names where it comes from', async () => {
    const source = await lastingPackage()
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

  it('may have its own name; concurrent requests create as many as requested', async () => {
    const source = await lastingPackage()
    const names = ['One', 'Two', 'Three', 'Four']
    const seeded = await Promise.all(names.map((name) => seed(source, { name })))
    expect(seeded.map(({ data }) => data.strategy.payload.definition.name)).toEqual(names)
    expect(new Set(seeded.map(({ data }) => data.strategy.id)).size).toBe(4)
  })

  it.each<[string, object, string[]]>([
    ['below its bound', { width: '19999' }, ['payload.parameters.width']],
    ['above its bound', { cooldown: '86401' }, ['payload.parameters.cooldown']],
    ['not of its unit', { width: '50000.5' }, ['payload.parameters.width']],
    ['unknown', { depth: '1' }, ['payload.parameters.depth']],
    [
      'wrong, and another as well',
      { width: '0', toString: '1' },
      ['payload.parameters.width', 'payload.parameters.toString'],
    ],
  ])('with a parameter that is %s is refused at it', async (_what, parameters, fields) => {
    const { status, code, fieldErrors } = await seed(await lastingPackage(), { parameters })
    expect([status, code]).toEqual([422, 'LIQUIDITY_PACKAGE_PARAMETER_OUT_OF_BOUNDS'])
    expect(Object.keys(fieldErrors)).toEqual(fields)
  })

  it('that the market does not bear is refused by the compiler', async () => {
    const capital = { maxBase: '0', maxQuote: '0' }
    const { status, code } = await seed(await lastingPackage(), { capital })
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
    const source = await lastingPackage()
    const refusals = await Promise.all([
      seed(draft),
      seed(source, {}, { by: foreignOwner }),
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
    const { data } = await seed(await lastingPackage())
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
  it('is final, is visible on seeded strategies, and ends seeding', async () => {
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
      callOperation<{ admission: { id: string } }>(owner, 'admitStrategyProposal', {
        params: { id: strategy.id },
        ifMatch: strategy.resourceVersion,
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
      revoke(draft, { by: foreignOwner }),
      revoke({ ...draft, resourceVersion: unknown }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([403, 404, 412])
    expect((await revoke({ id: draft.id }, { by: owner })).status).toBe(428)
    expect((await revoke(draft, { by: owner })).data.status).toBe('REVOKED')
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
