// @module-tag long
// @covers apps/server/src/families/intelligence/anomalies

import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { queueSweeps } from '../src/families/intelligence/anomalies/anomaly-sweeps.ts'
import { withStrategies } from '../src/families/intelligence/anomalies/strategy-consequences.ts'
import { emptyChange } from '../src/store/records/change.ts'
import { type Ref, recordsOf, refOf, type StudyResult, storedStudy } from './support/admissible.ts'
import type { Strategy } from './support/admitting.ts'
import {
  type Anomaly,
  evaluate,
  type QuietMonth,
  startQuietMonth,
  type Watched,
  watchedMarkets,
} from './support/anomalous.ts'
import { hostOf } from './support/chain.ts'
import {
  divergenceFrom,
  type PoolStudies,
  run,
  strategyOn,
  studiesOf,
} from './support/diverging.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation, versionOf } from './support/requests.ts'
import { indexTo } from './support/scoring.ts'
import type { TestService } from './support/service.ts'
import { inlinePool } from './support/studying.ts'
import { until } from './support/until.ts'

const kind = 'SIMULATED_REALIZED_DIVERGENCE'
const it = test
  .extend('testChain', { scope: 'file' }, started(startQuietMonth))
  .extend('settings', { scope: 'file' }, ({ testChain }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
    ANOMALY_SWEEP_SECONDS: '300',
  }))
  .extend('runsJobs', { scope: 'file' }, true)

interface Expected extends PoolStudies {
  watched: Watched
  strategy: Strategy
  /** Of which admissions are made: parity is that of a build that was compared. */
  admissible: Ref[]
}

/** An organization that has studied its strategy on the pool as it was. */
async function expecting(service: TestService, testChain: QuietMonth): Promise<Expected> {
  await testChain.again()
  // What makes the past final takes no time that a study would wait for.
  await testChain.chain.testClient.setBlockTimestampInterval({ interval: 1 })
  const watched = await watchedMarkets(service, testChain)
  await watched.read()
  const strategy = await strategyOn(watched)
  const studies = await studiesOf(watched, strategy)
  const admissible = [
    await storedStudy(service, watched.owner, studies.replay),
    await storedStudy(service, watched.owner, studies.paths),
  ]
  return { ...studies, watched, strategy, admissible }
}

/** So many blocks of ten minutes with a swap each, and both venues read. */
async function trade(
  testChain: QuietMonth,
  { watched }: Expected,
  blocks: number,
  amount: bigint,
): Promise<void> {
  const { testClient } = testChain.chain
  await testClient.setBlockTimestampInterval({ interval: 600 })
  for (let swap = 0; swap < blocks; swap += 1) await testChain.markets.swap(swap % 2 === 0, amount)
  await testClient.setBlockTimestampInterval({ interval: 1 })
  await watched.read()
}

const usual = 10n ** 15n
const judge = ({ watched, paths }: Expected, change: object = {}, study: Ref = paths) =>
  evaluate(watched.owner, kind, divergenceFrom(watched, study, change))
const amountOf = ({ payload }: Anomaly, metric: string, ref: string) =>
  BigInt(payload.contributors.find((one) => one.kind === metric && one.ref === ref)?.amount ?? -1)

const tryToAdmit = async ({ watched, strategy, admissible }: Expected) => {
  const { data, fieldErrors } = await callOperation<{ admission: OperatingSystemEvent }>(
    watched.owner,
    'admitStrategyProposal',
    {
      params: { id: strategy.id },
      ifMatch: await versionOf(watched.owner, 'getStrategies', strategy.id),
      body: {
        payload: {
          studies: admissible,
          validForSeconds: 604_800,
          limits: { maxEs95LossPips: 900_000, minDepthTimeSharePips: 0, maxFailurePips: 100_000 },
        },
        reason: 'For the test',
      },
    },
  )
  return { admission: data?.admission, refused: Object.keys(fieldErrors) }
}
const admit = async (expected: Expected) => {
  const { admission, refused } = await tryToAdmit(expected)
  expect(refused).toEqual([])
  return admission
}
const evidenceOf = async ({ watched, strategy }: Expected) => {
  type Evidence = {
    admissions: { eventId: string; state: string; lapsedBy: string | null }[]
    events: OperatingSystemEvent[]
    divergences: Ref[]
    omitted: { divergences: number }
  }
  const { data } = await callOperation<Evidence>(watched.owner, 'getStrategyEvidence', {
    params: { id: strategy.id },
  })
  return data
}

