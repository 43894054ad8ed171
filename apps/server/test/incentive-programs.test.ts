// @module-tag long
// @covers apps/server/src/families/operate/incentive-programs

import { describe, expect } from 'vitest'
import { evaluateIncentives } from '../src/families/operate/incentive-programs/incentive-evaluation.ts'
import type { Evaluation } from '../src/families/operate/incentive-programs/read-program.ts'
import { dayMilliseconds } from '../src/units.ts'
import { type Ref, recordsOf, refOf } from './support/admissible.ts'
import { chainTest, started } from './support/fixtures.ts'
import { callOperation, type TestResponse } from './support/requests.ts'
import {
  followed,
  type Optimized,
  optimize,
  type Program,
  payPilot,
  programRequest,
  type RewardChain,
  type RewardedVenues,
  reachDay,
  rewardedVenue,
  rewardedVenues,
  startAfter,
  startRewardChain,
} from './support/rewarding.ts'
import { newMember, newOrganization, signInAgain, type TestMember } from './support/service.ts'
import { whilePaused } from './support/while-paused.ts'

const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startRewardChain))
  .extend('scene', { scope: 'file' }, async ({ service, testChain, owner }) => {
    const venues = await rewardedVenues(service, owner, testChain)
    const answer = await optimize(owner, request(testChain, venues))
    expect(answer.fieldErrors).toEqual({})
    const pilot = answer.data
    return { venues, pilot }
  })

const request = (testChain: RewardChain, venues: RewardedVenues, change: object = {}) =>
  programRequest(testChain, venues, change)
const count = async (owner: TestMember) =>
  (await callOperation<Program[]>(owner, 'listIncentivePrograms')).data.length
type Evidence = { events: { kind: string; payload: { evaluation?: Evaluation } }[] } & {
  program: Pick<Program, 'payload'>
  unboundEventCount: number
}
const evidenceOf = (
  by: TestMember,
  { id, resourceVersion }: Ref,
): Promise<TestResponse<Evidence>> =>
  callOperation(by, 'getIncentiveEvidence', { params: { id }, query: { resourceVersion } })
const current = async (owner: TestMember, { id }: { id: string }) =>
  (await callOperation<Program>(owner, 'getIncentivePrograms', { params: { id } })).data
const revoke = (by: TestMember, id: string, ifMatch?: string, body: object = {}) =>
  callOperation<Program>(by, 'supersedeIncentivePrograms', {
    params: { id },
    ...(ifMatch ? { ifMatch } : {}),
    body: { status: 'REVOKED', reason: 'For the test', ...body },
  })

describe('a pilot', () => {
  it('is VALIDATED with a switchback over at most a tenth of the budget, and forecasts nothing', ({
    scene: { pilot },
  }) => {
    const { program, allocation, forecast, guards } = pilot
    expect(program.status).toBe('VALIDATED')
    expect(pilot).toMatchObject({ executionPerformed: false, executionAuthorityGranted: false })
    const [own] = allocation
    expect(own!.weeksOn).toHaveLength(4)
    expect(own!.weeksOn!.filter(Boolean)).toHaveLength(2)
    expect(BigInt(own!.rewardPerDay) * 14n).toBeLessThanOrEqual(10n ** 16n)
    expect(BigInt(own!.rewardPerDay) * 14n).toBeGreaterThan(9n * 10n ** 15n)
    expect([forecast.net, forecast.depthLift, forecast.traderCostSaved]).toEqual([null, null, null])
    expect(guards.map(({ code }) => code)).toContain('POWER_PIPS')
    expect(program.payload.evidence.gaps.map(({ code }) => code)).toContain('NO_CONTROLS')
  })

  it('is planned again with the same bytes', async ({
    testChain,
    owner,
    scene: { venues, pilot },
  }) => {
    const { data } = await optimize(owner, request(testChain, venues))
    expect(data.program.payload).toEqual(pilot.program.payload)
    expect(data.program.id).not.toBe(pilot.program.id)
  })

  it('shows its baseline as evidence that can be computed again', async ({
    service,
    owner,
    scene: { pilot },
  }) => {
    const { inputs } = pilot.program.payload.evidence
    const { hash } = inputs.find(({ name }) => name === 'baseline')!
    const [panel] = JSON.parse(`${await recordsOf(service, owner).artifact(hash)}`)
    expect(panel.depth).toHaveLength(35)
    const mean = panel.depth.map(Number).reduce((a: number, b: number) => a + b, 0) / 35
    const shown = Number(pilot.program.payload.baseline.venues[0]!.depthQuote)
    expect(shown / mean).toBeCloseTo(1, 12)
  })
})

