// @module-tag long
// @covers apps/server/src/families/intelligence/anomalies

import { describe, expect } from 'vitest'
import { queueSweeps } from '../src/families/intelligence/anomalies/anomaly-sweeps.ts'
import {
  type Anomaly,
  evaluate,
  type QuietMonth,
  sandwich,
  startQuietMonth,
  swapAs,
  type Watched,
  watchedMarkets,
} from './support/anomalous.ts'
import { hostOf } from './support/chain.ts'
import { strategyOn } from './support/diverging.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'
import { whilePaused } from './support/while-paused.ts'

const it = test
  .extend('testChain', { scope: 'file' }, started(startQuietMonth))
  .extend('settings', { scope: 'file' }, ({ testChain }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
    ANOMALY_SWEEP_SECONDS: '300',
  }))
  .extend('runsJobs', { scope: 'file' }, true)

/** Plays a story on the chain as it was after the quiet time, and has both venues read. */
async function after(
  service: TestService,
  testChain: QuietMonth,
  story: () => Promise<void>,
): Promise<Watched> {
  await testChain.again()
  await story()
  const watched = await watchedMarkets(service, testChain)
  await watched.read()
  return watched
}
const blocks = (testChain: QuietMonth, count: number) => testChain.chain.mine(count)
const amountOf = ({ payload }: Anomaly, kind: string) =>
  BigInt(payload.contributors.find((one) => one.kind === kind)?.amount ?? 0)
const eventsOf = async (service: TestService, id: string, { owner }: Watched) => {
  const rows = await service.database.tenant(owner.organizationId, [
    { text: `select body from events where subject_id = '${id}' order by sequence` },
  ])
  return rows[0]!.map((row) => JSON.parse(row.body ?? '').kind as string)
}
/** Everything due is swept. */
async function sweep(service: TestService, { owner }: Watched) {
  service.clock.advance(300_000)
  await queueSweeps(service.services)
  return until('the sweep has ended', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    const sweeps = jobs.filter(({ kind }) => kind === 'ANOMALY_SWEEP')
    return sweeps.length > 0 && sweeps.every(({ finishedAt }) => finishedAt) ? sweeps[0] : null
  })
}

describe('quiet markets', () => {
  it('show no anomaly of any kind, and each result can be recomputed from its named inputs', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, () => blocks(testChain, 1))
    const { pair } = watched.subject() as { pair: { base: string } }
    const all = [
      ['LIQUIDITY_DISAPPEARANCE', watched.subject()],
      ['ONE_SIDED_FLOW', watched.subject()],
      ['EXCESSIVE_TURNOVER', watched.subject()],
      ['MANIPULATION_INDICATOR', watched.subject()],
      ['INACTIVE_RANGE', watched.subject()],
      ['INVENTORY_ACCUMULATION', watched.subject()],
      ['ORACLE_DISAGREEMENT', { pair }],
      ['STABLECOIN_DEPEG', { pair, asset: pair.base, pegX18: `${10n ** 18n}` }],
    ] as const
    for (const [kind, subject] of all) {
      const { status, data } = await evaluate(watched.owner, kind, subject)
      expect(
        [kind, status, data.status, data.payload.outcome, data.payload.reasons],
        JSON.stringify(data.payload),
      ).toEqual([kind, 201, 'COMPLETED', 'NOT_DETECTED', []])
      const again = await evaluate(watched.owner, kind, subject)
      expect(again.data.id).not.toBe(data.id)
      expect(again.data.payload).toEqual(data.payload)
      const names = data.payload.evidence.inputs.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['detector.robust-mad-v1', 'baselineVector']))
    }
  })
})

