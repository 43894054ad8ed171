import { contract, type OperatingSystemEvent, responseExamples } from '@liquidity-os/contract'
import { type VersionedRecord, verifyInclusion } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { expireDecisionPacks } from '../src/families/operate/decision-packs/records.ts'
import { sealed as sealedPack } from '../src/families/operate/decision-packs/seal-pack.ts'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

type Pack = VersionedRecord<contract.DecisionPack>
type Input = contract.DecisionPackInput
type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Section = {
  proof: { leafIndex: number; treeSize: number; path: `0x${string}`[] }
  sectionHash: string
  sealHash: `0x${string}`
  value: unknown
}
type Result = { pack: Pack; event: OperatingSystemEvent; allowedCommands: string[] }

let owner: TestMember
let reviewer: TestMember
let study: Study

it.beforeAll(async ({ service }) => {
  await renewed(service)
})

const reason = 'For the test'
const e18 = 10n ** 18n
const inDays = (service: TestService, days: number) =>
  new Date(service.clock.read() + days * dayMilliseconds).toISOString()

/** An organization in which nothing else happened, with its second pair of eyes. */
async function renewed(service: TestService): Promise<void> {
  owner = await newOrganization(service)
  reviewer = await newMember(service, owner.organizationId, 'REVIEWER')
  study = await computed()
}

async function computed(priceX18 = 2n * e18): Promise<Study> {
  const { payload } = contract.createCapitalRequirements.example.body
  const reference = { kind: 'DECLARED', priceX18: `${priceX18}` }
  const response = await callOperation<Study>(owner, 'createCapitalRequirements', {
    body: { payload: { ...payload, reference }, reason },
  })
  expect(response.status).toBe(201)
  return response.data
}

const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})
const needed = (of: Study, more: object = {}) => ({
  metricId: 'quote-needed',
  label: 'Quote that it takes',
  value: of.payload.base!.quote,
  unit: 'ATOMS',
  asset: of.payload.request.quote,
  better: 'LOWER',
  source: refOf(of),
  pointer: '/payload/base/quote',
  ...more,
})
const target = (of: Study) => ({ value: of.payload.request.targets[0]?.depthQuote })
const content = (service: TestService, change: object = {}, metric: object = needed(study)) =>
  ({
    question: 'Do we provide the depth?',
    context: 'The listing is near.',
    options: [
      {
        optionId: 'nothing',
        label: 'Do nothing',
        statusQuo: true,
        summary: '',
        metrics: [],
        risks: [],
        reversibility: 'REVERSIBLE',
        requires: [],
      },
      {
        optionId: 'provide',
        label: 'Provide it',
        statusQuo: false,
        summary: 'On one curve',
        metrics: [metric],
        risks: ['The price may leave'],
        reversibility: 'COSTLY',
        requires: ['Tokens of the treasury'],
      },
    ],
    limits: [{ metricId: 'quote-needed', comparator: 'LTE', value: '1' }],
    recommendation: { optionId: 'provide', rationale: 'It is cheap', by: 'HUMAN' },
    decisionBy: inDays(service, 7),
    expiresAt: inDays(service, 14),
    ...change,
  }) as unknown as Input
const create = (payload: object, by = owner) =>
  callOperation<Pack>(by, 'createDecisionPack', { body: { payload, reason } })
async function written(service: TestService, change: object = {}): Promise<Pack> {
  const response = await create(content(service, change))
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data
}
const send = (pack: Pack, body: object, by = owner, more: object = {}) =>
  callOperation<Result>(by, 'applyDecisionPackCommand', {
    params: { packId: pack.id },
    ifMatch: pack.resourceVersion,
    body: { reason, ...body },
    ...more,
  })
async function sent(pack: Pack, body: object, by = owner): Promise<Pack> {
  const response = await send(pack, body, by)
  expect([response.status, response.code, response.fieldErrors]).toEqual([200, '', {}])
  return response.data.pack
}
const submitted = async (service: TestService, change: object = {}) =>
  sent(await written(service, change), { command: 'SUBMIT' })
