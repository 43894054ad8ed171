import { isDeepStrictEqual } from 'node:util'
import type { contract } from '@liquidity-os/contract'
import { sweepOverdue } from '../../../../jobs/overdue.ts'
import type { Sweep } from '../../../../jobs/sweeps.ts'
import { namedAsset } from '../../../../market/treasury/asset-keys.ts'
import type { Change } from '../../../../store/records/change.ts'
import { headsStatement } from '../../../../store/records/find.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../../units.ts'
import { activeScoreOf, type ScoreRecord } from '../../../intelligence/scores/api.ts'
import { intents } from '../records.ts'
import { refOf } from '../written-intent.ts'
import { measurementState, measureSuccess, notMeasured } from './measure-success.ts'

type Measurement = contract.IntentMeasurement

const measuredKind = 'intent.measured'

/** Measures every validated intent within its horizon. */
export const measureIntents: Sweep['run'] = (services) =>
  sweepOverdue(services, {
    actor: 'intent-measurement',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'IssuerIntent', { status: ['VALIDATED'], order: 'OLDEST' }),
    end: measureIntent,
  })

/**
 * Measurement of an intent as an event. Null outside its horizon, or if the result is unchanged and
 * the last one is from the current day.
 */
async function measureIntent(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await intents.current(records, id)
  if (current?.record.status !== 'VALIDATED') return null
  const { request } = current.record.payload
  const [from, to] = [Date.parse(request.horizon.from), Date.parse(request.horizon.to)]
  if (records.now < from || records.now >= to) return null
  const measurement = await measure(records, request, from)
  const last = await lastMeasurement(records, id)
  if (last && isAlreadyReported(last.measurement, measurement, records.now)) return null
  return records.note(current, measuredKind, { ...measurement })
}

async function measure(
  records: TenantRecords,
  request: contract.IssuerIntentInput,
  from: number,
): Promise<Measurement> {
  const score = await activeScore(records, request, from)
  const isOver = score !== null && Date.parse(score.payload.validUntil) <= records.now
  const success = request.success.map((wanted) => {
    if (score === null) return notMeasured(wanted, 'NO_SCORE')
    if (isOver) return notMeasured(wanted, 'SCORE_EXPIRED')
    const measured = measureSuccess(wanted, score.payload, from)
    const isWithin = isWithinLimits(score, request.limits)
    return isWithin ? measured : { ...measured, reasons: [...measured.reasons, outsideLimits] }
  })
  return {
    measuredAt: new Date(records.now).toISOString(),
    state: measurementState(success),
    source: score && refOf(score),
    success,
  }
}

/** The ACTIVE score of the pair; null if its window ends before the horizon begins. */
async function activeScore(
  records: TenantRecords,
  { token, quote }: Pick<contract.IssuerIntentInput, 'token' | 'quote'>,
  from: number,
): Promise<ScoreRecord | null> {
  const [base, other] = [namedAsset(token), namedAsset(quote)]
  if (base.kind !== 'TOKEN' || other.kind !== 'TOKEN') return null
  const { chainId, address } = base
  const found = await activeScoreOf(records, { chainId, base: address, quote: other.address })
  return found && Date.parse(found.record.payload.window.to) > from ? found.record : null
}

const outsideLimits = 'VENUES_OUTSIDE_LIMITS' as const

/** True if the intent may use every venue that the score covers. */
function isWithinLimits(
  { payload }: ScoreRecord,
  { venueAllow, venueDeny = [] }: contract.IssuerIntentInput['limits'],
): boolean {
  return payload.request.venues.every(
    ({ id }) => (venueAllow?.includes(id) ?? true) && !venueDeny.includes(id),
  )
}

/** True if the result equals the last one and is less than a day old. */
function isAlreadyReported(last: Measurement, measurement: Measurement, now: number): boolean {
  const isSame = isDeepStrictEqual(
    { ...last, measuredAt: null },
    { ...measurement, measuredAt: null },
  )
  return isSame && now - Date.parse(last.measuredAt) < dayMilliseconds
}

export async function lastMeasurement(records: TenantRecords, id: string) {
  const [event] = await records.events(id, { kinds: [measuredKind], order: 'NEWEST', limit: 1 })
  // The sweep above wrote this.
  return event ? { eventId: event.id, measurement: event.payload as unknown as Measurement } : null
}
