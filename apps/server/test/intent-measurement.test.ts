// @covers apps/server/src/families/plan/intents

import { contract, responseExamples } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { measureIntents } from '../src/families/plan/intents/measurement/intent-sweep.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { type ScorePayload, storedActiveScore, storedScore } from './support/scoring.ts'
import {
  newOrganization,
  signInAgain,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Intent = VersionedRecord<contract.IssuerIntent>
type Input = contract.IssuerIntentInput
type Shown = {
  eventId: string | null
  measurement: contract.IntentMeasurement | null
}

const reason = 'For the test'
const inDays = (service: TestService, days: number) =>
  new Date(service.clock.read() + days * dayMilliseconds).toISOString()
const sound = contract.createIntents.example.body.payload as unknown as Input
const atLeast = (metric: Input['success'][number]['metric'], value: string) => ({
  metric,
  comparator: 'GTE' as const,
  value,
  windowDays: 7,
})

async function stated(
  service: TestService,
  owner: TestMember,
  change: Partial<Input> = {},
): Promise<Intent> {
  const payload = {
    ...sound,
    horizon: { from: inDays(service, 0), to: inDays(service, 60) },
    success: [
      { ...atLeast('DEPTH_QUOTE', `${100_000n * 10n ** 18n}`), movePips: 20_000 },
      atLeast('SCORE_PIPS', '700000'),
    ],
    ...change,
  }
  const response = await callOperation<{ intent: Intent }>(owner, 'createIntents', {
    body: { payload, status: 'VALIDATED', reason },
  })
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data.intent
}

/** A score of the pair of the intent over the last days, as it is activated. */
async function scored(service: TestService, owner: TestMember, change: Partial<ScorePayload> = {}) {
  return storedActiveScore(service, owner, measuredPayload(service, change))
}

/** The same before it is activated. */
const measuredScore = (
  service: TestService,
  owner: TestMember,
  change: Partial<ScorePayload> = {},
) => storedScore(service, owner, measuredPayload(service, change))

function measuredPayload(service: TestService, change: Partial<ScorePayload>): ScorePayload {
  const { data } = responseExamples.activateMarketQualityScore as {
    data: VersionedRecord<ScorePayload>
  }
  const pair = pairOfIntent()
  const [point] = data.payload.course
  return {
    ...data.payload,
    request: { ...data.payload.request, pair },
    state: 'COMPLETED',
    scorePips: 650_000,
    window: { from: inDays(service, -7), to: inDays(service, 0), sampleSeconds: 300 },
    course: [1, 2, 3].map((days) => ({
      ...point!,
      from: inDays(service, -days),
      samples: 288,
      depthBuyQuote: `${200_000n * 10n ** 18n}`,
      depthSellQuote: `${150_000n * 10n ** 18n}`,
    })),
    validUntil: inDays(service, 7),
    ...change,
  }
}
const tokenOf = (name: 'token' | 'quote') => sound[name].split(':').at(-1) as `0x${string}`

/** Two sweeps, as two nodes would make them, and what is shown of an intent then. */
async function measured(service: TestService, owner: TestMember, { id }: Intent): Promise<Shown> {
  await measureIntents(service.services)
  await measureIntents(service.services)
  const response = await callOperation<Shown>(owner, 'readIntentMeasurement', { params: { id } })
  expect(response.status).toBe(200)
  return response.data
}
const eventsOf = async (owner: TestMember, { id }: Intent) => {
  const query = { kind: 'intent.measured', limit: '100' }
  const { data } = await callOperation<contract.EventsRead>(owner, 'listEvents', { query })
  return data.events.filter(({ subject }) => subject.id === id)
}

async function pass(service: TestService, owner: TestMember, milliseconds: number) {
  service.clock.advance(milliseconds)
  // Sessions end meanwhile.
  await signInAgain(service, owner)
}

it('is measured against the ACTIVE score of its pair, and the reviewed record stays unchanged', async ({
  service,
  owner,
}) => {
  const intent = await stated(service, owner)
  const none = await measured(service, owner, intent)
  expect(none.measurement).toMatchObject({
    state: 'ABSTAINED',
    source: null,
    success: [{ reasons: ['NO_SCORE'] }, { reasons: ['NO_SCORE'] }],
  })
  await pass(service, owner, 3.5 * dayMilliseconds)
  // A score of another pair says nothing.
  await scored(service, owner, { request: { ...exampleRequest(), pair: otherPair() } })
  expect((await measured(service, owner, intent)).measurement?.state).toBe('ABSTAINED')
  // A score that nobody activated does not take its place, however new.
  await measuredScore(service, owner)
  expect((await measured(service, owner, intent)).measurement?.state).toBe('ABSTAINED')
  const score = await scored(service, owner)
  const shown = await measured(service, owner, intent)
  expect(shown.measurement).toMatchObject({
    measuredAt: inDays(service, 0),
    state: 'PARTIAL',
    source: { id: score.id, resourceVersion: score.resourceVersion },
    success: [
      { result: 'MET', observed: `${150_000n * 10n ** 18n}`, reasons: ['WINDOW_SHORTER'] },
      { result: 'MISSED', observed: '650000', reasons: ['WINDOW_LONGER'] },
    ],
  })
  const events = await eventsOf(owner, intent)
  expect([events.length, events.at(-1)?.id]).toEqual([3, shown.eventId])
  expect(events.at(-1)?.payload).toEqual(shown.measurement)
  const read = await callOperation<Intent>(owner, 'getIntents', { params: { id: intent.id } })
  expect(read.data.resourceVersion).toBe(intent.resourceVersion)

  // What is the same is told once a day.
  await pass(service, owner, hourMilliseconds)
  expect((await measured(service, owner, intent)).eventId).toBe(shown.eventId)
  await pass(service, owner, dayMilliseconds)
  expect((await measured(service, owner, intent)).eventId).not.toBe(shown.eventId)
  await pass(service, owner, 7 * dayMilliseconds)
  expect((await measured(service, owner, intent)).measurement).toMatchObject({
    state: 'ABSTAINED',
    source: { id: score.id },
    success: [{ reasons: ['SCORE_EXPIRED'] }, { reasons: ['SCORE_EXPIRED'] }],
  })
})

it('says that the score covers venues that the limits of the intent rule out', async ({
  service,
  owner,
}) => {
  const [id, other] = [await storedVenue(service, owner), await storedVenue(service, owner)]
  const limited = (change: Partial<Input['limits']>) =>
    stated(service, owner, { limits: { ...sound.limits, ...change } })
  const allowed = await limited({ venueAllow: [id, other] })
  const denied = await limited({ venueDeny: [id] })
  const partly = await limited({ venueAllow: [other] })
  await pass(service, owner, 7 * dayMilliseconds)
  const venues = [{ ...exampleRequest().venues[0]!, id }]
  const pair = pairOfIntent()
  await scored(service, owner, { request: { ...exampleRequest(), pair, venues } })
  const reasonsOf = async (intent: Intent) =>
    (await measured(service, owner, intent)).measurement?.success.map(({ reasons }) => reasons)
  expect(await reasonsOf(allowed)).toEqual([[], []])
  const outside = ['VENUES_OUTSIDE_LIMITS']
  expect(await reasonsOf(denied)).toEqual([outside, outside])
  expect(await reasonsOf(partly)).toEqual([outside, outside])
})

it('is measured while it is validated and its horizon lasts', async ({ service, owner }) => {
  await scored(service, owner)
  const later = await stated(service, owner, {
    horizon: { from: inDays(service, 5), to: inDays(service, 6) },
  })
  expect(await measured(service, owner, later)).toMatchObject({ eventId: null, measurement: null })
  const paused = await stated(service, owner)
  const response = await callOperation(owner, 'supersedeIntents', {
    params: { id: paused.id },
    ifMatch: paused.resourceVersion,
    body: { status: 'PAUSED', reason },
  })
  expect(response.status).toBe(200)
  expect((await measured(service, owner, paused)).measurement).toBe(null)
  await pass(service, owner, 5 * dayMilliseconds)
  expect((await measured(service, owner, later)).measurement).not.toBe(null)
  const last = await measured(service, owner, later)
  await pass(service, owner, 3 * dayMilliseconds)
  expect((await measured(service, owner, later)).eventId).toBe(last.eventId)
})

it('is shown to its organization alone, and its history verifies', async ({ service, owner }) => {
  const intent = await stated(service, owner)
  const foreignOwner = await newOrganization(service)
  const response = await callOperation(foreignOwner, 'readIntentMeasurement', {
    params: { id: intent.id },
  })
  expect([response.status, response.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
  const { database, artifacts } = service.services
  const { faults } = await verifyHistory(database, owner.organizationId, artifacts)
  // The staged scores name venues of another organization, and staged venues hold no names.
  expect(faults.filter(({ subject }) => !/^(score|venue)_/.test(subject))).toEqual([])
})

const exampleRequest = () => {
  const { data } = responseExamples.activateMarketQualityScore as {
    data: VersionedRecord<ScorePayload>
  }
  return data.payload.request
}
const pairOfIntent = () => ({
  ...exampleRequest().pair,
  base: tokenOf('token'),
  quote: tokenOf('quote'),
})
/** A venue of the pair of the intent, by its id. */
async function storedVenue(service: TestService, owner: TestMember): Promise<string> {
  const { payload } = contract.createVenues.example.body
  const { sealed, change } = recordsOf(service, owner).create('VenueProfile', {
    status: 'DRAFT',
    reason,
    event: 'venue.created',
    payload: { ...payload, pair: pairOfIntent() },
  })
  await service.services.committer.commit(change)
  return sealed.record.id
}
const otherPair = () => ({
  ...exampleRequest().pair,
  base: tokenOf('quote'),
  quote: tokenOf('token'),
})