const approve = { command: 'APPROVE', optionId: 'provide' }
/** Signs in again what a long test has aged. */
async function fresh(service: TestService, by: TestMember): Promise<void> {
  const now = service.clock.read()
  await service.database.global([
    sql`update sessions set authenticated_at = ${now}, expires_at = ${now + dayMilliseconds} where user_id = ${by.userId}`,
  ])
}

describe('a pack', () => {
  it('reads every figure again, seals its sections and reports the result', async ({ service }) => {
    const pack = await written(service)
    const { payload } = pack
    expect(pack.status).toBe('DRAFT')
    expect(payload.evidence).toMatchObject([
      {
        source: refOf(study),
        recordHash: study.artifactHash,
        maximumAgeSeconds: 14 * 86_400,
        provenance: {
          engineVersion: study.payload.computation.engineVersion,
          inputsHash: study.payload.computation.inputsHash,
          completeness: 'COMPLETED',
        },
      },
    ])
    expect(payload.comparison.options[1]).toMatchObject({
      breaks: [{ metricId: 'quote-needed', value: '1', observed: study.payload.base!.quote }],
    })
    expect([payload.executionAuthorityGranted, payload.executionPerformed]).toEqual([false, false])
    const section = await callOperation<Section>(owner, 'readDecisionPackSection', {
      params: { packId: pack.id, sequence: 1, section: 'options' },
    })
    const { proof, sectionHash, sealHash, value } = section.data
    expect(verifyInclusion(Buffer.from(sectionHash.slice(2), 'hex'), proof, sealHash)).toBe(true)
    expect([sealHash, value]).toEqual([payload.sealHash, payload.options])
  })

  it('is refused with a figure that is not there, not that one, or of a version that moved on', async ({
    service,
  }) => {
    const unbound = 'LIQUIDITY_DECISION_PACK_METRIC_UNBOUND'
    const at = 'payload.options.1.metrics.0'
    for (const [change, code, field] of [
      [{ value: '7' }, unbound, `${at}.value`],
      [{ pointer: '/payload/base/euros' }, unbound, `${at}.pointer`],
      [{ pointer: '/payload/base' }, unbound, `${at}.pointer`],
      [
        { source: { ...refOf(study), resourceVersion: `0x${'5'.repeat(64)}` } },
        ...(['LIQUIDITY_SOURCE_VERSION_CHANGED', `${at}.source`] as const),
      ],
      [
        { source: { ...refOf(study), id: `capital_requirement_${'0'.repeat(32)}` } },
        ...(['LIQUIDITY_SOURCE_UNAVAILABLE', `${at}.source`] as const),
      ],
    ] as const) {
      const response = await create(content(service, {}, needed(study, change)))
      expect([response.code, Object.keys(response.fieldErrors)]).toEqual([code, [field]])
    }
  })

  it('takes label, unit and asset from the member at the pointer; the author adds a note', async ({
    service,
  }) => {
    const { metricId, value, source, pointer } = needed(study)
    const bare = { metricId, value, source, pointer }
    const quote = study.payload.request.quote
    const sealed = {
      ...bare,
      label: 'Capital without buffer · Quote',
      unit: 'ATOMS',
      asset: quote,
      better: 'LOWER',
    }
    for (const [statement, note] of [
      [{}, undefined],
      [{ note: 'Before fees' }, 'Before fees'],
      // Words of a caller that knows no note yet: they rename nothing.
      [{ label: 'Expected loss' }, 'Expected loss'],
      [{ label: 'Capital without buffer · Quote' }, undefined],
    ] as const) {
      const made = await create(content(service, { limits: [] }, { ...bare, ...statement }))
      expect([made.status, made.fieldErrors]).toEqual([201, {}])
      const { options, comparison, packVersion } = made.data.payload
      const noted = note === undefined ? {} : { note }
      expect(packVersion).toBe('decision-pack-v2')
      expect(options[1]?.metrics).toEqual([{ ...sealed, ...noted }])
      expect(comparison.rows[0]).toMatchObject({ label: sealed.label, unit: 'ATOMS', ...noted })
    }
  })

  it('seals no figure under another unit, asset or direction, and none of a member without a unit', async ({
    service,
  }) => {
    const at = 'payload.options.1.metrics.0'
    const records = recordsOf(service, owner)
    const { data } = responseExamples.activateMarketQualityScore as {
      data: VersionedRecord<contract.MarketQualityScore>
    }
    const { sealed, change } = records.create('MarketQualityScore', {
      status: 'COMPLETED',
      payload: { ...data.payload, scorePips: 730_000 },
      reason,
      event: 'score.computed',
    })
    await service.services.committer.commit(change)
    const { quote } = study.payload.request
    const ofScore = {
      metricId: 'quote-needed',
      value: 730_000,
      source: refOf(sealed.record),
      pointer: '/payload/scorePips',
    }
    for (const [metric, code, fieldErrors] of [
      [
        { ...ofScore, label: 'Expected loss', unit: 'MONTHS_X3', better: 'HIGHER' },
        'LIQUIDITY_DECISION_PACK_UNIT_MISMATCH',
        {
          [`${at}.unit`]: ['must be PIPS, the unit of /payload/scorePips, got MONTHS_X3'],
        },
      ],
      [
        { ...ofScore, asset: quote, better: 'LOWER' },
        'LIQUIDITY_DECISION_PACK_UNIT_MISMATCH',
        {
          [`${at}.asset`]: [`must be left out with PIPS for /payload/scorePips, got ${quote}`],
          [`${at}.better`]: ['must be HIGHER or NEITHER for /payload/scorePips, got LOWER'],
        },
      ],
      [
        needed(study, { asset: study.payload.request.token }),
        'LIQUIDITY_DECISION_PACK_UNIT_MISMATCH',
        {
          [`${at}.asset`]: [
            `must be ${quote} for /payload/base/quote, got ${study.payload.request.token}`,
          ],
        },
      ],
      [
        needed(study, { label: 'Expected loss', note: 'Before fees' }),
        'LIQUIDITY_DECISION_PACK_UNIT_MISMATCH',
        {
          [`${at}.label`]: [
            'must be “Capital without buffer · Quote” if a note is set, got “Expected loss”',
          ],
        },
      ],
      [
        needed(study, { pointer: '/payload/request/targets/0/depthQuote', ...target(study) }),
        'LIQUIDITY_DECISION_PACK_METRIC_UNITLESS',
        {
          [`${at}.pointer`]: [
            'must point to a field with a unit, got /payload/request/targets/0/depthQuote of CapitalRequirementStudy: its schema defines no unit',
          ],
        },
      ],
    ] as const) {
      const response = await create(content(service, { limits: [] }, metric))
      expect([response.status, response.code]).toEqual([422, code])
      expect(response.fieldErrors).toEqual(fieldErrors)
    }
    const created = await create(
      content(service, { limits: [] }, { ...ofScore, better: 'NEITHER' }),
    )
    expect(created.data.payload.options[1]?.metrics).toEqual([
      { ...ofScore, label: 'Market quality score', unit: 'PIPS', better: 'NEITHER' },
    ])
  })

  it('of the first form stays readable, and its labels become notes with a refresh', async ({
    service,
  }) => {
    const { payload } = await written(service)
    const author = { label: 'Quote that it takes' }
    const options = payload.options.map(({ metrics, ...option }) => ({
      ...option,
      metrics: metrics.map(({ note: _, ...metric }) => ({ ...metric, ...author })),
    }))
    const first = sealedPack({ ...payload, packVersion: 'decision-pack-v1', options })
    const records = recordsOf(service, owner)
    const { sealed, change } = records.create('DecisionPack', {
      status: 'DRAFT',
      payload: first,
      reason,
      event: 'decision_pack.created',
    })
    await service.services.committer.commit(change)
    const read = await callOperation<Pack>(owner, 'getDecisionPack', {
      params: { packId: sealed.record.id },
    })
    expect([read.status, read.data.payload]).toEqual([200, first])
    const refreshed = await sent(read.data, { command: 'REFRESH_EVIDENCE' })
    expect(refreshed.payload.packVersion).toBe('decision-pack-v2')
    expect(refreshed.payload.options[1]?.metrics).toMatchObject([
      { label: 'Capital without buffer · Quote', note: author.label, unit: 'ATOMS' },
    ])
    const again = await sent(refreshed, { command: 'REFRESH_EVIDENCE' })
    expect(again.payload.options).toEqual(refreshed.payload.options)
  })

  it('goes from draft to decision by two pairs of eyes, and back to draft with every change', async ({
    service,
  }) => {
    const draft = await written(service)
    expect((await send(draft, approve, reviewer)).code).toBe('LIQUIDITY_DECISION_PACK_TRANSITION')
    const open = await sent(draft, { command: 'SUBMIT' })
    const first = await send(open, approve)
    expect(first.data.pack).toMatchObject({
      status: 'VALIDATED',
      payload: { approvals: [{ isAuthor: true, isLate: false }] },
    })
    expect(first.data.event).toMatchObject({
      kind: 'decision_pack.command',
      payload: { command: 'APPROVE', optionId: 'provide', isDecided: false },
    })
    const again = await send(first.data.pack, approve)
    expect(again.code).toBe('LIQUIDITY_DECISION_PACK_ALREADY_APPROVED')
    const other = await send(first.data.pack, { ...approve, optionId: 'nothing' }, reviewer)
    expect(other.code).toBe('LIQUIDITY_DECISION_PACK_OPTION_CONFLICT')
    const none = await send(first.data.pack, { ...approve, optionId: 'none' }, reviewer)
    expect(none.fieldErrors).toHaveProperty('optionId')
    const objected = await sent(
      first.data.pack,
      { command: 'DISSENT', note: 'Too dear', optionId: 'provide' },
      reviewer,
    )
    expect(objected.payload.sealHash).not.toBe(open.payload.sealHash)
    const decided = await sent(objected, { ...approve, note: 'All the same' }, reviewer)
    expect(decided).toMatchObject({
      status: 'COMPLETED',
      payload: {
        outcome: { decision: 'APPROVED', optionId: 'provide' },
        dissent: [{ note: 'Too dear' }],
      },
    })
    const revised = await send(decided, { command: 'REVISE', payload: content(service) })
    expect([revised.status, revised.code]).toEqual([409, 'LIQUIDITY_DECISION_PACK_TRANSITION'])
    const versions = await callOperation<Pack[]>(owner, 'listDecisionPackVersions', {
      params: { packId: decided.id },
    })
    expect(versions.data.map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2, 1])
    const one = await callOperation<Pack>(owner, 'getDecisionPackVersion', {
      params: { packId: decided.id, sequence: 1 },
    })
    expect(one.data).toEqual(draft)
  })

  it('does not let its authors make a quorum among themselves', async ({ service }) => {
    const second = await newMember(service, owner.organizationId, 'OPERATOR')
    const draft = await written(service)
    const revised = await sent(draft, { command: 'REVISE', payload: content(service) }, second)
    expect(revised.payload.authors).toEqual([owner.userId, second.userId])
    const open = await sent(revised, { command: 'SUBMIT' })
    const one = await sent(open, approve)
    const two = await sent(one, approve, second)
    expect([two.status, two.payload.approvals.length]).toEqual(['VALIDATED', 2])
    expect((await sent(two, approve, reviewer)).status).toBe('COMPLETED')
  })

  it('keeps its quorum after submission, or raises it', async ({ service }) => {
    const first = await written(service, { quorum: { approvals: 3, roles: ['OWNER', 'REVIEWER'] } })
    const revise = (from: Pack, change: object) =>
      send(from, { command: 'REVISE', payload: content(service, change) })
    // Nobody has been asked to decide a draft.
    const { data } = await revise(first, { quorum: { approvals: 2, roles: ['OWNER', 'REVIEWER'] } })
    const draft = await sent(data.pack, { command: 'SUBMIT' })
    for (const [quorum, field] of [
      [{ approvals: 1, roles: ['OWNER', 'REVIEWER'] }, 'payload.quorum.approvals'],
      [{ approvals: 2, roles: ['OWNER', 'OPERATOR'] }, 'payload.quorum.roles'],
    ] as const) {
      const { status, code, fieldErrors } = await revise(draft, { quorum })
      expect([status, code, Object.keys(fieldErrors)]).toEqual([
        ...[422, 'LIQUIDITY_DECISION_PACK_QUORUM_WEAKENED', [field]],
      ])
    }
    const stricter = await revise(draft, { quorum: { approvals: 3, roles: ['OWNER'] } })
    expect(stricter.data.pack.payload.quorum).toEqual({ approvals: 3, roles: ['OWNER'] })
    const kept = await revise(stricter.data.pack, { quorum: undefined })
    expect(kept.data.pack.payload.quorum).toEqual({ approvals: 3, roles: ['OWNER'] })
  })

  it('accepts only reviewers of its quorum, recently signed in, on their reviewed version', async ({
    service,
  }) => {
    const open = await submitted(service, { quorum: { approvals: 1, roles: ['OWNER'] } })
    const response = await send(open, approve, reviewer)
    expect([response.status, response.code]).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    expect((await send(open, approve, analyst)).code).toBe('LIQUIDITY_ROLE_REQUIRED')
    expect((await send(open, approve, owner, { ifMatch: undefined })).status).toBe(428)
    expect((await send(open, approve, owner, { ifMatch: `0x${'9'.repeat(64)}` })).status).toBe(412)
    service.clock.advance(11 * minuteMilliseconds)
    for (const body of [approve, { command: 'REJECT', note: 'Not now' }, { command: 'WITHDRAW' }]) {
      const late = await send(open, body)
      expect(late.code).toBe('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
    }
  })
})

