import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { venueName } from '../../../market/venue-name.ts'
import { sql } from '../../../store/database/sql.ts'
import { recordReply } from '../../record-reply.ts'
import { validateVenue } from './validate-venue.ts'
import { profileFaults, type VenueProfile } from './venue.ts'

export default handle(contract.createVenues, async (request): Promise<Outcome> => {
  const { body, actor, records, organizationId, services, fail } = request
  const status = body.status ?? 'DRAFT'
  if (status === 'VALIDATED' && !actor.permissions.has('operate')) {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: { status: ['VALIDATED needs an operator; create the venue as DRAFT'] },
    })
  }
  const faults = profileFaults(body.payload)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_VENUE_PROFILE_INVALID', { fieldErrors: faults })
  }
  const { kind, name } = venueName(body.payload)
  const claimTaken = async () => {
    const [taken] = await records.query([
      sql`select record_id from names where organization_id = ${organizationId} and kind = ${kind} and name = ${name}`,
    ])
    const holder = taken?.[0]?.record_id
    return holder
      ? fail('LIQUIDITY_VENUE_DUPLICATE', {
          fieldErrors: { 'payload.address': [`is already the venue ${holder}`] },
        })
      : null
  }
  if (status === 'VALIDATED') {
    // Reading the chain is dear, so a venue that exists already is refused before.
    const duplicate = await claimTaken()
    if (duplicate) throw duplicate
  }
  const profile = { ...body.payload, tags: [...body.payload.tags].sort() }
  const validation = status === 'VALIDATED' ? await validateVenue(records, services, profile) : null
  const payload: VenueProfile = { ...profile, validation }
  const { sealed, change } = records.create('VenueProfile', {
    status,
    payload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: status === 'VALIDATED' ? 'venue.validated' : 'venue.created',
  })
  const claims = [{ kind, name, recordId: sealed.record.id }]
  return { ...recordReply(sealed, { ...change, claims }, 201), claimTaken }
})
