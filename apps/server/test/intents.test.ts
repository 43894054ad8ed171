import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { recordsOf } from './support/admissible.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, type TestMember } from './support/service.ts'

type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Intent = VersionedRecord<contract.IssuerIntent>
type Written = { intent: Intent; capitalRequirement: Study }
type Input = contract.IssuerIntentInput

const reason = 'For the test'
const sound = contract.createIntents.example.body.payload as unknown as Input
const requestFor = (limits: Partial<Input['limits']> = {}, change: Partial<Input> = {}): Input => ({
  ...sound,
  ...change,
  limits: { ...sound.limits, ...limits },
})
const create = (owner: TestMember, payload: Input, status = 'DRAFT', by = owner) =>
  callOperation<Written>(by, 'createIntents', { body: { payload, status, reason } })
async function stated(
  owner: TestMember,
  payload = requestFor(),
  status = 'VALIDATED',
): Promise<Written> {
  const response = await create(owner, payload, status)
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}
const change = (owner: TestMember, { id, resourceVersion }: Intent, body: object) =>
  callOperation<Written>(owner, 'supersedeIntents', {
    params: { id },
    ifMatch: resourceVersion,
    body: { reason, ...body },
  })
const refOf = ({ resourceType, id, resourceVersion }: VersionedRecord) => ({
  resourceType,
  id,
  resourceVersion,
})

describe('an intent', () => {
  it('is written together with the study of its capital, or not at all', async ({ owner }) => {
    const response = await create(owner, requestFor(), 'VALIDATED')
    const { intent, capitalRequirement } = response.data
    expect(response.headers.get('etag')).toBe(`"${intent.resourceVersion}"`)
    expect(intent.status).toBe('VALIDATED')
    expect(intent.payload.capitalRequirement).toEqual(refOf(capitalRequirement))
    expect(intent.payload.checks.every(({ result }) => result === 'PASS')).toBe(true)
    expect(capitalRequirement.payload.request.budget).toEqual({
      token: sound.limits.maximumToken,
      quote: sound.limits.maximumQuote,
    })
    expect(intent.payload.executionAuthorityGranted).toBe(false)
    const studies = async () =>
      (await callOperation<Study[]>(owner, 'listCapitalRequirements')).data.map(({ id }) => id)
    const before = await studies()
    expect((await create(owner, requestFor({ maximumQuote: '1' }), 'VALIDATED')).status).toBe(422)
    expect(await studies()).toEqual(before)
    const read = await callOperation<Intent>(owner, 'getIntents', { params: { id: intent.id } })
    expect(read.data).toEqual(intent)
  })

  it('is rejected if it contradicts itself or requests authority', async ({ owner }) => {
    const [wanted] = sound.success
    for (const [payload, code, field] of [
      [requestFor({}, { authority: 'SPEND' }), 'LIQUIDITY_TYPED_AUTHORITY_REQUIRED', 'authority'],
      [
        requestFor({ minimumPriceX18: '9', maximumPriceX18: '8' }),
        'LIQUIDITY_INTENT_INVALID',
        'limits.maximumPriceX18',
      ],
      [
        requestFor({ venueAllow: ['venue_a'], venueDeny: ['venue_b', 'venue_a'] }),
        ...(['LIQUIDITY_INTENT_INVALID', 'limits.venueDeny.1'] as const),
      ],
      [
        requestFor({}, { horizon: { from: sound.horizon.to, to: sound.horizon.from } }),
        ...(['LIQUIDITY_INTENT_INVALID', 'horizon.to'] as const),
      ],
      [
        requestFor({}, { success: [{ ...wanted!, metric: 'SCORE_PIPS' }] }),
        ...(['LIQUIDITY_INTENT_INVALID', 'success.0.movePips'] as const),
      ],
    ] as const) {
      const response = await create(owner, payload)
      expect([response.code, Object.keys(response.fieldErrors)]).toEqual([
        code,
        [`payload.${field}`],
      ])
    }
  })

  it('is a draft that shows what fails, and validated only where nothing does', async ({
    owner,
  }) => {
    const band = { minimumPriceX18: `${3n * 10n ** 18n}` }
    const out = await create(owner, requestFor(band), 'VALIDATED')
    expect([out.status, out.code]).toEqual([422, 'LIQUIDITY_INTENT_BAND_EXCLUDES_REFERENCE'])
    const dear = await create(owner, requestFor({ maximumQuote: '1' }), 'VALIDATED')
    expect([dear.status, dear.code]).toEqual([422, 'LIQUIDITY_INTENT_LIMITS_BELOW_REQUIREMENT'])
    const blind = await create(owner, requestFor({ minimumRunwayMonths: 6 }), 'VALIDATED')
    expect([blind.status, blind.code]).toEqual([400, 'LIQUIDITY_INTENT_TRANSITION_OUT_OF_BOUNDS'])
    const venues = await create(owner, requestFor({ venueAllow: ['venue_unknown'] }), 'VALIDATED')
    expect(venues.fieldErrors.status?.[0]).toContain('VENUES_OF_PAIR is FAIL')
    const { intent } = await stated(owner, requestFor(band), 'DRAFT')
    expect(intent.payload.checks.filter(({ result }) => result === 'FAIL')).toMatchObject([
      { check: 'BAND_HOLDS_REFERENCE' },
    ])
  })

  it('gets new evidence with every change, and keeps the earlier evidence', async ({ owner }) => {
    const { intent, capitalRequirement } = await stated(owner)
    const response = await change(owner, intent, { payload: requestFor({}, { label: 'Renamed' }) })
    expect([response.status, response.fieldErrors]).toEqual([200, {}])
    const next = response.data
    expect(next.capitalRequirement).toMatchObject({
      id: capitalRequirement.id,
      sequence: 2,
      previousResourceVersion: capitalRequirement.resourceVersion,
      payload: { request: { label: 'Renamed' } },
    })
    expect(next.intent.payload.capitalRequirement).toEqual(refOf(next.capitalRequirement))
    expect((await change(owner, intent, { status: 'PAUSED' })).status).toBe(412)
  })

  it('goes where its states lead, and stops for ever when it is revoked', async ({ owner }) => {
    const { intent } = await stated(owner)
    const outOfBounds = 'LIQUIDITY_INTENT_TRANSITION_OUT_OF_BOUNDS'
    expect((await change(owner, intent, { status: 'DRAFT' })).code).toBe(outOfBounds)
    const paused = (await change(owner, intent, { status: 'PAUSED' })).data.intent
    const kept = await change(owner, paused, { payload: requestFor(), status: 'VALIDATED' })
    expect([kept.status, kept.code]).toEqual([400, outOfBounds])
    const draft = (await change(owner, paused, { payload: requestFor({}, { label: 'Other' }) }))
      .data.intent
    expect(draft.status).toBe('DRAFT')
    const failing = await change(owner, draft, {
      payload: requestFor({ maximumToken: '1' }),
      status: 'VALIDATED',
    })
    expect(failing.code).toBe('LIQUIDITY_INTENT_LIMITS_BELOW_REQUIREMENT')
    const valid = (await change(owner, draft, { status: 'VALIDATED' })).data.intent
    const revoked = (await change(owner, valid, { status: 'REVOKED' })).data.intent
    const after = await change(owner, revoked, { status: 'DRAFT' })
    expect([after.status, after.code]).toEqual([409, 'LIQUIDITY_INTENT_REVOKED'])
  })

  it('is stopped even where its evidence cannot be had', async ({ service, owner }) => {
    const { intent } = await stated(owner)
    const records = recordsOf(service, owner)
    const current = await records.current<Intent['payload']>('IssuerIntent', intent.id)
    const { request } = current!.record.payload
    const missing = { resourceType: 'TreasuryBucket', id: 'treasury_bucket_gone' } as const
    const ledgerSources = [{ ...missing, resourceVersion: `0x${'5'.repeat(64)}` as const }]
    const payload = { ...current!.record.payload, request: { ...request, ledgerSources } }
    const staged = records.supersede<Intent['payload']>(current!, {
      status: 'VALIDATED',
      payload,
      reason,
      event: 'intent.superseded',
    })
    await service.services.committer.commit(staged.change)
    const now = staged.sealed.record as Intent
    expect((await change(owner, now, {})).code).toBe('LIQUIDITY_SOURCE_UNAVAILABLE')
    const paused = await change(owner, now, { status: 'PAUSED' })
    expect([paused.status, paused.data.intent.status]).toEqual([200, 'PAUSED'])
  })
})