describe('evidence that moves', () => {
  it('is refused when it is submitted or approved, and bound again with what moved', async ({
    service,
  }) => {
    await renewed(service)
    const draft = await written(service)
    const open = await sent(draft, { command: 'SUBMIT' })
    // The service itself never revises a study; a family whose records are revised is staged on one.
    const records = recordsOf(service, owner)
    const current = await records.current<Study['payload']>('CapitalRequirementStudy', study.id)
    const base = { ...current!.record.payload.base!, quote: '12345' }
    const { change } = records.supersede(current!, {
      status: 'COMPLETED',
      payload: { ...current!.record.payload, base },
      reason,
      event: 'capital_requirement.computed',
    })
    await service.services.committer.commit(change)
    const response = await send(open, approve)
    expect([response.status, response.code]).toEqual([
      409,
      'LIQUIDITY_DECISION_PACK_EVIDENCE_SUPERSEDED',
    ])
    const refreshed = await sent(open, { command: 'REFRESH_EVIDENCE' })
    expect(refreshed).toMatchObject({
      status: 'DRAFT',
      payload: {
        approvals: [],
        moved: [
          {
            source: refOf(study),
            metrics: [{ metricId: 'quote-needed', from: study.payload.base!.quote, to: '12345' }],
          },
        ],
      },
    })
    await expect(sent(refreshed, { command: 'SUBMIT' })).resolves.toMatchObject({
      status: 'VALIDATED',
    })
    const stale = await send(draft, { command: 'SUBMIT' }, owner, {
      ifMatch: refreshed.resourceVersion,
    })
    expect(stale.status).toBe(412)
  })

  it('is too old at some time, and a pack is over at another, written down or not', async ({
    service,
  }) => {
    await renewed(service)
    const evidence = [{ source: refOf(study), maximumAgeSeconds: 3600 }]
    const aged = await written(service, { evidence })
    const ends = await submitted(service, {
      decisionBy: inDays(service, 1),
      expiresAt: inDays(service, 2),
    })
    service.clock.advance(61 * minuteMilliseconds)
    const response = await send(aged, { command: 'SUBMIT' })
    expect([response.status, response.code]).toEqual([
      422,
      'LIQUIDITY_DECISION_PACK_EVIDENCE_STALE',
    ])
    service.clock.advance(2 * dayMilliseconds)
    await fresh(service, owner)
    const over = await send(ends, approve)
    expect([over.code, over.fieldErrors.packId?.[0]]).toEqual([
      'LIQUIDITY_DECISION_PACK_TRANSITION',
      expect.stringContaining('expired at'),
    ])
    await expireDecisionPacks(service.services)
    const now = await callOperation<Pack>(owner, 'getDecisionPack', { params: { packId: ends.id } })
    expect(now.data.status).toBe('EXPIRED')
  })
})

