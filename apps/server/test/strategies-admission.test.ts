import type { LooseRequest } from '@liquidity-os/client'
import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyHistory } from '../src/records/verify-history.ts'
import {
  admissionStudies,
  type Ref,
  recordsOf,
  refOf,
  type Study,
  type StudyResult,
  storedStudy,
} from './support/admissible.ts'
import { hostOf, startTestChain, type TestChain } from './support/chain.ts'
import { definitionFor, type ObservedVenue, observedVenue } from './support/observed-venue.ts'
import { type Told, tell } from './support/requests.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Strategy = VersionedRecord<Static<typeof contract.StrategyDefinitionV2>>
type Admitted = { admission: OperatingSystemEvent; gates: Static<typeof contract.AdmissionGate>[] }
type Evidence = Static<typeof contract.getStrategyEvidence.response.schema>
type ReplayArm = Static<typeof contract.ArmResult>
type SimulatedArm = Static<typeof contract.SimulatedArmResult>

let test: TestChain
let service: TestService
let owner: TestMember
let stranger: TestMember
let observed: ObservedVenue
/** What the strategy of every test is: its studies hold for each of them. */
let definition: Record<string, unknown>
/** Both ran for the strategy, one on what happened and one on paths. */
let replay: Study
let paths: Study
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  stranger = await newOrganization(service)
  observed = await observedVenue(service, owner, test)
  definition = definitionFor(observed)
  ;({ replay, paths } = await admissionStudies(owner, await validated()))
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

const one = 10n ** 18n
const unknown = `0x${'9'.repeat(64)}`

/** A strategy that an operator has validated. */
async function validated(change: object = {}, by = owner): Promise<Strategy> {
  const body = {
    payload: { ...definition, ...change },
    status: 'VALIDATED',
    reason: 'For the test',
  }
  const { data } = await tell<{ strategy: Strategy }>(by, 'createStrategies', { body })
  return data.strategy
}

const stored = (study: Study, change: Parameters<typeof storedStudy>[3] = {}) =>
  storedStudy(service, owner, study, change)

const limits = { maxEs95LossPips: 900_000, minDepthTimeSharePips: 0, maxFailurePips: 100_000 }

const admit = (
  { id }: { id: string },
  payload: { studies: readonly Ref[] } & Record<string, unknown>,
  { by = owner, ...more }: { by?: TestMember } & LooseRequest = {},
): Promise<Told<Admitted>> =>
  tell(by, 'admitStrategyProposal', {
    params: { id },
    body: { payload: { limits, validForSeconds: 3600, ...payload }, reason: 'For the test' },
    ...more,
  })

const bothStudies = async () => [await stored(replay), await stored(paths)]

const evidenceOf = async ({ id }: { id: string }) =>
  (await tell<Evidence>(owner, 'getStrategyEvidence', { params: { id } })).data

const supersede = (strategy: Strategy, body: object) =>
  tell<{ strategy: Strategy; compilationEvidence: OperatingSystemEvent }>(
    owner,
    'supersedeStrategies',
    {
      params: { id: strategy.id },
      ifMatch: strategy.resourceVersion,
      body: { reason: 'For the test', ...body },
    },
  )