/** Kinds of the events with which a divergence of that severity from the admitted study is kept. */
async function applyAnomaly(
  service: TestService,
  { watched, admissible }: Expected,
  severity: string,
) {
  const records = recordsOf(service, watched.owner)
  const payload = { kind, severity, outcome: 'DETECTED', subject: { study: admissible[1] } }
  const { sealed } = records.create('LiquidityAnomaly', {
    status: 'ACTIVE',
    payload,
    reason: 'For the test',
    event: 'anomaly.detected',
  })
  const change = emptyChange(watched.owner.organizationId, records.now)
  const { events } = await withStrategies(records, sealed, change)
  return events.map(({ event }) => event.kind)
}

describe('a market as expected', () => {
  it('is no anomaly: every figure lies on its paths, and the answer can be recomputed', async ({
    service,
    testChain,
  }) => {
    const expected = await expecting(service, testChain)
    await trade(testChain, expected, 12, usual)
    const { status, data } = await judge(expected)
    expect([status, data.status, data.payload.outcome, data.payload.reasons]).toEqual([
      ...[201, 'COMPLETED', 'NOT_DETECTED', []],
    ])
    const metrics = [...new Set(data.payload.contributors.map((one) => one.kind))]
    expect(metrics).toEqual([
      ...['NET_VS_HOLD', 'FEES', 'DEPTH_2_PERCENT', 'BASE_SHARE'],
      ...['VOLATILITY_PIPS_PER_YEAR', 'VOLUME_QUOTE_PER_DAY', 'OTHER_LIQUIDITY_DEPTH_CHANGE'],
    ])
    expect(data.payload.baseline).toMatchObject({ samples: 200 })
    expect(data.payload.explanation).toContain('the arm own')
    // Nobody else moved liquidity, and half of a swap and a step a block were expected.
    expect(amountOf(data, 'OTHER_LIQUIDITY_DEPTH_CHANGE', 'STATIC')).toBe(0n)
    const [simulated, realized] = ['SIMULATED p50', 'REALIZED'].map((ref) =>
      Number(amountOf(data, 'VOLUME_QUOTE_PER_DAY', ref)),
    ) as [number, number]
    expect(realized / simulated).toBeGreaterThan(0.3)
    expect(realized / simulated).toBeLessThan(3)
    const again = await judge(expected)
    expect(again.data.payload).toEqual(data.payload)
    const { hash } = data.payload.evidence.inputs.find((one) => one.name === 'simulatedFigures')!
    const bytes = await recordsOf(service, expected.watched.owner).artifact(hash)
    const figures = JSON.parse(`${bytes}`) as [string, string[]][]
    expect(figures.map(([metric, values]) => [metric, values.length])).toContainEqual(['FEES', 200])
  })
})