describe('a strategy with a pause rule', () => {
  const disappeared = 'LIQUIDITY_DISAPPEARANCE'
  const wasFound = async (testChain: QuietMonth, watched: Watched) => {
    const paused = await strategyOn(watched)
    const heedless = await strategyOn(watched, { pauseOn: ['MANIPULATION_INDICATOR'] })
    await testChain.markets.burn(-6000, 6000, 6n * 10n ** 19n)
    await blocks(testChain, 2)
    await watched.read()
    return { paused, heedless }
  }
  const stateOf = async ({ owner }: Watched, { id }: { id: string }) =>
    (
      await callOperation<{ status: string; sequence: number; resourceVersion: string }>(
        owner,
        'getStrategies',
        { params: { id } },
      )
    ).data

  it('is paused by a detection of any caller, and another strategy is not', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, () => blocks(testChain, 1))
    const { paused, heedless } = await wasFound(testChain, watched)
    const { data } = await evaluate(watched.owner, disappeared, watched.subject())
    expect([data.status, data.payload.severity]).toEqual(['ACTIVE', 'WARNING'])
    expect(await stateOf(watched, paused)).toMatchObject({ status: 'PAUSED', sequence: 2 })
    expect(await stateOf(watched, heedless)).toMatchObject({ status: 'VALIDATED', sequence: 1 })
    const rows = await service.database.tenant(watched.owner.organizationId, [
      { text: `select body from events where subject_id = '${paused.id}' order by sequence` },
    ])
    expect(JSON.parse(rows[0]!.at(-1)?.body ?? '')).toMatchObject({
      kind: 'strategy.paused',
      payload: { anomaly: { id: data.id, kind: disappeared } },
    })
    // What is paused already is not paused again.
    await evaluate(watched.owner, disappeared, watched.subject())
    expect(await stateOf(watched, paused)).toMatchObject({ sequence: 2 })
  })

  it('is paused by the sweep', async ({ service, testChain }) => {
    const watched = await after(service, testChain, () => blocks(testChain, 1))
    const { paused, heedless } = await wasFound(testChain, watched)
    await evaluate(watched.owner, disappeared, watched.subject())
    const { resourceVersion: ifMatch } = await stateOf(watched, paused)
    const again = { params: { id: paused.id }, ifMatch }
    const body = { status: 'VALIDATED' as const, reason: 'Looked at' }
    await watched.owner.client.supersedeStrategies({ ...again, body })
    await testChain.markets.burn(-6000, 6000, 10n ** 19n)
    await blocks(testChain, 1)
    await watched.read()
    await sweep(service, watched)
    expect((await stateOf(watched, paused)).status).toBe('PAUSED')
    expect((await stateOf(watched, heedless)).status).toBe('VALIDATED')
  })
})