describe('an admission', () => {
  it('is an event of the strategy with every gate that was passed', async () => {
    const strategy = await validated()
    const studies = await bothStudies()
    const { status, code, fieldErrors, data } = await admit(strategy, { studies })
    expect([status, code, fieldErrors]).toEqual([201, '', {}])
    expect(data.gates.map(({ gate }) => gate)).toEqual(contract.admissionGates)
    expect(data.gates.every(({ ok }) => ok)).toBe(true)
    expect(data.admission).toMatchObject({
      kind: 'strategy.admitted',
      subject: { id: strategy.id, resourceVersion: strategy.resourceVersion },
      payload: {
        irHash: strategy.payload.compilation.irHash,
        gates: data.gates,
        studies,
        limits,
        expiresAt: new Date(service.clock.read() + 3_600_000).toISOString(),
      },
    })
    const { admissions, events } = await evidenceOf(strategy)
    expect(events.at(-1)).toEqual(data.admission)
    expect(admissions).toMatchObject([
      { eventId: data.admission.id, state: 'ADMITTED', lapsedBy: null, packageRevoked: false },
    ])
  })

  it('needs no failure limit: five per cent are meant', async () => {
    const { maxFailurePips: _, ...others } = limits
    const answer = await admit(await validated(), { studies: await bothStudies(), limits: others })
    const gate = answer.data.gates.find((one) => one.gate === 'FAILURE_PROBABILITY')!
    expect(gate.limit).toBe('50000')
    // No path of 200 fails: Wilson's upper end of nought in a hundred pairs.
    const arm = paths.payload.result!.arms.find(({ armId }) => armId === 'own') as SimulatedArm
    expect(gate.observed).toBe(`${arm.failure.any!.ci95Pips[1]}`)
    expect(Number(gate.observed)).toBeGreaterThan(0)
  })

  it('lapses when its strategy is superseded, and the event says so', async () => {
    const strategy = await validated()
    const { data } = await admit(strategy, { studies: await bothStudies() })
    const paused = await supersede(strategy, { status: 'PAUSED' })
    expect(paused.data.compilationEvidence.kind).toBe('strategy.paused')
    const { admissions, events } = await evidenceOf(strategy)
    expect(admissions).toMatchObject([{ state: 'LAPSED', lapsedBy: 'SUPERSEDED' }])
    expect(events.slice(-2)).toMatchObject([
      { kind: 'strategy.paused' },
      {
        kind: 'strategy.admission_lapsed',
        subject: { resourceVersion: paused.data.strategy.resourceVersion },
        payload: { admissionId: data.admission.id, cause: 'SUPERSEDED' },
      },
    ])
    const again = await supersede(paused.data.strategy, { status: 'VALIDATED' })
    expect((await evidenceOf(strategy)).events.map(({ kind }) => kind)).toEqual([
      'strategy.compiled',
      'strategy.admitted',
      'strategy.paused',
      'strategy.admission_lapsed',
      'strategy.compiled',
    ])
    // The same behaviour, so its studies still hold; the admission has to be given anew.
    const anew = await admit(again.data.strategy, { studies: await bothStudies() })
    expect(anew.status).toBe(201)
  })

  it('lapses when its time is over, and the next change of its strategy writes it down', async () => {
    const strategy = await validated()
    const studies = await bothStudies()
    const { data } = await admit(strategy, { studies, validForSeconds: 60 })
    service.clock.advance(59_999)
    expect((await evidenceOf(strategy)).admissions).toMatchObject([{ state: 'ADMITTED' }])
    service.clock.advance(1)
    expect((await evidenceOf(strategy)).admissions).toMatchObject([
      { state: 'LAPSED', lapsedBy: 'EXPIRED' },
    ])
    await admit(strategy, { studies })
    const { events, admissions } = await evidenceOf(strategy)
    expect(events.slice(-2)).toMatchObject([
      { kind: 'strategy.admitted' },
      {
        kind: 'strategy.admission_lapsed',
        payload: { admissionId: data.admission.id, cause: 'EXPIRED' },
      },
    ])
    expect(admissions.map(({ state }) => state)).toEqual(['LAPSED', 'ADMITTED'])
  })

  it('is given once under one key, and each of several at once is told', async () => {
    const strategy = await validated()
    const studies = await bothStudies()
    const request = { idempotencyKey: 'key-of-an-admission' }
    const [first, again] = [
      await admit(strategy, { studies }, request),
      await admit(strategy, { studies }, request),
    ]
    expect([first.isReplayed, again.isReplayed]).toEqual([false, true])
    expect(again.data).toEqual(first.data)
    const many = await Promise.all(Array.from({ length: 4 }, () => admit(strategy, { studies })))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await evidenceOf(strategy)).admissions).toHaveLength(5)
  })
})

/** A change of an arm of the strategy in a result. */
const withArm = <Arm extends object>({ payload }: Study, change: (arm: Arm) => Partial<Arm>) => ({
  result: {
    arms: payload.result!.arms.map((arm) =>
      arm.armId === 'own' ? { ...arm, ...change(arm as unknown as Arm) } : arm,
    ),
  } as Partial<StudyResult>,
})