describe('what became of a decision', () => {
  it('is compared with the prediction, from a later record', async ({ service }) => {
    await renewed(service)
    const open = await submitted(service, { quorum: { approvals: 1, roles: ['OWNER'] } })
    const decided = await sent(open, approve)
    const realised = (of: Study) => ({
      command: 'RECORD_OUTCOME',
      evidence: [{ metricId: 'quote-needed', source: refOf(of), pointer: '/payload/base/quote' }],
    })
    const early = await send(decided, realised(study))
    expect(early.fieldErrors).toHaveProperty(['evidence.0.source'])
    service.clock.advance(minuteMilliseconds)
    const later = await computed(3n * e18)
    const reviewed = await sent(decided, realised(later))
    const [predicted, found] = [study, later].map(({ payload }) => payload.base!.quote)
    expect(reviewed.payload.review).toMatchObject([
      { predicted, realised: found, difference: `${BigInt(found!) - BigInt(predicted!)}` },
    ])
    expect(reviewed.payload.sealHash).toBe(decided.payload.sealHash)
    for (const [pointer, code, found] of [
      ['/payload/base/token', 'UNIT_MISMATCH', `ATOMS of ${later.payload.request.token}`],
      ['/payload/annualVolatilityPips', 'UNIT_MISMATCH', 'PIPS'],
      ['/payload/request/targets/0/depthQuote', 'METRIC_UNITLESS', 'no unit'],
    ] as const) {
      const other = await send(reviewed, {
        command: 'RECORD_OUTCOME',
        evidence: [{ metricId: 'quote-needed', source: refOf(later), pointer }],
      })
      expect(other.code).toBe(`LIQUIDITY_DECISION_PACK_${code}`)
      expect(other.fieldErrors['evidence.0.pointer']?.[0]).toContain(found)
    }
    const elsewhere = await send(reviewed, {
      command: 'RECORD_OUTCOME',
      evidence: [
        { metricId: 'quote-needed', source: refOf(later), pointer: '/payload/buffer/quote' },
      ],
    })
    expect(elsewhere.code).toBe('LIQUIDITY_DECISION_PACK_INVALID')
    expect(elsewhere.fieldErrors['evidence.0.pointer']?.[0]).toContain('the predicted figure of')
    const unknown = await send(reviewed, {
      command: 'RECORD_OUTCOME',
      evidence: [{ metricId: 'none', source: refOf(later), pointer: '/payload/base/quote' }],
    })
    expect(unknown.fieldErrors).toHaveProperty(['evidence.0.metricId'])
  })

  it('is a rejection by one, or a withdrawal; no later command is accepted', async ({
    service,
  }) => {
    const rejected = await send(
      await submitted(service),
      { command: 'REJECT', note: 'Not this year' },
      reviewer,
    )
    expect(rejected.data).toMatchObject({
      pack: { status: 'COMPLETED', payload: { outcome: { decision: 'REJECTED', optionId: null } } },
      allowedCommands: ['RECORD_OUTCOME'],
    })
    const withdrawn = await send(await written(service), { command: 'WITHDRAW' })
    expect(withdrawn.data).toMatchObject({ pack: { status: 'REVOKED' }, allowedCommands: [] })
    expect((await send(withdrawn.data.pack, { command: 'SUBMIT' })).status).toBe(409)
  })
})

