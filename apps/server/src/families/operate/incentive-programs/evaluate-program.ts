import { roundHalfEven, toPips } from '@liquidity-os/engine/numerics'
import { H } from '@liquidity-os/evidence'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { historyOf, observationsWithin } from '../../../market/venue-history.ts'
import { required } from '../../../required.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { EvaluationTask, Interval, MeasuredProgram } from './evaluate-task.ts'
import type { PaidByDay } from './paid-ledger.ts'
import { evaluateInThread } from './plan-in-thread.ts'
import { type Evaluation, type ProgramPayload, seconds } from './read-program.ts'

const MILLION = 1_000_000
const daysToRevoke = 14

/**
 * Effect of a program so far, from sealed venue data since the start of its baseline.
 *
 * @param paid amounts sent by its distributors; null if unknown
 */
export async function evaluateProgram(
  records: TenantRecords,
  services: Pick<Services, 'background'>,
  payload: ProgramPayload,
  paid: PaidByDay | null,
): Promise<Evaluation> {
  const { request } = payload
  const window = { from: seconds(request.baseline.from), to: Math.floor(records.now / 1000) }
  const refs = [...request.venues.map(({ venue }) => venue), ...(request.baseline.controls ?? [])]
  const venues = await Promise.all(
    refs.map(async ({ id, resourceVersion }) => {
      const found = await records.version<VenueRecord['payload']>(
        ...(['VenueProfile', id, resourceVersion] as const),
      )
      if (!found) throw new Error(`${id} of a program is not stored.`)
      return found.record
    }),
  )
  const observations = await observationsWithin(
    records,
    refs.map(({ id }) => id),
    window,
  )
  const histories = await Promise.all(
    venues.map((venue) => historyOf(records, venue, observations.get(venue.id) ?? [])),
  )
  const task: EvaluationTask = {
    venues: payload.baseline.venues.map((venue, index) => ({
      history: histories[index]!,
      depth: Number(venue.depthQuote),
      ownShare: venue.ownSharePips / MILLION,
      volumePerDay: Number(venue.volumePerDay),
      feeShare: Number(venue.feesPerDay) / Math.max(1, Number(venue.volumePerDay)),
      elasticity: venue.elasticityPips / MILLION,
      plannedPerDay: rewardQuote(payload, index),
      paid: paidQuote(payload, paid, index),
      weeksOn: payload.result.allocation[index]?.weeksOn ?? null,
    })),
    controls: histories.slice(request.venues.length),
    window,
    start: seconds(request.start),
    days: request.days,
    confidence: request.confidencePips / MILLION,
    forecastLow: lowOf(payload),
  }
  const measured = await evaluateInThread(services.background, task)
  const inputs = [...observations.values()].flat().map(({ resourceVersion }) => resourceVersion)
  const paidReward = paid && [...paid.values()].flat().reduce((sum, amount) => sum + amount, 0n)
  return evaluationOf(measured, payload, records.now, { inputs, paidReward })
}

const lowOf = ({ result }: ProgramPayload) => {
  const lift = result.forecast.depthLiftPips
  return lift ? lift.lowPips / MILLION : null
}

function rewardQuote(payload: ProgramPayload, index: number): number {
  return Number(payload.result.allocation[index]?.rewardPerDay ?? '0') * priceOf(payload)
}

/** Quote per reward atom, as the program was planned with. */
const priceOf = ({ evidence }: ProgramPayload) =>
  Number(evidence.assumptions.find(({ code }) => code === 'REWARD_PRICE')?.value ?? '0')

/**
 * Payments per venue and day, in quote. A distributor shared by venues is split by the planned
 * shares.
 */
function paidQuote(
  payload: ProgramPayload,
  paid: PaidByDay | null,
  index: number,
): number[] | null {
  // Without a price the payments have no known value.
  if (paid === null || !(priceOf(payload) > 0)) return null
  const { venues, days } = payload.request
  const distributorOf = (at: number) =>
    required(venues[at], `venue ${at} of the program`).attestation.distributor.toLowerCase()
  const distributor = distributorOf(index)
  const planned = (at: number) => Number(payload.result.allocation[at]?.rewardPerDay ?? '0')
  const together = venues.reduce(
    (sum, _, at) => sum + (distributorOf(at) === distributor ? planned(at) : 0),
    0,
  )
  const share = together > 0 ? planned(index) / together : 0
  const sent = paid.get(distributor) ?? new Array<bigint>(days + 1).fill(0n)
  return sent.map((amount) => Number(amount) * share * priceOf(payload))
}

function evaluationOf(
  measured: MeasuredProgram,
  { request }: ProgramPayload,
  now: number,
  { inputs, paidReward }: { inputs: readonly string[]; paidReward: bigint | null },
): Evaluation {
  const pips = (interval: Interval | null) =>
    interval && {
      estimatePips: bounded(interval.estimate),
      lowPips: bounded(interval.low),
      highPips: bounded(interval.high),
    }
  const { response, speedPerDay, placeboP, depthDays, costPerDepthDay } = measured
  const passed = Math.floor((now - Date.parse(request.start)) / dayMilliseconds)
  return {
    state: measured.state,
    reasons: measured.reasons,
    through: new Date(now).toISOString(),
    dayOfProgram: Math.max(0, passed),
    method: measured.method,
    liftPips: pips(measured.lift),
    responsePips: pips(response),
    responseErrorPips: response ? bounded(response.standardError) : null,
    speedPerDayPips: speedPerDay === null ? null : bounded(speedPerDay),
    placeboPPips: placeboP === null ? null : bounded(placeboP),
    paidReward: paidReward === null ? null : `${paidReward}`,
    depthDays: depthDays === null ? null : `${roundHalfEven(depthDays)}`,
    costPerDepthDayPips: costPerDepthDay === null ? null : bounded(costPerDepthDay),
    retention: measured.retention.map(({ daysAfter, share: retained }) => ({
      daysAfter,
      keptPips: bounded(retained),
    })),
    daysUnderForecast: measured.daysUnderForecast,
    recommendation: measured.daysUnderForecast >= daysToRevoke ? 'REVOKE' : 'NONE',
    inputsHash: H('incentive-evaluation-inputs/v1', [...inputs].sort()),
  }
}

/** Share in pips, clamped to the range of the record. */
function bounded(share: number): number {
  return Math.min(Math.max(toPips(Math.min(Math.max(share, -1000), 1_000_000)), -1e9), 1e12)
}