describe('a gate', () => {
  /** Each refusal by the change that provokes it: what is named, and which gates fail. */
  const cases: [string, () => Promise<Record<string, unknown>>, string[]][] = [
    [
      'of a replay',
      async () => ({ studies: [await stored(paths)] }),
      ['REPLAY_STUDIES', 'DEPTH_TIME_SHARE'],
    ],
    [
      'of paths',
      async () => ({ studies: [await stored(replay)] }),
      [
        'MONTE_CARLO_STUDIES',
        'FAILURE_PROBABILITY',
        'EXPECTED_SHORTFALL',
        'DOMINATED_BY_FULL_RANGE',
      ],
    ],
    [
      'of completion',
      async () => ({
        studies: [...(await bothStudies()), await stored(replay, { status: 'PARTIAL' })],
      }),
      ['UNUSABLE_STUDIES'],
    ],
    [
      'of parity',
      async () => {
        const parity = { verdict: 'UNVERIFIED', basis: 'Nothing was compared.' } as const
        return { studies: [await stored(replay), await stored(paths, { result: { parity } })] }
      },
      ['MARKET_PARITY'],
    ],
    [
      'of failure',
      async () => ({ studies: await bothStudies(), limits: { ...limits, maxFailurePips: 1 } }),
      ['FAILURE_PROBABILITY'],
    ],
    [
      'of failure, where no rule says what failing is',
      async () => {
        const change = withArm<SimulatedArm>(paths, () => ({ failure: { rules: [], any: null } }))
        return { studies: [await stored(replay), await stored(paths, change)] }
      },
      ['FAILURE_PROBABILITY'],
    ],
    [
      'of the shortfall',
      async () => {
        // A tenth of what the capital is worth at the start, and more.
        const change = withArm<SimulatedArm>(paths, ({ risk }) => ({
          risk: { ...risk, netVsHold: { ...risk.netVsHold, es95: `-${one}` } },
        }))
        return {
          studies: [await stored(replay), await stored(paths, change)],
          limits: { ...limits, maxEs95LossPips: 100_000 },
        }
      },
      ['EXPECTED_SHORTFALL'],
    ],
    [
      'of depth',
      async () => {
        const change = withArm<ReplayArm>(replay, ({ failure }) => ({
          failure: failure.map((outcome) => ({ ...outcome, timeSharePips: 100_001 })),
        }))
        return {
          studies: [await stored(replay, change), await stored(paths)],
          limits: { ...limits, minDepthTimeSharePips: 900_000 },
        }
      },
      ['DEPTH_TIME_SHARE'],
    ],
    [
      'of domination',
      async () => {
        const { comparisons } = paths.payload.result!
        const isOurs = ({ a, b }: { a: string; b: string }) =>
          [a, b].includes('own') && [a, b].includes('benchmark-full-range')
        const lost = comparisons.map((pair) =>
          isOurs(pair)
            ? { ...pair, verdict: pair.a === 'own' ? ('B' as const) : ('A' as const) }
            : pair,
        )
        const { result } = withArm<SimulatedArm>(paths, ({ depth }) => ({
          depth: depth.map((band) => ({ ...band, medianQuote: '0' })),
        }))
        const dominated = { result: { ...result, comparisons: lost } }
        return { studies: [await stored(replay), await stored(paths, dominated)] }
      },
      ['DOMINATED_BY_FULL_RANGE'],
    ],
    [
      'of capital',
      async () => {
        const { capital } = paths.payload.spec
        const spec = { capital: { ...capital, quote: `${one - 1n}` } }
        return { studies: [await stored(replay), await stored(paths, { spec })] }
      },
      ['CAPITAL_STUDIED'],
    ],
    [
      'of overfitting',
      async () => {
        const search = { armId: 'own', grid: [{ path: 'idlePips', values: ['0', '1'] }] }
        const overfitting = { trials: 2, splits: 8, pboPips: 500_001 }
        const searched = { spec: { search }, result: { overfitting } }
        return { studies: [await stored(replay, searched), await stored(paths)] }
      },
      ['OVERFITTING'],
    ],
    [
      'of overfitting, where nobody knows how much',
      async () => {
        const search = { armId: 'own', grid: [{ path: 'idlePips', values: ['0', '1'] }] }
        return { studies: [await stored(replay, { spec: { search } }), await stored(paths)] }
      },
      ['OVERFITTING'],
    ],
  ]
  it.each(cases)('%s refuses by its own name', async (_what, payload, gates) => {
    const strategy = await validated()
    const { status, code, fieldErrors } = await admit(strategy, (await payload()) as never)
    expect([status, code]).toEqual([422, 'LIQUIDITY_STRATEGY_ADMISSION_REFUSED'])
    expect(Object.keys(fieldErrors)).toEqual(gates.map((gate) => `gates.${gate}`))
    for (const [message] of Object.values(fieldErrors)) expect(message).toMatch(/at (most|least)/)
    expect((await evidenceOf(strategy)).admissions).toEqual([])
  })

  it('of age refuses a study of more than a week', async () => {
    const strategy = await validated()
    const week = 7 * 24 * 3_600_000
    const agedBy = async (milliseconds: number) => {
      const at = service.clock.read() - milliseconds
      return admit(strategy, { studies: [await stored(replay, { at }), await stored(paths)] })
    }
    expect((await agedBy(week)).status).toBe(201)
    const old = await agedBy(week + 1)
    expect(Object.entries(old.fieldErrors)).toEqual([
      ['gates.STUDY_AGE', ['must be at most 604800 s, got 604801: age of the oldest named study']],
    ])
  })

  it('of behaviour refuses studies of another strategy, and takes those of an equal one', async () => {
    const studies = await bothStudies()
    const renamed = await validated({ name: 'The same under another name' })
    expect((await admit(renamed, { studies })).status).toBe(201)
    const { status, fieldErrors } = await admit(await validated({ objective: 'CUSTOM' }), {
      studies,
    })
    expect(status).toBe(422)
    expect(Object.keys(fieldErrors)).toEqual(
      expect.arrayContaining(['gates.REPLAY_STUDIES', 'gates.UNUSABLE_STUDIES']),
    )
  })

  it('of behaviour takes an arm whose definition is written out', async () => {
    const { pair: _, venue: __, name: ___, ...behaviour } = definition
    const written = (change: object) => ({
      spec: {
        arms: [
          {
            armId: 'own',
            label: 'Written out',
            definition: { ...behaviour, name: 'Of the study', ...change },
          },
        ],
      },
    })
    const strategy = await validated()
    const same = [await stored(replay, written({})), await stored(paths, written({}))]
    expect((await admit(strategy, { studies: same })).status).toBe(201)
    const other = [await stored(replay), await stored(paths, written({ objective: 'CUSTOM' }))]
    const { fieldErrors } = await admit(strategy, { studies: other })
    expect(fieldErrors['gates.UNUSABLE_STUDIES']?.[0]).toContain('no arm of this irHash')
  })

  it('of validation refuses a draft', async () => {
    const strategy = await validated()
    const draft = await supersede(strategy, { status: 'DRAFT' })
    const refused = await admit(draft.data.strategy, { studies: await bothStudies() })
    expect(Object.keys(refused.fieldErrors)).toEqual(['gates.STRATEGY_VALIDATED'])
  })

  it('of anomalies counts what is recorded as open and critical on the venue', async () => {
    const { sealed, change } = recordsOf(service, owner).create(
      'VenueObservation',
      {
        status: 'ACTIVE',
        payload: { severity: 'CRITICAL', subject: { venueId: observed.venue.id } },
        reason: 'For the test',
        event: 'anomaly.detected',
      },
      `anomaly_${'0'.repeat(31)}1`,
    )
    await service.services.committer.commit(change)
    const strategy = await validated()
    const studies = await bothStudies()
    const refused = await admit(strategy, { studies })
    expect(Object.keys(refused.fieldErrors)).toEqual(['gates.CRITICAL_ANOMALIES'])
    const current = { record: sealed.record, text: sealed.text, lastEvent: change.events[0]!.event }
    const cleared = recordsOf(service, owner).supersede(current, {
      status: 'COMPLETED',
      payload: sealed.record.payload,
      reason: 'For the test',
      event: 'anomaly.cleared',
    })
    await service.services.committer.commit(cleared.change)
    expect((await admit(strategy, { studies })).status).toBe(201)
  })
})

