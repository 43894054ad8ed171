// @module-tag long
// @covers apps/server/src/families/intelligence/scores

import type { contract } from '@liquidity-os/contract'
import { sha256Hex } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { describe, expect } from 'vitest'
import { expireScores } from '../src/families/intelligence/scores/score-expiry.ts'
import type { ObservationRecord } from '../src/market/completed-observations.ts'
import { eventsWithin } from '../src/market/events-within.ts'
import { startWorkers } from '../src/service.ts'
import { sql } from '../src/store/database/sql.ts'
import { newId } from '../src/store/records/ids.ts'
import { recordsOf } from './support/admissible.ts'
import { ask } from './support/breakable.ts'
import { poolBody, providerBody } from './support/chain.ts'
import { chainTest, started } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import {
  activate,
  indexTo,
  observedVenues,
  type Score,
  type ScorePayload,
  score,
  scoreRequest,
  startTradedChain,
  storedScore,
  type TradedChain,
  type VenueRef,
} from './support/scoring.ts'
import {
  newMember,
  newOrganization,
  signInAgain,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { whilePaused } from './support/while-paused.ts'

const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startTradedChain))
  .extend('scene', { scope: 'file', auto: true }, async ({ service, testChain, owner }) => {
    const { pool, pair } = await observedVenues(service, owner, testChain)
    // Of pool and pair together; others are made from it.
    const judged = (await score(owner, request(testChain, [pool, pair]))).data
    return { pool, pair, judged }
  })

const request = (testChain: TradedChain, venues: readonly VenueRef[], change: object = {}) =>
  scoreRequest(testChain, venues, { window: testChain.window, ...change })
const componentOf = ({ payload }: Score, code: string) =>
  payload.components.find((component) => component.code === code)!
/** The same judgement of a window that ended so many milliseconds later. */
const later = (
  judged: Score,
  milliseconds: number,
  change: Partial<ScorePayload> = {},
): ScorePayload => {
  const time = (text: string) => new Date(Date.parse(text) + milliseconds).toISOString()
  const { window, validUntil } = judged.payload
  return {
    ...judged.payload,
    window: { ...window, to: time(window.to) },
    validUntil: time(validUntil),
    ...change,
  }
}