describe('a pack from the treasury', () => {
  it('is assembled from the records, or requires alternatives if they give only one', async ({
    service,
  }) => {
    const month = new Date(service.clock.read()).toISOString().slice(0, 7)
    const set = input({
      startMonth: month,
      lines: [line({ lineId: 'payroll' })],
      scenarios: [scenario()],
    } as never)
    const made = await callOperation<VersionedRecord>(owner, 'createTreasuryAssumptions', {
      body: { ...set, reason },
    })
    expect([made.status, made.fieldErrors]).toEqual([201, {}])
    const projected = await callOperation<{ projection: VersionedRecord }>(
      owner,
      'createTreasuryProjection',
      {
        body: { assumptions: refOf(made.data), reason },
      },
    )
    expect([projected.status, projected.fieldErrors]).toEqual([201, {}])
    const projection = refOf(projected.data.projection)
    const body = {
      projection,
      question: 'Do we go on like this?',
      decisionBy: inDays(service, 3),
      reason,
    }
    const alone = await callOperation<Pack>(owner, 'createDecisionPackFromTreasury', { body })
    expect([alone.status, Object.keys(alone.fieldErrors)]).toEqual([422, ['options']])
    const both = await callOperation<Pack>(owner, 'createDecisionPackFromTreasury', {
      body: { ...body, capitalRequirement: refOf(study), limits: [] },
    })
    expect([both.status, both.fieldErrors]).toEqual([201, {}])
    expect(both.data.payload).toMatchObject({
      origin: 'TREASURY',
      quorum: { approvals: 2 },
      options: [{ optionId: 'status-quo' }, { optionId: 'provide-depth' }],
      evidence: expect.arrayContaining([expect.objectContaining({ source: projection })]),
    })
    const actions = [{ label: 'Buy back', spendQuote: '100000', summary: 'At the market' }]
    const spent = await callOperation<Pack>(owner, 'createDecisionPackFromTreasury', {
      body: { ...body, actions, limits: [] },
    })
    // Nothing is held, so the projection has no runway to spend from.
    expect([spent.status, Object.keys(spent.fieldErrors)]).toEqual([422, ['actions']])
    const twice = await callOperation<Pack>(owner, 'createDecisionPackFromTreasury', {
      body: { ...body, actions, options: content(service).options },
    })
    expect([twice.status, Object.keys(twice.fieldErrors)]).toEqual([422, ['actions']])
    const own = await callOperation<Pack>(owner, 'createDecisionPackFromTreasury', {
      body: { ...body, options: content(service).options },
    })
    expect(own.data.payload.options.map(({ optionId }) => optionId)).toEqual(['nothing', 'provide'])
  })
})