describe('an admission is refused', () => {
  it('for what is not there, not current, not one’s own or over', async () => {
    const strategy = await validated()
    const studies = await bothStudies()
    const [own] = studies as [Ref, Ref]
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const answers = await Promise.all([
      admit(strategy, { studies: [{ ...own, resourceVersion: unknown }] }),
      admit(strategy, { studies, score: { id: 'score_unknown', resourceVersion: unknown } }),
      admit(strategy, { studies }, { by: stranger }),
      admit(strategy, { studies }, { by: viewer }),
      admit(strategy, { studies }, { ifMatch: unknown }),
      admit(strategy, { studies, resourceVersion: unknown }),
      admit(strategy, { studies, resourceVersion: unknown }, { ifMatch: strategy.resourceVersion }),
      admit(strategy, { studies, validForSeconds: 604_801 }),
      admit(strategy, { studies: [] }),
    ])
    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '404 LIQUIDITY_SOURCE_UNAVAILABLE',
      '404 LIQUIDITY_SOURCE_UNAVAILABLE',
      '404 LIQUIDITY_RESOURCE_NOT_FOUND',
      '403 LIQUIDITY_ROLE_REQUIRED',
      '412 LIQUIDITY_PRECONDITION_FAILED',
      '412 LIQUIDITY_PRECONDITION_FAILED',
      '400 LIQUIDITY_PRECONDITION_AMBIGUOUS',
      '400 LIQUIDITY_INVALID_REQUEST',
      '400 LIQUIDITY_INVALID_REQUEST',
    ])
    const foreign = await tell<{ strategy: Strategy }>(stranger, 'createStrategies', {
      body: { payload: definition, reason: 'For the test' },
    })
    expect(foreign.code).toBe('LIQUIDITY_SOURCE_UNAVAILABLE')
    const revoked = await supersede(strategy, { status: 'REVOKED' })
    const late = await admit(revoked.data.strategy, { studies })
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_STRATEGY_TERMINAL'])
  })
})