describe('liquidity that is withdrawn', () => {
  it('is found with its cause and owner, escalates, and is closed by the sweep', async ({
    service,
    testChain,
  }) => {
    const { markets, chain } = testChain
    const watched = await after(service, testChain, async () => {
      await markets.burn(-6000, 6000, 6n * 10n ** 19n)
      await blocks(testChain, 2)
    })
    const first = await evaluate(watched.owner, 'LIQUIDITY_DISAPPEARANCE', watched.subject())
    expect([first.data.status, first.data.payload.severity]).toEqual(['ACTIVE', 'WARNING'])
    expect(first.data.payload.rule).toBe('STATISTICAL')
    const { value, median } = first.data.payload.feature!
    const fall = BigInt(value) - BigInt(median)
    const withdrawn = amountOf(first.data, 'WITHDRAWAL')
    // The price stood nearly still.
    expect(Number(withdrawn) / Number(fall)).toBeCloseTo(1, 3)
    expect(first.data.payload.contributors).toContainEqual({
      kind: 'BURNED_LIQUIDITY',
      ref: chain.contracts.payer,
      amount: `${6n * 10n ** 19n}`,
    })
    await markets.burn(-6000, 6000, 4n * 10n ** 19n - 10n ** 15n)
    await markets.burn(-600, 600, 10n ** 19n)
    await blocks(testChain, 1)
    await watched.read()
    const worse = await evaluate(watched.owner, 'LIQUIDITY_DISAPPEARANCE', watched.subject())
    expect(worse.data).toMatchObject({ id: first.data.id, sequence: 2, status: 'ACTIVE' })
    expect(worse.data.payload).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE' })
    expect(worse.data.payload.openedAt).toBe(first.data.payload.openedAt)
    const alerts = await callOperation<{ id: string; state: string }[]>(
      watched.owner,
      'listAlertsV2',
      {
        query: { severity: 'CRITICAL', state: 'OPEN' },
      },
    )
    expect(alerts.data.map(({ id }) => id)).toContain(first.data.id)
    // Made final, the new level is the usual one.
    await markets.mint(-6000, 6000, 10n ** 20n)
    await blocks(testChain, 1)
    await watched.read()
    await markets.burn(-6000, 6000, 5n * 10n ** 19n)
    await blocks(testChain, 2)
    await watched.read()
    const milder = await evaluate(watched.owner, 'LIQUIDITY_DISAPPEARANCE', watched.subject())
    // What was CRITICAL stays so until it is over, though by itself this would be a WARNING.
    expect(milder.data).toMatchObject({ id: first.data.id, sequence: 3, status: 'ACTIVE' })
    expect(milder.data.payload).toMatchObject({ severity: 'CRITICAL', rule: 'STATISTICAL' })
    expect(BigInt(milder.data.payload.feature!.effectPips)).toBeLessThan(700_000n)
    await markets.mint(-6000, 6000, 5n * 10n ** 19n)
    await blocks(testChain, 12)
    await watched.read()
    await sweep(service, watched)
    const over = await callOperation<Anomaly>(watched.owner, 'getAnomalies', {
      params: { id: first.data.id },
    })
    expect([over.data.status, over.data.createdBy.kind]).toEqual(['COMPLETED', 'SYSTEM'])
    expect(over.data.payload.severity).toBe('CRITICAL')
    expect(await eventsOf(service, first.data.id, watched)).toEqual([
      'anomaly.detected',
      'anomaly.escalated',
      'anomaly.seen',
      'anomaly.cleared',
    ])
    const resolved = await callOperation<{ id: string }[]>(watched.owner, 'listAlertsV2', {
      query: { state: 'RESOLVED' },
    })
    expect(resolved.data.map(({ id }) => id)).toContain(first.data.id)
  })

  it('is one anomaly however many look for it at once', async ({ service, testChain }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.markets.burn(-6000, 6000, 6n * 10n ** 19n)
      await blocks(testChain, 2)
    })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        evaluate(watched.owner, 'LIQUIDITY_DISAPPEARANCE', watched.subject()),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    expect(answers.map(({ data }) => data.sequence).toSorted()).toEqual([1, 2, 3, 4])
    // A sweep that knows no more than they did has nothing to add.
    await sweep(service, watched)
    const { data } = await callOperation<Anomaly>(watched.owner, 'getAnomalies', {
      params: { id: answers[0]!.data.id },
    })
    expect([data.sequence, data.payload.occurrences]).toEqual([4, 4])
  })
})