describe('a score', () => {
  it('of two venues that traded all morning is COMPLETED, with all it rests on', async ({
    service,
    owner,
    scene: { pool, pair, judged },
  }) => {
    expect(judged.payload.reasons).toEqual([])
    expect(judged.status).toBe('COMPLETED')
    const { scorePips, components, interval90, confidencePips, evidence, passportClaims } =
      judged.payload
    expect(components.reduce((sum, one) => sum + one.contributionPips, 0)).toBe(scorePips)
    expect(components.reduce((sum, one) => sum + one.weightPips, 0)).toBe(1_000_000)
    // Seven hours are too few to be resampled.
    expect(interval90).toBeNull()
    expect(confidencePips).toBeGreaterThan(600_000)
    expect(passportClaims!.usableDepthByTradeSize.map((row) => row.tradeSizeQuote)).toEqual([
      `${10n ** 16n}`,
      `${10n ** 17n}`,
    ])
    expect(passportClaims!.majorIncidentCount).toBe(0)
    expect(evidence.inputs.map(({ name }) => name)).toEqual([
      'weightSet.mqs-1',
      'venue.0',
      'venue.1',
      'sampleDraw',
      'samples',
      'observations',
    ])
    const named = evidence.inputs.at(-1)!.hash
    const observed = JSON.parse(`${await recordsOf(service, owner).artifact(named)}`)
    expect(observed.map(({ venueId }: { venueId: string }) => venueId)).toEqual([pool.id, pair.id])
    expect(judged.payload.lastBlocks).toHaveLength(2)
  })

  it('of a local chain is marked as simulated, and so is all that it rests on, at every answer', async ({
    testChain,
    owner,
    scene: { pool, pair, judged },
  }) => {
    const requested = [
      ['getScores', { params: { id: judged.id } }],
      ['listScores', {}],
      ['getVenues', { params: { id: pool.id } }],
      ['listVenueObservations', {}],
      ['getUnifiedLiquidityMap', {}],
    ] as const
    for (const [id, about] of requested) {
      const { status, headers } = await ask(owner, id, about)
      const mark = headers.get('evidence-mark')
      expect([id, status, mark]).toEqual([id, 200, 'SIMULATED;chains="31337"'])
    }
    const body = { payload: request(testChain, [pool, pair]), reason: 'Asked twice' }
    const create = { body, idempotencyKey: 'simulated-twice' }
    const marks = []
    for (const _ of ['made', 'replayed']) {
      const { status, headers } = await ask(owner, 'createScores', create)
      marks.push([status, headers.get('idempotency-replayed'), headers.get('evidence-mark')])
    }
    const mark = 'SIMULATED;chains="31337"'
    expect(marks).toEqual([
      [201, null, mark],
      [201, 'true', mark],
    ])
  })

  it('of venues that are young says that the detector of anomalies sees nothing of them yet', ({
    scene: { pool, pair, judged },
  }) => {
    const gaps = judged.payload.evidence.gaps.filter(
      ({ code }) => code === 'DETECTOR_WITHOUT_BASELINE',
    )
    expect(gaps.map(({ venueId }) => venueId)).toEqual([pool.id, pair.id])
    // Seven hours of the 135 that eight tenths of a week are.
    for (const { detail } of gaps) expect(detail).toMatch(/^Only 7 hours .* needs 135 hours/)
  })

  it('a repeated request is measured with the same bytes', async ({
    testChain,
    owner,
    scene: { pool, pair, judged },
  }) => {
    const again = (await score(owner, request(testChain, [pool, pair]))).data
    expect(again.id).not.toBe(judged.id)
    expect(again.payload).toEqual(judged.payload)
  })

  it('is graded at the published size, whatever size the issuer requests', async ({
    testChain,
    owner,
    scene: { pool, pair, judged },
  }) => {
    const graded = ({ payload }: Score) => [payload.scorePips, payload.grade, payload.gradedSize]
    const small = { referenceTradeSizeQuote: `${10n ** 12n}` }
    const { data } = await score(owner, request(testChain, [pool, pair], small))
    expect(graded(data)).toEqual(graded(judged))
    expect(data.payload.gradedSize).toEqual({
      currency: 'TEST',
      tradeSizeQuote: `${1000n * 10n ** 18n}`,
    })
    const { requestedSize } = data.payload
    expect(requestedSize!.tradeSizeQuote).toBe(`${10n ** 12n}`)
    expect(requestedSize!.medianSlippagePips).toBeLessThan(
      judged.payload.requestedSize!.medianSlippagePips!,
    )
    const loose = { usableSlippagePips: 1_000_000 }
    const own = (await score(owner, request(testChain, [pool, pair], loose))).data
    expect([own.status, own.payload.grade]).toEqual(['PARTIAL', null])
    expect(own.payload.reasons).toEqual(['OWN_USABLE_SLIPPAGE'])
  })

  it('of one venue trusts its price less, and compares it with its own past', async ({
    testChain,
    owner,
    scene: { pool, pair, judged },
  }) => {
    const { data } = await score(owner, request(testChain, [pool]))
    expect(componentOf(data, 'PRICE_INTEGRITY').method).toBe('OWN_TWAP')
    expect(componentOf(data, 'CONCENTRATION')).toMatchObject({ raw: '0', method: 'PROVIDER_HHI' })
    expect(data.payload.confidencePips).toBeLessThan(judged.payload.confidencePips)
    const withReference = await score(
      owner,
      request(testChain, [pool], { reference: { kind: 'VENUE', venue: pair } }),
    )
    expect(componentOf(withReference.data, 'PRICE_INTEGRITY').method).toBe('SOURCES')
    expect(componentOf(withReference.data, 'DEPTH').raw).toBe(componentOf(data, 'DEPTH').raw)
  })

  it('is withheld for a week with one observed morning, without a score', async ({
    testChain,
    owner,
    scene: { pool, pair },
  }) => {
    const { data } = await score(owner, scoreRequest(testChain, [pool, pair]))
    expect(data.status).toBe('ABSTAINED')
    expect(data.payload).toMatchObject({
      state: 'ABSTAINED',
      scorePips: null,
      indicativeScorePips: null,
      grade: null,
      interval90: null,
      assessesMarketHealth: false,
      caps: [],
    })
    expect(data.payload.reasons).toContain('COVERAGE_TOO_LOW')
    expect(data.payload.evidence.gaps.map(({ code }) => code)).toContain('WINDOW_BEGIN_UNOBSERVED')
  })

  it('of a venue that is read only in part is PARTIAL, with the gap named', async ({
    service,
    testChain,
    scene: { judged },
  }) => {
    const by = await newOrganization(service)
    await by.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
    const { body } = await by.client.createVenues({
      body: { ...poolBody(testChain), status: 'VALIDATED' } as never,
    })
    const workers = await startWorkers(service.services)
    const [head] = judged.payload.lastBlocks
    const [from, to] = [testChain.window.from, testChain.window.to].map(Date.parse) as [
      number,
      number,
    ]
    // Two minutes a block.
    const after = (Date.parse(head!.timestamp) - (from + 0.7 * (to - from))) / 120_000
    await indexTo(by, body.data.id, Math.floor(head!.number - after))
    await workers.stop()
    const venue = { id: body.data.id, resourceVersion: body.data.resourceVersion }
    const { data } = await score(by, request(testChain, [venue]))
    expect(data.payload.reasons).toContain('COVERAGE_INCOMPLETE')
    expect([data.status, data.payload.scorePips]).toEqual(['PARTIAL', null])
    expect(data.payload.indicativeScorePips).toBeGreaterThan(0)
    expect(data.payload.evidence.gaps).toContainEqual(
      expect.objectContaining({ code: 'WINDOW_END_UNOBSERVED', venueId: venue.id }),
    )
  })

  it.for([
    ['its own pair', {}, true],
    ['its base against another quote', { quote: `0x${'7'.repeat(40)}` }, false],
    ['its addresses on another chain', { chainId: 10 }, false],
  ] as const)(
    'counts an open CRITICAL anomaly of %s: %s %s',
    async ([_, change, isCounted], { service, testChain, owner, scene: { pool, pair } }) => {
      const { pair: own } = request(testChain, [pool]) as { pair: object }
      const { sealed, change: opened } = recordsOf(service, owner).create(
        'VenueObservation',
        {
          status: 'ACTIVE',
          payload: { severity: 'CRITICAL', subject: { pair: { ...own, ...change } } },
          reason: 'For the test',
          event: 'anomaly.detected',
        },
        newId('anomaly', service.clock.read()),
      )
      await service.services.committer.commit(opened)
      const { data } = await score(owner, request(testChain, [pool, pair]))
      const names = data.payload.evidence.inputs.map(({ name }) => name)
      expect(names.includes('anomaly.0')).toBe(isCounted)
      const { record, text } = sealed
      const current = { record, text, lastEvent: opened.events[0]!.event }
      const cleared = recordsOf(service, owner).supersede(current, {
        status: 'COMPLETED',
        payload: record.payload,
        reason: 'For the test',
        event: 'anomaly.cleared',
      })
      await service.services.committer.commit(cleared.change)
    },
  )

  it('names an open CRITICAL anomaly of a venue', async ({
    service,
    testChain,
    owner,
    scene: { pool, pair },
  }) => {
    const by = owner
    const { sealed, change } = recordsOf(service, by).create(
      'VenueObservation',
      {
        status: 'ACTIVE',
        payload: { severity: 'CRITICAL', subject: { venueId: pair.id } },
        reason: 'For the test',
        event: 'anomaly.detected',
      },
      `anomaly_${'0'.repeat(31)}1`,
    )
    await service.services.committer.commit(change)
    const { data } = await score(by, request(testChain, [pool, pair]))
    expect(data.payload.evidence.inputs).toContainEqual({
      name: 'anomaly.0',
      hash: sealed.resourceVersion,
    })
    expect(data.payload.scorePips).toBeLessThanOrEqual(500_000)
    const current = { record: sealed.record, text: sealed.text, lastEvent: change.events[0]!.event }
    const cleared = recordsOf(service, by).supersede(current, {
      status: 'COMPLETED',
      payload: sealed.record.payload,
      reason: 'For the test',
      event: 'anomaly.cleared',
    })
    await service.services.committer.commit(cleared.change)
  })
})