describe('reality that has left its study', () => {
  it('is found, with realized and expected results, and ends the admission at once', async ({
    service,
    testChain,
  }) => {
    const expected = await expecting(service, testChain)
    const admission = await admit(expected)
    expect((await evidenceOf(expected)).admissions).toMatchObject([{ state: 'ADMITTED' }])
    expect(await applyAnomaly(service, expected, 'INFO')).toEqual([])
    expect(await applyAnomaly(service, expected, 'WARNING')).toEqual(['strategy.admission_lapsed'])
    await trade(testChain, expected, 12, 400n * usual)
    const { data } = await judge(expected, {}, expected.admissible[1])
    expect([data.status, data.payload.severity]).toEqual(['ACTIVE', 'CRITICAL'])
    expect(data.payload.indicators).toContain('FEES_CRITICAL')
    const earned = amountOf(data, 'FEES', 'REALIZED INELASTIC_INPUT')
    expect(earned).toBeGreaterThan(20n * amountOf(data, 'FEES', 'SIMULATED p97.5'))
    expect(data.payload.feature!.zMilli).toBeGreaterThan(10_000)
    const { admissions, events } = await evidenceOf(expected)
    expect(admissions).toMatchObject([
      { eventId: admission.id, state: 'LAPSED', lapsedBy: 'DIVERGED' },
    ])
    const expiryEvent = events.at(-1)!
    expect(expiryEvent).toMatchObject({
      kind: 'strategy.admission_lapsed',
      payload: { admissionId: admission.id, cause: 'DIVERGED', anomaly: refOf(data) },
    })
    // One transaction: neither is ever seen without the other.
    const rows = await service.database.tenant(expected.watched.owner.organizationId, [
      {
        text: `select count(distinct xmin::text) as transactions from events
          where subject_id = '${data.id}' or
            (subject_id = '${expected.strategy.id}' and sequence = ${expiryEvent.sequence})`,
      },
    ])
    expect(rows[0]).toEqual([{ transactions: '1' }])
    const again = await judge(expected, {}, expected.admissible[1])
    expect(again.data).toMatchObject({ id: data.id, sequence: 2 })
    const { divergences, omitted } = await evidenceOf(expected)
    expect([divergences.map(refOf), omitted.divergences]).toEqual([[refOf(again.data)], 0])
    // Nor is it admitted anew while the study is left.
    const { refused } = await tryToAdmit(expected)
    expect(refused).toEqual(['gates.CRITICAL_ANOMALIES', 'gates.DIVERGED_STUDIES'])
    expect((await evidenceOf(expected)).events).toEqual(events)
  })

  it('is found by the sweep where an admission rests on the study', async ({
    service,
    testChain,
  }) => {
    const expected = await expecting(service, testChain)
    await admit(expected)
    await trade(testChain, expected, 12, 400n * usual)
    service.clock.advance(300_000)
    await queueSweeps(service.services)
    const { owner } = expected.watched
    await until('the sweep has ended', async () => {
      const jobs = (await owner.client.listOperatingSystemJobs()).body.data
      const sweeps = jobs.filter((job) => job.kind === 'ANOMALY_SWEEP')
      return sweeps.length > 0 && sweeps.every(({ finishedAt }) => finishedAt)
    })
    const { data } = await callOperation<Anomaly[]>(owner, 'listAnomalies')
    const found = data.filter(({ payload }) => payload.kind === kind)
    expect(found).toMatchObject([{ status: 'ACTIVE', createdBy: { kind: 'SYSTEM' } }])
    const inState = async (state: string) => {
      const listed = await callOperation<Anomaly[]>(owner, 'listAnomalies', { query: { state } })
      return listed.data.map(({ id }) => id)
    }
    expect(await inState('OPEN')).toContain(found[0]!.id)
    expect(await inState('RESOLVED')).not.toContain(found[0]!.id)
    expect(found[0]!.payload.subject.armId).toBe('own')
    expect((await evidenceOf(expected)).admissions).toMatchObject([{ lapsedBy: 'DIVERGED' }])
  })
})