describe('a document', () => {
  const fetched = async (service: TestService, pack: Pack, format: string, by = owner) => {
    const path = `/api/liquidity-studio/v2/decision-packs/${pack.id}/versions/${pack.sequence}/document/${format}`
    const answer = await fetch(`${service.baseUrl}${path}`, {
      headers: {
        cookie: `${service.config.sessionCookie}=${by.cookie}`,
        'x-service-organization-id': by.organizationId,
      },
    })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }

  it('is the same page and PDF at every download, for its organization only', async ({
    service,
  }) => {
    const pack = await submitted(service)
    const [page, again, paper] = [
      await fetched(service, pack, 'html'),
      await fetched(service, pack, 'html'),
      await fetched(service, pack, 'pdf'),
    ]
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.bytes.equals(again.bytes)).toBe(true)
    const text = page.bytes.toString()
    for (const expectedText of [
      'Do we provide the depth?',
      study.resourceVersion,
      '/payload/base/quote',
      pack.payload.sealHash,
    ]) {
      expect(text).toContain(expectedText)
    }
    expect(text).toContain('SIMULATED · Local test chain: simulated market')
    expect(text).not.toMatch(/<script|undefined|NaN/)
    expect([paper.status, paper.type]).toEqual([200, 'application/pdf'])
    expect(paper.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const foreignOwner = await newOrganization(service)
    expect((await fetched(service, pack, 'html', foreignOwner)).status).toBe(404)
  })
  it('leaves a history that verifies', async ({ service }) => {
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