describe('prices', () => {
  it('of two venues away from the peg are CRITICAL, of one at most a WARNING', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.markets.swap(true, 5n * 10n ** 18n)
      await testChain.markets.trade(5n * 10n ** 17n, 47n * 10n ** 16n)
      await blocks(testChain, 2)
    })
    const { pair } = watched.subject() as { pair: { base: string } }
    const peg = { pair, asset: pair.base, pegX18: `${10n ** 18n}` }
    const both = await evaluate(watched.owner, 'STABLECOIN_DEPEG', peg)
    expect(both.data.payload).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE' })
    expect(both.data.payload.contributors).toHaveLength(2)
    const one = await evaluate(watched.owner, 'STABLECOIN_DEPEG', {
      ...peg,
      venueId: watched.pool.id,
    })
    expect(one.data.payload.severity).toBe('WARNING')
    expect(one.data.payload.indicators).toContain('SINGLE_SOURCE')
  })

  it('with a wrong peg stay open until the right one is named', async ({ service, testChain }) => {
    const watched = await after(service, testChain, () => blocks(testChain, 2))
    const { pair } = watched.subject() as { pair: { base: string } }
    const peg = (pegX18: bigint) => ({ pair, asset: pair.base, pegX18: `${pegX18}` })
    const wrong = await evaluate(watched.owner, 'STABLECOIN_DEPEG', peg(3n * 10n ** 18n))
    expect(wrong.data.status).toBe('ACTIVE')
    const statusOf = async ({ id }: Anomaly) =>
      (await callOperation<Anomaly>(watched.owner, 'getAnomalies', { params: { id } })).data.status
    await sweep(service, watched)
    expect(await statusOf(wrong.data)).toBe('ACTIVE')
    service.clock.advance(1000)
    const right = await evaluate(watched.owner, 'STABLECOIN_DEPEG', peg(10n ** 18n))
    expect(right.data.payload.outcome).toBe('NOT_DETECTED')
    await blocks(testChain, 2)
    await watched.read()
    await sweep(service, watched)
    expect(await statusOf(wrong.data)).toBe('COMPLETED')
    expect((await eventsOf(service, wrong.data.id, watched)).at(-1)).toBe('anomaly.cleared')
  })

  it('keep their peg while it is lost, unless an operator names another', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.markets.swap(true, 5n * 10n ** 18n)
      await testChain.markets.trade(5n * 10n ** 17n, 47n * 10n ** 16n)
      await blocks(testChain, 2)
    })
    const { organizationId } = watched.owner
    const analyst = await newMember(service, organizationId, 'ANALYST')
    const { pair } = watched.subject() as { pair: { base: string } }
    const peg = (pegX18: bigint) => ({ pair, asset: pair.base, pegX18: `${pegX18}` })
    const lost = await evaluate(analyst, 'STABLECOIN_DEPEG', peg(10n ** 18n))
    expect(lost.data.status).toBe('ACTIVE')
    const other = await evaluate(analyst, 'STABLECOIN_DEPEG', peg(2n * 10n ** 17n))
    expect([other.status, other.code]).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    expect(Object.keys(other.fieldErrors)).toEqual(['payload.subject.pegX18'])
    // Of a moment before anything was seen nothing can be said, so nothing is replaced.
    const early = await evaluate(watched.owner, 'STABLECOIN_DEPEG', peg(2n * 10n ** 17n), {
      at: '2025-12-20T00:00:00.000Z',
    })
    expect(early.data.status).toBe('ABSTAINED')
    await blocks(testChain, 2)
    await watched.read()
    await sweep(service, watched)
    const { data } = await callOperation<Anomaly>(analyst, 'getAnomalies', {
      params: { id: lost.data.id },
    })
    expect(data.status).toBe('ACTIVE')
  })

  it('that drift apart disagree beyond both fees', async ({ service, testChain }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.markets.swap(true, 5n * 10n ** 18n)
      await blocks(testChain, 2)
    })
    const { pair } = watched.subject()
    const { data } = await evaluate(watched.owner, 'ORACLE_DISAGREEMENT', { pair })
    expect(data.payload.severity).toBe('CRITICAL')
    expect(data.payload.contributors.map(({ kind }) => kind)).toEqual(['SOURCE', 'SOURCE'])
    // People read names and per cent; ids and millionths are in the members.
    expect(data.payload.explanation).toMatch(
      /^The largest price gap beyond fees \(now the price at “.+” vs .+\): [\d.]+ %, median [\d.]+ %; robust z-score [\d.]+, effect [\d.]+ %\. /,
    )
    expect(data.payload.explanation).not.toContain('venue_')
    expect(data.payload.evidence.gaps.map(({ code }) => code)).toContain('ORACLE_UNAVAILABLE')
  })

  it('that leap and are taken back are an indicator of manipulation', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.markets.swap(false, 16n * 10n ** 18n)
      await testChain.markets.swap(true, 125n * 10n ** 17n)
      await blocks(testChain, 1)
    })
    const { data } = await evaluate(watched.owner, 'MANIPULATION_INDICATOR', watched.subject())
    expect(data.payload.indicators).toContain('EXCURSION')
    expect(data.payload).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE' })
    expect(data.payload.explanation).toContain('not proof')
  })
})