describe('observations that overlap', () => {
  const observationsOf = async (by: TestMember) =>
    (await callOperation<ObservationRecord[]>(by, 'listVenueObservations')).data
  /** Some blocks of an observation, as if they had been read again by themselves. */
  async function readAgain(
    service: TestService,
    testChain: TradedChain,
    by: TestMember,
    from: number,
    to: number,
  ) {
    const records = recordsOf(service, by)
    const before = (await observationsOf(by)).find(
      ({ payload: { range } }) => range.from.number <= from && to <= range.to.number,
    )!
    const { range, events, venue } = before.payload
    const content = Buffer.from(eventsWithin(await records.artifact(events.artifactHash), from, to))
    const artifactHash = `0x${sha256Hex(content)}`
    const count = content.toString().split('\n').length - 1
    const at = async (number: number) => {
      const block = await testChain.chain.publicClient.getBlock({ blockNumber: BigInt(number) })
      const timestamp = new Date(Number(block.timestamp) * 1000).toISOString()
      return { ...range.from, number, hash: block.hash, timestamp }
    }
    const { sealed, change } = records.create('VenueObservation', {
      status: 'COMPLETED',
      payload: {
        ...before.payload,
        range: { from: await at(from), to: await at(to) },
        events: { ...events, artifactHash, count },
      },
      reason: 'For the test',
      event: 'venue.indexed',
    })
    const { id, resourceType, resourceVersion } = sealed.record
    const mediaType = 'application/x-ndjson'
    const producer = { id, resourceType, resourceVersion }
    const artifacts = [{ contentHash: artifactHash, mediaType, content, producer }]
    await service.services.committer.commit({ ...change, artifacts })
    return venue.id
  }

  it('leave the score and the map as they were, whatever was read again and in which order', async ({
    service,
    testChain,
    owner,
    scene: { pool, judged },
  }) => {
    const whole = (await score(owner, request(testChain, [pool]))).data
    const head = judged.payload.lastBlocks[0]!.number
    const by = await newOrganization(service)
    await by.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
    const { body } = await by.client.createVenues({
      body: { ...poolBody(testChain), status: 'VALIDATED' } as never,
    })
    const { id, resourceVersion } = body.data
    const workers = await startWorkers(service.services)
    await indexTo(by, id, undefined, head - 60)
    await indexTo(by, id, undefined, 0)
    await workers.stop()
    const [last, first] = await observationsOf(by)
    // What was made last ends before what was made first.
    expect(last!.payload.range.to.number).toBeLessThan(first!.payload.range.from.number)
    const shown = async () => {
      const { data } = await callOperation<Static<typeof contract.MarketMap>>(
        by,
        'getUnifiedLiquidityMap',
      )
      return data.markets[0]!.asOf[0]!.number
    }
    expect(await shown()).toBe(first!.payload.range.to.number)
    const again = async () =>
      (await score(by, request(testChain, [{ id, resourceVersion }]))).data.payload
    expect((await again()).components).toEqual(whole.payload.components)
    await readAgain(service, testChain, by, head - 90, head - 80)
    await readAgain(service, testChain, by, head - 85, head - 83)
    await readAgain(service, testChain, by, head - 30, head - 30)
    const { status, components, scorePips } = { ...whole, ...whole.payload }
    expect(await again()).toMatchObject({ components, scorePips, state: status })
    expect(await shown()).toBe(first!.payload.range.to.number)
  })
})