/** A chain with programs that were measured. */
interface Measured {
  test: RewardChain
  venues: RewardedVenues
  pilot: Optimized
}

describe('evidence that does not carry a program', () => {
  const short = (test: RewardChain) => ({ from: startAfter(test, 8), to: test.window.to })
  const rows: [string, (at: Measured) => object, string, string][] = [
    [
      'a baseline of 27 days',
      ({ test, venues }) => ({ baseline: { ...short(test), observations: venues.observations } }),
      'BASELINE_REQUIRED',
      'payload.baseline',
    ],
    [
      'a baseline of which a part was observed',
      ({ venues }) => ({
        baseline: {
          from: '2025-11-01T00:00:00.000Z',
          to: '2025-12-20T00:00:00.000Z',
          observations: venues.observations,
        },
      }),
      'BASELINE_REQUIRED',
      'payload.venues.0',
    ],
    [
      'a baseline that is covered to less than nine tenths',
      ({ test, venues }) => ({
        baseline: {
          from: startAfter(test, -5),
          to: test.window.to,
          observations: venues.observations,
        },
      }),
      'BASELINE_REQUIRED',
      'payload.venues.0',
    ],
    [
      'a FULL program before any was measured',
      () => ({ mode: 'FULL' }),
      'CONFIDENCE_INSUFFICIENT',
      'payload.priorPrograms',
    ],
    [
      'a FULL program after one that was not measured',
      ({ pilot }) => ({ mode: 'FULL', priorPrograms: [refOf(pilot.program)] }),
      'CONFIDENCE_INSUFFICIENT',
      'payload.priorPrograms.0',
    ],
    [
      'a pilot of which nothing could be learned',
      () => ({ budget: '1' }),
      'CONFIDENCE_INSUFFICIENT',
      'payload.budget',
    ],
    [
      'a minimum lift that pseudo-starts show as well',
      () => ({ minimumLiftPips: 1 }),
      'CONFIDENCE_INSUFFICIENT',
      'payload.minimumLiftPips',
    ],
    [
      'an adapter that nobody knows',
      ({ test, venues }) => ({
        venues: [rewardedVenue(test, venues.pool, { adapterId: 'gauge-v9' })],
      }),
      'ADAPTER_EVIDENCE_INVALID',
      'payload.venues.0.adapterId',
    ],
    [
      'a hash of another attestation',
      ({ test, venues }) => ({
        venues: [
          rewardedVenue(test, venues.pool, {}, { adapterEvidenceHash: `0x${'7'.repeat(64)}` }),
        ],
      }),
      'ADAPTER_EVIDENCE_INVALID',
      'payload.venues.0.adapterEvidenceHash',
    ],
    [
      'an attestation that has expired',
      ({ test, venues }) => ({
        venues: [rewardedVenue(test, venues.pool, { expiresAt: '2026-01-01T00:00:00.000Z' })],
      }),
      'ADAPTER_EVIDENCE_INVALID',
      'payload.venues.0.attestation.expiresAt',
    ],
    [
      'an attestation of another venue',
      ({ test, venues }) => ({
        venues: [rewardedVenue(test, venues.pool, { venue: test.markets.pair.address })],
      }),
      'ADAPTER_EVIDENCE_INVALID',
      'payload.venues.0.attestation.venue',
    ],
    [
      'code on the chain that is not what was reviewed',
      ({ test, venues }) => ({
        venues: [
          rewardedVenue(test, venues.pool, {
            adapterId: 'contract-transfer-v1',
            distributor: test.chain.contracts.payer,
          }),
        ],
      }),
      'ADAPTER_EVIDENCE_INVALID',
      'payload.venues.0.attestation.codeHash',
    ],
  ]
  it.for(rows)(
    '%s is refused, and nothing is stored',
    async ([_, change, code, field], { testChain, owner, scene: { venues, pilot } }) => {
      const before = await count(owner)
      const answer = await optimize(
        owner,
        request(testChain, venues, change({ test: testChain, venues, pilot })),
      )
      expect([answer.status, answer.code]).toEqual([400, `LIQUIDITY_INCENTIVE_${code}`])
      expect(Object.keys(answer.fieldErrors)).toEqual([field])
      expect(await count(owner)).toBe(before)
    },
  )

  it('an observation that proves nothing is no baseline', async ({
    service,
    testChain,
    owner,
    scene: { venues },
  }) => {
    const all = await owner.client.listVenueObservations()
    const own = all.body.data.find(({ id }) => id === venues.observations[0]!.id)!
    const { sealed, change } = recordsOf(service, owner).create('VenueObservation', {
      status: 'PARTIAL',
      payload: own.payload,
      reason: 'For the test',
      event: 'venue.indexed',
    })
    await service.services.committer.commit(change)
    const baseline = { ...testChain.window, observations: [refOf(sealed.record)] }
    const answer = await optimize(owner, request(testChain, venues, { baseline }))
    expect([answer.status, answer.code]).toEqual([400, 'LIQUIDITY_INCENTIVE_BASELINE_REQUIRED'])
  })
})