describe('flow', () => {
  it('that is sandwiched is an indicator, with its share of the volume', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, async () => {
      // A fourth signer: the contract that all of them call is then a router and nobody's own.
      await swapAs(testChain, 6, true, 10n ** 15n)
      await sandwich(testChain, 10n ** 16n)
    })
    const { data } = await evaluate(watched.owner, 'MANIPULATION_INDICATOR', watched.subject())
    expect(data.payload.indicators).toContain('SANDWICH')
    expect(data.payload.severity).toBe('CRITICAL')
    // Two thirds of what the three traded, beside the usual small trades.
    expect(amountOf(data, 'SANDWICH')).toBeGreaterThan(400_000n)
    expect(amountOf(data, 'SANDWICH')).toBeLessThan(667_000n)
  })

  it('of one side by several traders is found, with those who made it', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.chain.testClient.setBlockTimestampInterval({ interval: 60 })
      for (let swap = 0; swap < 70; swap += 1)
        await swapAs(testChain, 1 + (swap % 3), true, 10n ** 15n)
    })
    const { data } = await evaluate(watched.owner, 'ONE_SIDED_FLOW', watched.subject())
    // The hour in which it began is part of so short a baseline.
    expect(data.payload.severity).toBe('WARNING')
    expect(data.payload.contributors).toHaveLength(3)
    const few = await after(service, testChain, async () => {
      await testChain.chain.testClient.setBlockTimestampInterval({ interval: 60 })
      for (let swap = 0; swap < 70; swap += 1) await swapAs(testChain, 1, true, 10n ** 15n)
    })
    const one = await evaluate(few.owner, 'ONE_SIDED_FLOW', few.subject())
    expect([one.data.payload.outcome, one.data.payload.indicators]).toEqual([
      'NOT_DETECTED',
      ['FLOW_TOO_THIN'],
    ])
  })

  it('of many times the value locked is excessive', async ({ service, testChain }) => {
    const watched = await after(service, testChain, async () => {
      for (let swap = 0; swap < 6; swap += 1) {
        await testChain.markets.swap(swap % 2 === 0, 10n ** 18n)
      }
      await blocks(testChain, 1)
    })
    const { data } = await evaluate(watched.owner, 'EXCESSIVE_TURNOVER', watched.subject())
    expect(data.payload.severity).toBe('CRITICAL')
    expect(amountOf(data, 'VALUE_LOCKED')).toBeGreaterThan(0n)
  })
})

describe('own positions', () => {
  it('outside the price range are inactive, and their inventory splits exactly', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.markets.swap(true, 5n * 10n ** 18n)
      await blocks(testChain, 8)
    })
    const inactive = await evaluate(watched.owner, 'INACTIVE_RANGE', watched.subject())
    expect(inactive.data.payload).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE' })
    expect(inactive.data.payload.contributors).toHaveLength(1)
    const { data } = await evaluate(watched.owner, 'INVENTORY_ACCUMULATION', watched.subject())
    expect(data.payload.severity).toBe('CRITICAL')
    expect(data.payload.indicators).toEqual(['BASE_SHARE_EXTREME'])
    expect(amountOf(data, 'UNEXPLAINED')).toBe(0n)
    expect(amountOf(data, 'CURVE')).not.toBe(0n)
    expect(data.payload.evidence.gaps.map(({ code }) => code)).toContain('WALLET_NOT_OBSERVED')
  })

  it('with removed liquidity changed only by rebalancing and curve', async ({
    service,
    testChain,
  }) => {
    const watched = await after(service, testChain, async () => {
      await testChain.markets.burn(-600, 600, 4n * 10n ** 18n)
      await testChain.markets.swap(true, 10n ** 17n)
      await testChain.markets.burn(-600, 600, 10n ** 18n)
      await blocks(testChain, 2)
    })
    const { data } = await evaluate(watched.owner, 'INVENTORY_ACCUMULATION', watched.subject())
    expect(data.payload.outcome).toBe('DETECTED')
    expect(amountOf(data, 'REBALANCE')).toBeLessThan(0n)
    expect(amountOf(data, 'UNEXPLAINED')).toBe(0n)
  })
})