describe('observations that left the chain', () => {
  /** A new organization with a venue of the pool, as it is indexed by what `read` does. */
  async function venueRead(
    service: TestService,
    testChain: TradedChain,
    read: (by: TestMember, id: string) => Promise<void>,
  ) {
    const by = await newOrganization(service)
    await by.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
    const { body } = await by.client.createVenues({
      body: { ...poolBody(testChain), status: 'VALIDATED' } as never,
    })
    const { id, resourceVersion } = body.data
    const workers = await startWorkers(service.services)
    await read(by, id)
    await workers.stop()
    return { by, venue: { id, resourceVersion } }
  }

  it('leave the score of a venue unchanged if they were never read', async ({
    service,
    testChain,
  }) => {
    const { chain, markets } = testChain
    const before = await chain.testClient.snapshot()
    const { by, venue } = await venueRead(service, testChain, async (reader, id) => {
      await indexTo(reader, id)
      const kept = await chain.testClient.snapshot()
      for (let swap = 0; swap < 3; swap += 1) await markets.swap(true, 10n ** 19n)
      await chain.mine(70)
      await indexTo(reader, id)
      const [dead] = (await callOperation<ObservationRecord[]>(reader, 'listVenueObservations'))
        .data
      await chain.testClient.revert({ id: kept })
      await markets.swap(false, 10n ** 15n)
      await chain.mine(90)
      await indexTo(reader, id, undefined, dead!.payload.range.to.number + 1)
    })
    const { by: other, venue: clean } = await venueRead(service, testChain, indexTo)
    await chain.testClient.revert({ id: before })
    const window = { from: testChain.window.from, to: '2026-01-05T12:00:00.000Z' }
    const found = (await score(by, request(testChain, [venue], { window }))).data.payload
    const wanted = (await score(other, request(testChain, [clean], { window }))).data.payload
    expect(found.components).toEqual(wanted.components)
    expect([found.scorePips, found.state]).toEqual([wanted.scorePips, wanted.state])
    expect(found.diagnostics).toEqual(wanted.diagnostics)
  })
})