describe('a request that makes no sense', () => {
  it.for([
    ['no budget', { budget: '0' }, 'payload.budget'],
    ['a start in the past', { start: '2026-01-05T11:00:00.000Z' }, 'payload.start'],
    ['a pilot of ten days', { days: 10 }, 'payload.days'],
    [
      'a foreign reward without a price',
      { rewardAsset: '0x000000000000000000000000000000000000dEaD' },
      'payload.rewardPriceX18',
    ],
    [
      'weights that nothing would act on',
      { distribution: { feesPips: 500_000, basePips: 250_000, quotePips: 250_000 } },
      'payload.distribution',
    ],
  ] as const)(
    '%s is refused at its field',
    async ([_, change, field], { testChain, owner, scene: { venues } }) => {
      const answer = await optimize(owner, request(testChain, venues, change))
      expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_INCENTIVE_REQUEST_INVALID'])
      expect(Object.keys(answer.fieldErrors)).toContain(field)
    },
  )

  it('names nothing of another organization, and only validated venues', async ({
    service,
    testChain,
    owner,
    scene: { venues, pilot },
  }) => {
    const foreignOwner = await newOrganization(service)
    const foreign = await optimize(foreignOwner, request(testChain, venues))
    expect([foreign.status, foreign.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const prior = { id: pilot.program.id, resourceVersion: `0x${'9'.repeat(64)}` }
    const unknown = await optimize(owner, request(testChain, venues, { priorPrograms: [prior] }))
    expect([unknown.status, unknown.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const paused = await whilePaused(owner, venues.pool.id, () =>
      optimize(owner, request(testChain, venues)),
    )
    expect([paused.status, paused.code]).toEqual([409, 'LIQUIDITY_VENUE_NOT_VALIDATED'])
    const extra = await optimize(owner, request(testChain, venues, { guess: true }))
    expect([extra.status, extra.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  })
})

describe('revocation', () => {
  it('ends a program once, with its precondition, without a payload, and states its limits', async ({
    service,
    testChain,
    owner,
    scene: { venues },
  }) => {
    const { data } = await optimize(owner, request(testChain, venues))
    const { id, resourceVersion } = data.program
    expect((await revoke(owner, id)).status).toBe(428)
    expect((await revoke(owner, id, `0x${'9'.repeat(64)}`)).status).toBe(412)
    const changed = await revoke(owner, id, resourceVersion, { payload: { days: 9 } })
    expect([changed.status, changed.code]).toEqual([400, 'LIQUIDITY_INCENTIVE_PAYLOAD_REFUSED'])
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    expect((await revoke(analyst, id, resourceVersion)).status).toBe(403)
    const done = await revoke(owner, id, resourceVersion)
    expect([done.status, done.data.status]).toEqual([200, 'REVOKED'])
    expect(done.data.payload.notice).toMatch(/unaffected/)
    const again = await revoke(owner, id, done.data.resourceVersion)
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_INCENTIVE_TERMINAL'])
    const later = await evidenceOf(owner, done.data)
    expect(later.data.events.map(({ kind }) => kind)).toEqual(['incentive.revoked'])
    const first = await evidenceOf(owner, data.program)
    expect(first.data.events.map(({ kind }) => kind)).toEqual(['incentive.optimized'])
    expect(first.data).toMatchObject({ unboundEventCount: 0, executionPerformed: false })
  })

  it('shows evidence of exact versions of its own organization only', async ({
    service,
    owner,
    scene: { pilot },
  }) => {
    const unknown = { ...pilot.program, resourceVersion: `0x${'9'.repeat(64)}` }
    expect((await evidenceOf(owner, unknown)).status).toBe(404)
    const foreignOwner = await newOrganization(service)
    expect((await evidenceOf(foreignOwner, pilot.program)).status).toBe(404)
    expect(
      (await revoke(foreignOwner, pilot.program.id, pilot.program.resourceVersion)).status,
    ).toBe(404)
  })
})

describe('a program under way', () => {
  it('is observed, measured, completed, and lets a FULL program be judged', async ({
    service,
    testChain,
    owner,
    scene: { venues, pilot },
  }) => {
    const { id, payload } = pilot.program
    const idleDistributor = { distributor: testChain.chain.accounts[2]!.address }
    const unpaid = await optimize(
      owner,
      request(testChain, venues, {
        venues: [rewardedVenue(testChain, venues.pool, idleDistributor)],
      }),
    )
    const [{ weeksOn, rewardPerDay } = { weeksOn: null, rewardPerDay: '0' }] =
      payload.result.allocation
    const live = payPilot(testChain, payload)
    const goTo = (day: number) =>
      reachDay(service, owner, { test: testChain, pool: venues.pool }, day)
    await live(54)
    await goTo(54)
    await evaluateIncentives(service.services)
    const active = await current(owner, { id })
    expect(active.status).toBe('ACTIVE')
    expect(active.payload.firstDistribution!.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    service.clock.advance(dayMilliseconds)
    await evaluateIncentives(service.services)
    await evaluateIncentives(service.services)
    await signInAgain(service, owner)
    const during = await evidenceOf(owner, active)
    expect(during.data.events.map(({ kind }) => kind)).toEqual([
      'incentive.observed',
      'incentive.evaluated',
    ])

    await live(76)
    await goTo(76)
    await evaluateIncentives(service.services)
    const done = await current(owner, { id })
    expect(done.status).toBe('COMPLETED')
    const { events } = (await evidenceOf(owner, done)).data
    const evaluation = events.at(-1)!.payload.evaluation!
    expect(evaluation).toMatchObject({ state: 'COMPLETED', method: 'BEFORE_AFTER' })
    // Weeks on and off are drawn from the ids of the run, and a switchback of a few weeks is not precise.
    expect(Math.abs(evaluation.responsePips!.estimatePips / 1e6 - followed)).toBeLessThan(0.3)
    expect(evaluation.costPerDepthDayPips).toBeGreaterThan(0)
    const rewarded = weeksOn!.filter(Boolean).length * 7
    expect(BigInt(evaluation.paidReward!)).toBe(BigInt(rewardPerDay) * BigInt(rewarded))
    expect(evaluation.retention.map(({ daysAfter }) => daysAfter)).toEqual(['7'])

    const over = await current(owner, unpaid.data.program)
    expect(over.status).toBe('EXPIRED')

    const paidInside = {
      from: startAfter(testChain, 40),
      to: startAfter(testChain, 72),
      observations: venues.observations,
    }
    for (const change of [
      { baseline: paidInside },
      // Paid as a control, it is no comparison either.
      {
        venues: [rewardedVenue(testChain, venues.pair, { venue: testChain.markets.pair.address })],
        baseline: { ...paidInside, controls: [venues.pool] },
      },
    ]) {
      const overlapping = await optimize(
        owner,
        request(testChain, venues, { start: startAfter(testChain, 80), ...change }),
      )
      expect([overlapping.code, overlapping.fieldErrors]).toEqual([
        'LIQUIDITY_INCENTIVE_BASELINE_REQUIRED',
        { 'payload.baseline': [expect.stringContaining(`must not overlap the program ${id}`)] },
      ])
    }

    const full = { mode: 'FULL', start: startAfter(testChain, 80), priorPrograms: [refOf(done)] }
    const answer = await optimize(
      owner,
      request(testChain, venues, { ...full, objective: 'DEPTH_DAYS', requireNetPositive: false }),
    )
    expect([answer.status, answer.fieldErrors]).toEqual([201, {}])
    const { forecast, frontier, alternatives, solver, marginal, allocation } = answer.data
    expect(solver).toMatchObject({ isProved: true })
    expect(solver!.gapPips).toBeLessThanOrEqual(2)
    expect(forecast.depthLiftPips!.lowPips).toBeGreaterThan(50_000)
    expect(frontier).toHaveLength(9)
    expect(alternatives.map(({ name }) => name)).toEqual([
      'NO_SPEND',
      'PRO_RATA_TO_TVL',
      'OWN_CAPITAL',
    ])
    expect(BigInt(allocation[0]!.rewardPerDay) * 28n).toBeLessThanOrEqual(10n ** 17n)
    expect(BigInt(marginal[0]!.nextUnitBenefit!)).toBeGreaterThan(0n)

    const again = await optimize(
      owner,
      request(testChain, venues, { ...full, priorPrograms: [refOf(done), refOf(active)] }),
    )
    expect(again.fieldErrors).toEqual({
      'payload.priorPrograms.1': [expect.stringMatching(/got ACTIVE/)],
    })

    const dear = await optimize(owner, request(testChain, venues, full))
    expect([dear.status, dear.code]).toEqual([400, 'LIQUIDITY_INCENTIVE_CONFIDENCE_INSUFFICIENT'])
    const high = await optimize(
      owner,
      request(testChain, venues, { ...full, objective: 'DEPTH_DAYS', minimumLiftPips: 9_000_000 }),
    )
    expect(Object.keys(high.fieldErrors)).toEqual(['payload.minimumLiftPips'])
    expect(high.fieldErrors['payload.minimumLiftPips']![0]).toMatch(/lower bound of the lift is \d/)
  })

  it('waits until seven days after its end if its chain cannot be read, and not forever', async ({
    service,
    testChain,
    owner,
    scene: { venues },
  }) => {
    const start = 90
    const { data } = await optimize(
      owner,
      request(testChain, venues, { start: startAfter(testChain, start) }),
    )
    await testChain.chain.stop()
    const after = async (days: number) => {
      const at = Date.parse(testChain.window.from) + days * dayMilliseconds
      service.clock.advance(at - service.clock.read())
      await evaluateIncentives(service.services)
      await signInAgain(service, owner)
      return (await current(owner, data.program)).status
    }
    expect(data.program.status).toBe('VALIDATED')
    expect(await after(start + 1)).toBe('VALIDATED')
    expect(await after(start + 28 + 7)).toBe('VALIDATED')
    expect(await after(start + 28 + 8)).toBe('EXPIRED')
  })
})