describe('a study that says nothing yet', () => {
  it('is abstained from, with the reason', async ({ service, testChain }) => {
    const expected = await expecting(service, testChain)
    const { owner } = expected.watched
    const reasonsOf = async (study?: Ref) => {
      const { status, data } = await judge(expected, {}, study)
      expect([status, data.status, data.payload.contributors]).toEqual([201, 'ABSTAINED', []])
      return data.payload.reasons
    }
    expect(await reasonsOf()).toEqual(['NOT_OBSERVED_SINCE_STUDY'])
    await trade(testChain, expected, 3, usual)
    expect(await reasonsOf()).toEqual(['STUDY_TOO_YOUNG'])
    await trade(testChain, expected, 9, usual)
    const partial = await storedStudy(service, owner, expected.paths, { status: 'PARTIAL' })
    expect(await reasonsOf(partial)).toEqual(['STUDY_NOT_COMPLETED'])
    // Quantiles that its paths do not have: another engine made it, or somebody did.
    const wrong = (arm: StudyResult['arms'][number]): StudyResult['arms'][number] =>
      'fan' in arm
        ? {
            ...arm,
            fan: arm.fan.map((point) => ({
              ...point,
              netVsHold: { ...point.netVsHold, p95: '1' },
            })),
          }
        : arm
    const arms = expected.paths.payload.result!.arms.map(wrong)
    const altered = await storedStudy(service, owner, expected.paths, { result: { arms } })
    expect(await reasonsOf(altered)).toEqual(['STUDY_NOT_REPRODUCED'])
  })
})

describe('a study that began on a block which left the chain', () => {
  it('is followed by nothing that happened', async ({ service, testChain }) => {
    const expected = await expecting(service, testChain)
    await trade(testChain, expected, 2, usual)
    const { watched, strategy } = expected
    const { paths } = await studiesOf(watched, strategy)
    await trade(testChain, expected, 12, usual)
    const before = await judge(expected, {}, paths)
    expect(before.data.payload.reasons).toEqual([])

    await testChain.again()
    for (let swap = 0; swap < 16; swap += 1) await testChain.markets.swap(swap % 2 === 1, usual)
    await testChain.chain.mine(64)
    await indexTo(watched.owner, watched.pool.id)
    const after = await judge(expected, {}, paths)
    expect([after.data.status, after.data.payload.reasons]).toEqual([
      ...['ABSTAINED', ['NOT_OBSERVED_SINCE_STUDY']],
    ])
  })
})

describe('a study that cannot be compared', () => {
  it('is refused as incompatible, with the reason at its field', async ({ service, testChain }) => {
    const expected = await expecting(service, testChain)
    const { watched, spec, strategy } = expected
    await trade(testChain, expected, 8, usual)
    const inline = await run(watched, {
      ...spec({ arms: [{ armId: 'own', label: 'x', position: { kind: 'FULL_RANGE' } }] }),
      market: { inline: inlinePool },
      observations: undefined,
    })
    const held = [{ armId: 'idle', label: 'x', position: { kind: 'HOLD' } }]
    const idle = await run(watched, spec({ arms: held }))
    const study = 'payload.subject.study'
    const rows: [Ref, object, string, RegExp][] = [
      [expected.replay, {}, study, /REPLAY/],
      [inline, {}, study, /a market without trades/],
      [expected.paths, { venueId: watched.pair.id }, study, /must be a study of venue venue_/],
      [expected.paths, { armId: 'another' }, 'payload.subject.armId', /: own$/],
      [expected.paths, { armId: 'idle' }, 'payload.subject.armId', /must not be a HOLD arm/],
      [idle, {}, 'payload.subject.armId', /none$/],
    ]
    for (const [ref, change, field, words] of rows) {
      const answer = await judge(expected, change, ref)
      expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_ANOMALY_STUDY_INCOMPATIBLE'])
      expect(answer.fieldErrors[field]![0]).toMatch(words)
    }
    await callOperation(watched.owner, 'supersedeStrategies', {
      params: { id: strategy.id },
      ifMatch: strategy.resourceVersion,
      body: { payload: { ...strategy.payload.definition, objective: 'CUSTOM' }, reason: 'Changed' },
    })
    const late = await judge(expected)
    expect([late.status, late.fieldErrors[study]![0]]).toEqual([
      422,
      `must use the current version of the strategy ${strategy.id}`,
    ])
    const other = await evaluate(watched.owner, 'ONE_SIDED_FLOW', watched.subject({ armId: 'own' }))
    expect([other.code, Object.keys(other.fieldErrors)]).toEqual([
      'LIQUIDITY_ANOMALY_SUBJECT_INVALID',
      ['payload.subject.armId'],
    ])
  })
})