describe('a score that is refused', () => {
  it.for([
    [
      'a window of an hour',
      { window: { from: '2026-01-05T01:00:00.000Z', to: '2026-01-05T02:00:00.000Z' } },
      'payload.window',
    ],
    [
      'a window that has not ended',
      { window: { from: '2026-01-04T01:00:00.000Z', to: '2026-01-06T02:00:00.000Z' } },
      'payload.window.to',
    ],
    [
      'a reference size of nothing',
      { referenceTradeSizeQuote: '0' },
      'payload.referenceTradeSizeQuote',
    ],
    ['a trade of nothing', { tradeSizesQuote: ['1', '0'] }, 'payload.tradeSizesQuote.1'],
  ] as const)('for %s', async ([_, change, field], { testChain, owner, scene: { pool } }) => {
    const answer = await score(owner, request(testChain, [pool], change))
    expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_SCORE_REQUEST_INVALID'])
    expect(Object.keys(answer.fieldErrors)).toContain(field)
  })

  it('for a venue of another pair, or one counted twice', async ({
    testChain,
    owner,
    scene: { pool },
  }) => {
    const other = { ...(request(testChain, [pool]) as { pair: object }).pair, baseDecimals: 6 }
    const answer = await score(owner, request(testChain, [pool], { pair: other }))
    expect([answer.status, Object.keys(answer.fieldErrors)]).toEqual([
      ...[422, ['payload.venues.0', 'payload.pair.baseDecimals']],
    ])
    const twice = await score(
      owner,
      request(testChain, [pool], { reference: { kind: 'VENUE', venue: pool } }),
    )
    expect([twice.status, Object.keys(twice.fieldErrors)]).toEqual([
      ...[422, ['payload.reference.venue']],
    ])
  })

  it('for more samples than it is measured from', async ({ testChain, owner, scene: { pool } }) => {
    const window = { from: '2025-11-01T00:00:00.000Z', to: '2026-01-05T00:00:00.000Z' }
    const answer = await score(owner, request(testChain, [pool], { window, sampleSeconds: 60 }))
    expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_SCORE_SAMPLING_TOO_FINE'])
    expect(answer.fieldErrors['payload.sampleSeconds']![0]).toMatch(
      /at most 60000 samples, got \d+$/,
    )
  })

  it('for more events than the limit', async ({ service, testChain }) => {
    const other = await newOrganization(service)
    const observed = await observedVenues(service, other, testChain)
    const records = recordsOf(service, other)
    const { data } = await callOperation<ObservationRecord[]>(other, 'listVenueObservations')
    const { payload } = data.find((one) => one.payload.venue.id === observed.pool.id)!
    // The same blocks, told to hold more than anybody may ask for.
    const { change } = records.create('VenueObservation', {
      status: 'COMPLETED',
      reason: 'For the test',
      event: 'venue.indexed',
      payload: { ...payload, events: { ...payload.events, count: 400_001 } },
    })
    await service.services.committer.commit(change)
    const answer = await score(other, request(testChain, [observed.pool]))
    expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_SCORE_REQUEST_INVALID'])
    expect(answer.fieldErrors['payload.window']![0]).toMatch(/at most 400000 events, got \d+/)
  })

  it('for venues that are missing, not validated, or of another organization', async ({
    service,
    testChain,
    owner,
    scene: { pool },
  }) => {
    const foreignOwner = await newOrganization(service)
    const foreign = await score(foreignOwner, request(testChain, [pool]))
    expect([foreign.status, foreign.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const stale = await score(
      owner,
      request(testChain, [{ ...pool, resourceVersion: `0x${'9'.repeat(64)}` }]),
    )
    expect(stale.status).toBe(404)
    const body = poolBody(testChain, { address: `0x${'7'.repeat(40)}` })
    const { id, resourceVersion } = (await owner.client.createVenues({ body } as never)).body.data
    const refused = await score(owner, request(testChain, [{ id, resourceVersion }]))
    expect([refused.status, refused.code]).toEqual([409, 'LIQUIDITY_VENUE_NOT_VALIDATED'])
  })

  it('for a venue that was paused after the generation that is named', async ({
    testChain,
    owner,
    scene: { pool, pair },
  }) => {
    const { status, code, fieldErrors } = await whilePaused(owner, pair.id, () =>
      score(owner, request(testChain, [pool, pair])),
    )
    expect([status, code]).toEqual([409, 'LIQUIDITY_VENUE_NOT_VALIDATED'])
    expect(fieldErrors).toEqual({ 'payload.venues.1': ['must be VALIDATED, got PAUSED'] })
    expect((await score(owner, request(testChain, [pool, pair]))).status).toBe(201)
  })
})

describe('the score that holds for a pair', () => {
  it('is activated by an operator, retires the one before, and expires by itself', async ({
    service,
    owner,
    scene: { judged },
  }) => {
    const first = await activate(owner, judged)
    expect([first.status, first.data.status]).toEqual([200, 'ACTIVE'])
    expect(first.data.payload).toEqual(judged.payload)
    const [low, middle, high] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`)
    const own = [high!, middle!]
    const next = await storedScore(service, owner, later(judged, 60_000), 'COMPLETED', own)
    const second = await activate(
      owner,
      { id: next.id },
      { resourceVersion: next.resourceVersion, evidenceHashes: [middle, low] },
    )
    expect(second.data.status).toBe('ACTIVE')
    expect(second.data.evidenceHashes).toEqual([low, middle, high])
    const former = await callOperation<Score>(owner, 'getScores', { params: { id: judged.id } })
    expect(former.data.status).toBe('RETIRED')
    service.clock.advance(7 * 86_400_000)
    // Nobody stays signed in for a week.
    await signInAgain(service, owner)
    await expireScores(service.services)
    const over = await callOperation<Score>(owner, 'getScores', { params: { id: next.id } })
    expect(over.data.status).toBe('EXPIRED')
    await expireScores(service.services)
    expect(
      (await callOperation<Score>(owner, 'getScores', { params: { id: next.id } })).data.sequence,
    ).toBe(over.data.sequence)
  })

  it('cannot be one that is partial, unsure, old, or earlier than the one that holds', async ({
    service,
    owner,
    scene: { judged },
  }) => {
    const fresh = service.clock.read() - Date.parse(judged.payload.window.to)
    const refusalOf = async (payload: ScorePayload, status?: string) => {
      const stored = await storedScore(service, owner, payload, status)
      const { status: code, ...answer } = await activate(owner, stored)
      return [code, answer.code]
    }
    const unfit = [409, 'LIQUIDITY_SCORE_NOT_ACTIVATABLE']
    expect(await refusalOf(later(judged, fresh), 'PARTIAL')).toEqual(unfit)
    expect(await refusalOf(later(judged, fresh, { confidencePips: 599_999 }))).toEqual(unfit)
    const { gradedSize, ...unsized } = later(judged, fresh)
    expect(await refusalOf(unsized)).toEqual(unfit)
    const smaller = { ...gradedSize!, tradeSizeQuote: '1' }
    expect(await refusalOf({ ...unsized, gradedSize: smaller })).toEqual(unfit)
    expect(await refusalOf(later(judged, fresh - 86_400_001))).toEqual([
      409,
      'LIQUIDITY_SCORE_STALE',
    ])
    const holder = await storedScore(service, owner, later(judged, fresh))
    expect((await activate(owner, holder)).status).toBe(200)
    expect(await refusalOf(later(judged, fresh - 60_000))).toEqual([
      409,
      'LIQUIDITY_SCORE_SUPERSEDED',
    ])
  })

  it('cannot rest on a venue that was paused since, or on blocks that left the chain', async ({
    service,
    owner,
    scene: { pool, pair, judged },
  }) => {
    const fresh = service.clock.read() - Date.parse(judged.payload.window.to)
    const stored = await storedScore(service, owner, later(judged, fresh))
    const refused = async () => {
      const { status, code, fieldErrors } = await activate(owner, stored)
      return [status, code, fieldErrors.id]
    }
    const code = 'LIQUIDITY_SCORE_NOT_ACTIVATABLE'
    expect(await whilePaused(owner, pair.id, refused)).toEqual([
      ...[409, code, [`must rest on VALIDATED venues, got PAUSED for ${pair.id}`]],
    ])
    const { organizationId } = recordsOf(service, owner)
    const standing = (isStanding: boolean) =>
      recordsOf(service, owner).query([
        sql`update venue_spans set is_standing = ${isStanding}
          where organization_id = ${organizationId} and venue_id = ${pool.id} returning id`,
      ])
    const [rows] = await standing(false)
    expect(await refused()).toEqual([
      409,
      code,
      [
        `must rest on observations of the current chain, got ${rows!.length} of ${rows!.length} that left it for ${pool.id}`,
      ],
    ])
    await standing(true)
  })

  it('needs a role, the generation that was reviewed, and its own organization', async ({
    service,
    owner,
    scene: { judged },
  }) => {
    const fresh = service.clock.read() - Date.parse(judged.payload.window.to)
    const stored = await storedScore(service, owner, later(judged, fresh))
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    expect((await activate(analyst, stored)).status).toBe(403)
    expect((await activate(owner, { id: stored.id })).status).toBe(428)
    const unknown = `0x${'9'.repeat(64)}`
    expect((await activate(owner, { ...stored, resourceVersion: unknown })).status).toBe(412)
    const foreignOwner = await newOrganization(service)
    expect((await activate(foreignOwner, stored)).status).toBe(404)
  })
})
