import { contract } from '@liquidity-os/contract'
import { venues } from './records.ts'
import { validateProfile } from './validate-profile.ts'
import { validateVenue } from './validate-venue.ts'

export default venues.create(contract.createVenues, async (request, status) => {
  const { body, records, services, fail } = request
  const faults = validateProfile(body.payload)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_VENUE_PROFILE_INVALID', { fieldErrors: faults })
  }
  const profile = { ...body.payload, tags: [...body.payload.tags].sort() }
  if (status !== 'VALIDATED') {
    return { payload: { ...profile, validation: null }, event: 'venue.created' }
  }
  // Checks for duplicates first: chain reads are expensive.
  const duplicate = await venues.takenBy(records, { ...profile, validation: null }, status)
  if (duplicate) throw duplicate
  const validation = await validateVenue(records, services, profile)
  return { payload: { ...profile, validation }, event: 'venue.validated' }
})