describe('the evidence', () => {
  it('tells what every version compiled to, and where each hash is to be found', async () => {
    const declared = `0x${'d'.repeat(64)}`
    const strategy = await validated()
    await admit(strategy, { studies: await bothStudies() })
    const changed = await supersede(strategy, {
      payload: { ...definition, objective: 'CUSTOM' },
      evidenceHashes: [declared],
    })
    const evidence = await evidenceOf(strategy)
    expect(evidence.compilations.map(({ irHash }) => irHash)).toEqual([
      strategy.payload.compilation.irHash,
      changed.data.strategy.payload.compilation.irHash,
    ])
    expect(evidence.packageLineage).toBeNull()
    const found = new Map(evidence.hashes.map(({ hash, kind, id }) => [hash, { kind, id }]))
    expect(found.size).toBe(evidence.hashes.length)
    expect(found.get(declared)).toEqual({ kind: 'DECLARED', id: null })
    for (const { resourceVersion, payload } of evidence.versions) {
      expect(found.get(resourceVersion)).toEqual({ kind: 'STRATEGY_VERSION', id: strategy.id })
      const { observation, irHash } = payload.compilation
      expect(found.get(irHash!)).toEqual({ kind: 'STRATEGY_IR', id: strategy.id })
      expect(found.get(observation!.resourceVersion)?.id).toBe(observation!.id)
    }
    for (const { evidenceHash, id } of evidence.events) {
      expect(found.get(evidenceHash)).toEqual({ kind: 'EVENT', id })
    }
  })

  it('counts the studies that it leaves out', async () => {
    const strategy = await validated({ name: 'Much studied' })
    const arms = [{ armId: 'own', label: 'The strategy', strategy: refOf(strategy) }]
    const few = { payload: { ...replay.payload, result: { ...replay.payload.result!, arms: [] } } }
    for (let count = 0; count < 53; count += 1) {
      await storedStudy(service, owner, { ...few, status: 'PARTIAL' }, { spec: { arms } })
    }
    const { studies, omitted } = await evidenceOf(strategy)
    expect([studies.length, omitted]).toEqual([50, { versions: 0, studies: 3, events: 0 }])
  })

  it('shows the whole studies of a strategy, with their results and artifacts', async () => {
    const strategy = await validated({ name: 'Studied' })
    const arms = [{ armId: 'own', label: 'The strategy', strategy: refOf(strategy) }]
    const refs = [
      await storedStudy(service, owner, replay, { spec: { arms } }),
      await storedStudy(service, owner, paths, { spec: { arms } }),
    ]
    const evidence = await evidenceOf(strategy)
    expect(evidence.studies.map(refOf)).toEqual(refs.toReversed())
    const found = new Map(evidence.hashes.map(({ hash, kind, id }) => [hash, { kind, id }]))
    const shown = evidence.studies[1]!
    const read = await tell<Study>(owner, 'getStudies', { params: { id: shown.id } })
    expect(shown).toEqual(read.data)
    expect(found.get(shown.resourceVersion)).toEqual({ kind: 'STUDY_VERSION', id: shown.id })
    const { resultHash, seriesArtifacts } = shown.payload.result!
    expect(found.get(resultHash)).toEqual({ kind: 'STUDY_RESULT', id: shown.id })
    expect(seriesArtifacts.length).toBeGreaterThan(0)
    const { artifacts } = service.services
    for (const { hash } of seriesArtifacts) {
      expect(found.get(hash)).toEqual({ kind: 'ARTIFACT', id: hash })
      expect(await artifacts.find(owner.organizationId, hash)).not.toBeNull()
    }
  })
})

it('leaves chains of records and events that are intact', async () => {
  const { database, artifacts } = service.services
  const report = await verifyHistory(database, owner.organizationId, artifacts)
  expect(report.faults).toEqual([])
})