describe('unknown values', () => {
  it('is abstained from, with the reason', async ({ service, testChain }) => {
    const watched = await after(service, testChain, () => blocks(testChain, 1))
    const short = await evaluate(watched.owner, 'LIQUIDITY_DISAPPEARANCE', watched.subject(), {
      baselineSeconds: 3600,
    })
    expect([short.data.status, short.data.payload.outcome, short.data.payload.severity]).toEqual([
      'ABSTAINED',
      null,
      null,
    ])
    expect(short.data.payload.reasons).toEqual(['BASELINE_TOO_SHORT'])
    const week = await evaluate(watched.owner, 'LIQUIDITY_DISAPPEARANCE', watched.subject(), {
      baselineSeconds: 604_800,
    })
    expect(week.data.payload.reasons).toEqual(['BASELINE_COVERAGE'])
    const early = await evaluate(watched.owner, 'LIQUIDITY_DISAPPEARANCE', watched.subject(), {
      at: '2025-12-01T00:00:00.000Z',
    })
    expect(early.data.payload).toMatchObject({ state: 'ABSTAINED', reasons: ['NOT_OBSERVED_AT'] })
    const foreign = await evaluate(
      watched.owner,
      'INACTIVE_RANGE',
      watched.subject({ venueId: watched.pair.id }),
    )
    expect(foreign.data.payload.reasons).toEqual(['OWN_POSITIONS_UNKNOWN'])
  })
})

describe('an evaluation that is refused', () => {
  it('for a subject that the kind cannot be looked for on', async ({ service, testChain }) => {
    const watched = await after(service, testChain, () => blocks(testChain, 1))
    const { pair } = watched.subject() as { pair: { base: string; baseDecimals: number } }
    const refusals: [string, object, object, string][] = [
      ['LIQUIDITY_DISAPPEARANCE', { pair }, {}, 'payload.subject.venueId'],
      ['STABLECOIN_DEPEG', { pair, asset: pair.base }, {}, 'payload.subject.pegX18'],
      ['STABLECOIN_DEPEG', { pair, pegX18: '1' }, {}, 'payload.subject.asset'],
      ['ONE_SIDED_FLOW', watched.subject({ asset: pair.base }), {}, 'payload.subject.asset'],
      ['SIMULATED_REALIZED_DIVERGENCE', watched.subject(), {}, 'payload.subject.study'],
      [
        'INACTIVE_RANGE',
        watched.subject({
          positionRefs: [{ owner: `0x${'1'.repeat(40)}`, tickLower: 0, tickUpper: 60 }],
        }),
        {},
        'payload.subject.positionRefs.0',
      ],
      ['ONE_SIDED_FLOW', watched.subject(), { at: '2026-02-01T00:00:00.000Z' }, 'payload.at'],
      [
        'ONE_SIDED_FLOW',
        watched.subject({ pair: { ...pair, baseDecimals: 6 } }),
        {},
        'payload.subject.venueId, payload.subject.pair.baseDecimals',
      ],
      [
        'ONE_SIDED_FLOW',
        watched.subject(),
        { cadenceSeconds: 60, baselineSeconds: 604_800 },
        'payload.baselineSeconds',
      ],
    ]
    for (const [kind, subject, change, field] of refusals) {
      const answer = await evaluate(watched.owner, kind, subject, change)
      expect([answer.status, answer.code, Object.keys(answer.fieldErrors).join(', ')]).toEqual([
        422,
        'LIQUIDITY_ANOMALY_SUBJECT_INVALID',
        field,
      ])
    }
    const ref = { id: `study_${'0'.repeat(32)}`, resourceVersion: `0x${'1'.repeat(64)}` }
    const study = await evaluate(
      watched.owner,
      'SIMULATED_REALIZED_DIVERGENCE',
      watched.subject({ study: ref }),
    )
    expect([study.status, study.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const paused = await whilePaused(watched.owner, watched.pool.id, () =>
      evaluate(watched.owner, 'ONE_SIDED_FLOW', watched.subject()),
    )
    expect([paused.status, paused.code]).toEqual([409, 'LIQUIDITY_VENUE_NOT_VALIDATED'])
    const foreignOwner = await newOrganization(service)
    const other = await evaluate(foreignOwner, 'ONE_SIDED_FLOW', watched.subject())
    expect([other.status, other.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
  })
})
