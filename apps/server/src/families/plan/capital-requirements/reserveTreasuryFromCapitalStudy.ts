import { contract, type FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { required } from '../../../required.ts'
import { joinChanges } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import {
  liveReservations,
  type RequestedReservation,
  reservableHoldings,
  reserveHoldings,
} from '../treasury-entries/api.ts'
import { capitalRequirements } from './records.ts'

type Request = HandlerRequest<typeof contract.reserveTreasuryFromCapitalStudy>
type Study = contract.CapitalRequirementStudy

const maxDays = 90

export default handle(contract.reserveTreasuryFromCapitalStudy, async (request) => {
  const { params, body, records, services, precondition } = request
  // Checks that the organization has the record before the precondition on its version.
  if (!(await capitalRequirements.current(records, params.id))) {
    throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  }
  const named = reviewedVersion(precondition, body.studyResourceVersion, 'studyResourceVersion')
  if (named === null) throw new Failure('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  request.requireRecentAuthentication()
  const current = await records.reviewed<Study>('CapitalRequirementStudy', params.id, named)
  const { record } = current
  const { id, resourceType, resourceVersion, payload: study } = record
  if (study.total === null) {
    throw new Failure('LIQUIDITY_CAPITAL_STUDY_UNUSABLE', { fieldErrors: { id: ['abstained'] } })
  }
  requireForm(request)
  const requested = reservationsOf(body)
  const held = await reservableHoldings(records, requested, invalid)
  const assets = held.map(({ holding }) => holding.asset)
  await requireNeeded(records, { id, study }, requested, assets)
  const { reason, purpose } = body
  const { reservations, sources, change } = await reserveHoldings(
    records,
    services,
    held,
    requested,
    {
      purpose,
      reason,
      capitalRequirement: { id, resourceType, resourceVersion },
    },
  )
  return {
    status: 201,
    data: {
      reservations: reservations.map((sealed) => sealed.record),
      sources: sources.map((sealed) => sealed.record),
      capitalRequirement: record,
      executionAuthorityGranted: false,
    },
    // The note makes concurrent requests for one study conflict, even for different holdings: the
    // later one retries and sees the reservations of the first.
    change: joinChanges(
      change,
      records.note(current, 'capital_requirement.reserved', {
        reservations: reservations.map(({ record: one }) => one.id),
      }),
    ),
  }
})

const invalid = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_TREASURY_RESERVATION_INVALID', { fieldErrors })

const reservationsOf = ({ reservations }: Request['body']): RequestedReservation[] =>
  reservations.map(({ entry, quantity, expiresAt }, index) => ({
    entry,
    expiresAt,
    quantity: BigInt(quantity),
    at: `reservations.${index}`,
  }))

/** Validates the request without records. @throws Failure 422 */
function requireForm({ body, now }: Request): void {
  const faults: FieldErrors = {}
  const latest = now + maxDays * dayMilliseconds
  for (const [index, { entry, quantity, expiresAt }] of body.reservations.entries()) {
    const at = `reservations.${index}`
    const isTwice = body.reservations.findIndex((one) => one.entry.id === entry.id) !== index
    if (isTwice) faults[`${at}.entry`] = ['must be unique']
    if (quantity === '0') faults[`${at}.quantity`] = ['must be above 0, got 0']
    const ends = Date.parse(expiresAt)
    if (ends <= now || ends > latest) {
      const [first, last] = [now, latest].map((time) => new Date(time).toISOString())
      faults[`${at}.expiresAt`] = [`must be after ${first} and at most ${last}, got ${expiresAt}`]
    }
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/**
 * Limits reservations to the study's need per token, including existing ones. @throws Failure 422
 */
async function requireNeeded(
  records: TenantRecords,
  { id, study: { request, total } }: { readonly id: string; readonly study: Study },
  requestedValue: readonly RequestedReservation[],
  assets: readonly string[],
): Promise<void> {
  const live = (await liveReservations(records)).filter(
    ({ payload }) => payload.capitalRequirement.id === id,
  )
  const faults: FieldErrors = {}
  const remaining = new Map(
    (['token', 'quote'] as const).map((side) => {
      const asset = request[side]
      const reserved = live
        .filter(({ payload }) => payload.asset === asset)
        .reduce((sum, { payload }) => sum + BigInt(payload.quantity), 0n)
      return [asset, BigInt(total?.[side] ?? '0') - reserved]
    }),
  )
  for (const [index, { quantity, at }] of requestedValue.entries()) {
    const asset = required(assets[index], `asset of the reservation ${index}`)
    const before = remaining.get(asset)
    if (before === undefined) {
      faults[`${at}.entry`] = [
        `must hold ${request.token} or ${request.quote}, the assets of the study, got ${asset}`,
      ]
    } else if (quantity > before) {
      faults[`${at}.quantity`] = [
        `must be at most ${before}, the unreserved requirement of ${asset} in the study, got ${quantity}`,
      ]
    } else remaining.set(asset, before - quantity)
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}
