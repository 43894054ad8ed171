import type { FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import { validatePair } from '../../../../market/pair.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { PlanRequest, PlanVenue, VenueProfile } from '../plan-types.ts'

interface Target {
  readonly venue: { readonly id: string; readonly resourceVersion: string }
  readonly tickLower?: number
  readonly tickUpper?: number
}

/** Path of a venue reference in the request, with its range. */
interface Mention extends Target {
  readonly path: string
  readonly isTarget: boolean
}

/**
 * Current versions of the venues in a plan, sources first.
 *
 * @throws Failure 404 for an unknown version, 409 for an unvalidated venue, 422 for another pair or
 * a range outside the venue's limits
 */
export async function venuesOf(
  records: TenantRecords,
  request: PlanRequest,
  targets: readonly Target[],
): Promise<PlanVenue[]> {
  const targetPath = 'positions' in request.to ? 'payload.to.positions' : 'payload.to.allocation'
  const mentions: Mention[] = [
    ...request.from.positions.map((one, index) => ({
      ...one,
      path: `payload.from.positions.${index}`,
      isTarget: false,
    })),
    ...targets.map((one, index) => ({ ...one, path: `${targetPath}.${index}`, isTarget: true })),
  ]
  const venues = new Map<string, PlanVenue>()
  const faults: FieldErrors = {}
  for (const mention of mentions) {
    const { id, resourceVersion } = mention.venue
    const named = await records.version<VenueProfile>('VenueProfile', id, resourceVersion)
    if (!named) {
      throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
        fieldErrors: {
          [`${mention.path}.venue`]: [`must be a stored version, got ${id} ${resourceVersion}`],
        },
      })
    }
    const venue = venues.get(id) ?? (await currentVenue(records, id))
    requireStatus(venue, mention)
    Object.assign(faults, validateMention(request, venue, mention))
    venues.set(id, venue)
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_MIGRATION_INPUT_INVALID', { fieldErrors: faults })
  }
  return [...venues.values()]
}

/** Current version of a venue. An existing plan continues with it. */
export async function currentVenue(records: TenantRecords, id: string): Promise<PlanVenue> {
  const current = await records.current<VenueProfile>('VenueProfile', id)
  if (!current) throw new Error(`The venue ${id} of a sealed record does not exist.`)
  const { status, payload: profile } = current.record
  return { id, status, profile }
}

/** A target may be a draft: a pool that does not exist yet cannot be validated. */
function requireStatus({ id, status }: PlanVenue, { path, isTarget }: Mention): void {
  if (status === 'VALIDATED' || (isTarget && status === 'DRAFT')) return
  throw new Failure('LIQUIDITY_MIGRATION_VENUE_NOT_VALIDATED', {
    fieldErrors: { [`${path}.venue`]: [`must be VALIDATED, but ${id} is ${status}`] },
  })
}

function validateMention(
  { pair }: PlanRequest,
  { profile }: PlanVenue,
  { path, isTarget, ...named }: Mention,
): FieldErrors {
  const faults = validatePair(pair, profile.pair, 'payload.pair')
  const { tickLower, tickUpper } = named
  const hasRange = tickLower !== undefined && tickUpper !== undefined
  if (profile.kind === 'STABLESWAP') {
    return {
      ...faults,
      [`${path}.venue`]: ['must not be a STABLESWAP venue: migrations do not support it'],
    }
  }
  if (profile.kind === 'UNISWAP_V2') {
    if (tickLower !== undefined || tickUpper !== undefined || 'tokenId' in named) {
      faults[`${path}.tickLower`] = ['must be omitted for a v2 pair']
    }
    return faults
  }
  const spacing = profile.tickSpacing ?? 1
  if (!hasRange) faults[`${path}.tickLower`] = ['and tickUpper are required for a v3 pool']
  else if (tickLower >= tickUpper) faults[`${path}.tickUpper`] = [`must be above ${tickLower}`]
  else if (isTarget && (tickLower % spacing !== 0 || tickUpper % spacing !== 0)) {
    faults[`${path}.tickLower`] = [`and tickUpper must be multiples of ${spacing}`]
  }
  return faults
}
