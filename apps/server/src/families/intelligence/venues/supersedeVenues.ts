import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { venueName } from '../../../market/venue-name.ts'
import { recordReply } from '../../record-reply.ts'
import { validateVenue } from './validate-venue.ts'
import { mayMove, profileFaults, type VenueProfile } from './venue.ts'

const operation = contract.supersedeVenues
type Request = HandlerRequest<typeof operation>

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, services, fail } = request
  const current = await records.reviewed<VenueProfile>(
    'VenueProfile',
    params.id,
    request.precondition,
  )
  const from = current.record.status
  const before = current.record.payload
  if (from === 'REVOKED') throw fail('LIQUIDITY_VENUE_TERMINAL')
  requireSameIdentity(request, before)
  const to = body.status ?? from
  if (!mayMove(from, to)) {
    throw fail('LIQUIDITY_VENUE_TRANSITION_REFUSED', {
      fieldErrors: { status: [`a venue that is ${from} cannot become ${to}`] },
    })
  }
  requireOperator(request, { before, to })
  const { kind: _kind, address: _address, pair: _pair, ...metadata } = body.payload ?? {}
  const profile = { ...before, ...metadata, tags: [...(metadata.tags ?? before.tags)].sort() }
  const faults = profileFaults(profile)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_VENUE_PROFILE_INVALID', { fieldErrors: faults })
  }
  const isJudged =
    body.status === 'VALIDATED' || (to === 'VALIDATED' && trustsAnother(body, before))
  const validation = isJudged ? await validateVenue(records, services, profile) : before.validation
  const { sealed, change } = records.supersede(current, {
    status: to,
    payload: { ...profile, validation },
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? current.record.evidenceHashes,
    event: `venue.${body.status || isJudged ? to.toLowerCase() : 'changed'}`,
  })
  // A revoked venue frees its market for another profile.
  const releases = to === 'REVOKED' ? [venueName(before)] : []
  return recordReply(sealed, { ...change, releases })
})

/** Whether the chain would be believed by another provider, or earlier or later, than when the venue was validated. */
function trustsAnother({ payload }: Request['body'], { read }: VenueProfile): boolean {
  const { providerId, finality } = payload?.read ?? read
  return providerId !== read.providerId || finality !== read.finality
}

function requireOperator(
  { body, actor, fail }: Request,
  { before, to }: { before: VenueProfile; to: string },
): void {
  if (actor.permissions.has('operate') || to === 'DRAFT') return
  if (body.status !== undefined) {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: { status: [`${to} needs an operator`] },
    })
  }
  if (to === 'VALIDATED' && trustsAnother(body, before)) {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: {
        'payload.read': ['another provider or finality of a VALIDATED venue needs an operator'],
      },
    })
  }
}

/** Kind, address and pair may be repeated, never changed. */
function requireSameIdentity({ body, fail }: Request, before: VenueProfile): void {
  const { kind, address, pair } = body.payload ?? {}
  const isSame =
    (kind === undefined || kind === before.kind) &&
    (address === undefined || address === before.address) &&
    (pair === undefined || JSON.stringify(pair) === JSON.stringify(before.pair))
  if (!isSame) throw fail('LIQUIDITY_VENUE_IDENTITY_IMMUTABLE')
}
