// @module-tag long
// @covers apps/server/src/families/plan/strategies

import { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expireStrategyAdmissions } from '../src/families/plan/strategies/admission-expiry.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { type Ref, refOf, type Study, storedStudy } from './support/admissible.ts'
import {
  admit,
  bothStudies,
  definition,
  evidenceOf,
  foreignOwner,
  limits,
  owner,
  paths,
  replay,
  type Strategy,
  service,
  startAdmitting,
  stopAdmitting,
  supersede,
  unknown,
  validated,
} from './support/admitting.ts'
import { callOperation } from './support/requests.ts'
import { newMember } from './support/service.ts'

type SimulatedArm = Static<typeof contract.SimulatedArmResult>

beforeAll(startAdmitting)
afterAll(stopAdmitting)

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

  it('lapses when its time is over, and the sweep writes it down once', async () => {
    const strategy = await validated()
    const studies = await bothStudies()
    const { data } = await admit(strategy, { studies, validForSeconds: 60 })
    await admit(strategy, { studies })
    service.clock.advance(59_999)
    await expireStrategyAdmissions(service.services)
    expect((await evidenceOf(strategy)).admissions[0]).toMatchObject({ state: 'ADMITTED' })
    service.clock.advance(1)
    const over = await evidenceOf(strategy)
    expect(over.admissions.map(({ state, lapsedBy }) => [state, lapsedBy])).toEqual([
      ['LAPSED', 'EXPIRED'],
      ['ADMITTED', null],
    ])
    expect(over.events.at(-1)?.kind).toBe('strategy.admitted')
    await Promise.all([
      expireStrategyAdmissions(service.services),
      expireStrategyAdmissions(service.services),
    ])
    await expireStrategyAdmissions(service.services)
    const { events, strategy: swept } = await evidenceOf(strategy)
    expect(swept).toEqual(over.strategy)
    expect(events.slice(over.events.length)).toMatchObject([
      {
        kind: 'strategy.admission_lapsed',
        actor: { kind: 'SYSTEM', id: 'strategy-admission-expiry' },
        subject: { resourceVersion: strategy.resourceVersion },
        payload: { admissionId: data.admission.id, cause: 'EXPIRED' },
      },
    ])
  })

  it('of a strategy that cannot be read does not keep others from lapsing', async () => {
    const studies = await bothStudies()
    const [broken, sound] = [
      await validated({ name: 'Broken by the test' }),
      await validated({ name: 'Sound' }),
    ]
    for (const strategy of [broken, sound]) await admit(strategy, { studies, validForSeconds: 60 })
    const { pool } = service.database
    const alter = (from: string, to: string) =>
      pool.query('update records set body = replace(body, $2, $3) where id = $1', [
        broken.id,
        from,
        to,
      ])
    await alter('Broken by the test', 'Broken by another')
    service.clock.advance(60_000)
    await expireStrategyAdmissions(service.services)
    const lastOf = async ({ id }: Strategy) => (await evidenceOf({ id })).events.at(-1)?.kind
    expect(await lastOf(sound)).toBe('strategy.admission_lapsed')
    await alter('Broken by another', 'Broken by the test')
    expect(await lastOf(broken)).toBe('strategy.admitted')
    await expireStrategyAdmissions(service.services)
    expect(await lastOf(broken)).toBe('strategy.admission_lapsed')
  })

  it('that has run out is written down by the next one, before any sweep', async () => {
    const strategy = await validated()
    const studies = await bothStudies()
    const { data } = await admit(strategy, { studies, validForSeconds: 60 })
    service.clock.advance(60_000)
    await admit(strategy, { studies })
    const { events } = await evidenceOf(strategy)
    expect(events.slice(-2)).toMatchObject([
      { kind: 'strategy.admitted' },
      {
        kind: 'strategy.admission_lapsed',
        payload: { admissionId: data.admission.id, cause: 'EXPIRED' },
      },
    ])
    await expireStrategyAdmissions(service.services)
    expect((await evidenceOf(strategy)).events).toEqual(events)
  })

  it('is granted once under one key, and rejects concurrent requests', async () => {
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

describe('an admission is refused', () => {
  it('for a version that is missing, outdated, foreign or ended', async () => {
    const strategy = await validated()
    const studies = await bothStudies()
    const [own] = studies as [Ref, Ref]
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const answers = await Promise.all([
      admit(strategy, { studies: [{ ...own, resourceVersion: unknown }] }),
      admit(strategy, { studies, score: { id: 'score_unknown', resourceVersion: unknown } }),
      admit(strategy, { studies }, { by: foreignOwner }),
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
    const foreign = await callOperation<{ strategy: Strategy }>(foreignOwner, 'createStrategies', {
      body: { payload: definition, reason: 'For the test' },
    })
    expect(foreign.code).toBe('LIQUIDITY_SOURCE_UNAVAILABLE')
    const revoked = await supersede(strategy, { status: 'REVOKED' })
    const late = await admit(revoked.data.strategy, { studies })
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_STRATEGY_TERMINAL'])
  })
})

describe('the evidence', () => {
  it('reports the compilation of every version, and the source of each hash', async () => {
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
    expect([studies.length, omitted]).toEqual([
      50,
      { versions: 0, studies: 3, events: 0, divergences: 0 },
    ])
  })

  it('shows every study that an admission counts, for any later runs and any author of its arms', async () => {
    const strategy = await validated({ name: 'Admitted long ago' })
    const counted = await bothStudies()
    expect((await admit(strategy, { studies: counted })).fieldErrors).toEqual({})
    const arms = [{ armId: 'own', label: 'The strategy', strategy: refOf(strategy) }]
    const few = { payload: { ...replay.payload, result: { ...replay.payload.result!, arms: [] } } }
    for (let count = 0; count < 51; count += 1) {
      await storedStudy(service, owner, { ...few, status: 'PARTIAL' }, { spec: { arms } })
    }
    const { studies, omitted, hashes } = await evidenceOf(strategy)
    expect(studies.map(refOf)).toEqual(expect.arrayContaining(counted))
    expect([studies.length, omitted.studies]).toEqual([52, 1])
    const versions = hashes.filter(({ kind }) => kind === 'STUDY_VERSION').map(({ hash }) => hash)
    expect(versions).toEqual(
      expect.arrayContaining(counted.map(({ resourceVersion }) => resourceVersion)),
    )
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
    const read = await callOperation<Study>(owner, 'getStudies', { params: { id: shown.id } })
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