describe('an intent from a study', () => {
  const compute = async (owner: TestMember, reference: object) => {
    const { payload } = contract.createCapitalRequirements.example.body
    const response = await callOperation<Study>(owner, 'createCapitalRequirements', {
      body: { payload: { ...payload, reference }, reason },
    })
    expect(response.status).toBe(201)
    return response.data
  }
  const seed = (owner: TestMember, { id }: Study, body: object, ifMatch?: string) =>
    callOperation<Written>(owner, 'seedIssuerIntentFromCapitalStudy', {
      params: { id },
      body: { objective: 'LAUNCH', label: 'Launch', reason, ...body },
      ...(ifMatch ? { ifMatch } : {}),
    })

  it('is a draft within the study, and gets its own study after a change', async ({ owner }) => {
    const study = await compute(owner, { kind: 'DECLARED', priceX18: `${2n * 10n ** 18n}` })
    const response = await seed(owner, study, { studyResourceVersion: study.resourceVersion })
    expect([response.status, response.fieldErrors]).toEqual([201, {}])
    const { intent } = response.data
    expect(intent).toMatchObject({
      status: 'DRAFT',
      payload: {
        capitalRequirement: refOf(study),
        isOwnStudy: false,
        request: { objective: 'LAUNCH', limits: { maximumQuote: study.payload.total!.quote } },
      },
    })
    expect(intent.payload.checks.every(({ result }) => result === 'PASS')).toBe(true)
    const valid = (await change(owner, intent, { status: 'VALIDATED' })).data
    expect(valid.capitalRequirement.id).not.toBe(study.id)
    expect(valid.intent.payload.isOwnStudy).toBe(true)
  })

  it('needs the version that was reviewed, of a study that can be used', async ({
    service,
    owner,
  }) => {
    const study = await compute(owner, { kind: 'DECLARED', priceX18: `${2n * 10n ** 18n}` })
    expect((await seed(owner, study, {})).status).toBe(428)
    expect((await seed(owner, study, {}, `0x${'9'.repeat(64)}`)).status).toBe(412)
    const both = await seed(
      owner,
      study,
      { studyResourceVersion: `0x${'9'.repeat(64)}` },
      study.resourceVersion,
    )
    expect([both.status, both.code]).toEqual([400, 'LIQUIDITY_PRECONDITION_AMBIGUOUS'])
    const empty = await compute(owner, { kind: 'ORACLE', providerId: 'nobody' })
    const response = await seed(owner, empty, {}, empty.resourceVersion)
    expect([response.status, response.code]).toEqual([409, 'LIQUIDITY_CAPITAL_STUDY_UNUSABLE'])
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await create(owner, requestFor(), 'DRAFT', viewer)).code).toBe(
      'LIQUIDITY_ROLE_REQUIRED',
    )
  })
})
