import { contract } from '@liquidity-os/contract'
import type { HandlerRequest } from '../../../http/handler.ts'
import { venues } from './records.ts'
import { validateProfile } from './validate-profile.ts'
import { validateVenue } from './validate-venue.ts'
import type { VenueProfile } from './venue.ts'

const operation = contract.supersedeVenues
type Request = HandlerRequest<typeof operation>

export default venues.supersede(operation, {
  admit: (request, { payload }) => requireSameIdentity(request, payload),
  decide: async (request, { payload: before }, to) => {
    const { body, records, services, fail } = request
    requireTrusted(request, before, to)
    const { kind: _kind, address: _address, pair: _pair, ...metadata } = body.payload ?? {}
    const profile = { ...before, ...metadata, tags: [...(metadata.tags ?? before.tags)].sort() }
    const faults = validateProfile(profile)
    if (Object.keys(faults).length > 0) {
      throw fail('LIQUIDITY_VENUE_PROFILE_INVALID', { fieldErrors: faults })
    }
    const isEvaluated =
      body.status === 'VALIDATED' ||
      (to === 'VALIDATED' && (trustsAnother(body, before) || namesPositions(body)))
    const validation = isEvaluated
      ? await validateVenue(records, services, profile)
      : before.validation
    return {
      payload: { ...profile, validation },
      event: `venue.${body.status || isEvaluated ? to.toLowerCase() : 'changed'}`,
    }
  },
})

/**
 * True if the change affects trust in the chain: another provider, or another finality rule, than
 * at validation.
 */
function trustsAnother({ payload }: Request['body'], { read }: VenueProfile): boolean {
  const { providerId, finality } = payload?.read ?? read
  return providerId !== read.providerId || finality !== read.finality
}

/** True if the profile names owned positions. Their owners must be verified on chain. */
const namesPositions = ({ payload }: Request['body']): boolean =>
  (payload?.ownedPositions?.length ?? 0) > 0

/** Only an operator may change the trusted providers of a validated venue. */
function requireTrusted({ body, actor, fail }: Request, before: VenueProfile, to: string): void {
  if (actor.permissions.has('operate') || body.status !== undefined) return
  if (to !== 'VALIDATED' || !trustsAnother(body, before)) return
  throw fail('LIQUIDITY_ROLE_REQUIRED', {
    fieldErrors: {
      'payload.read': [
        'requires an operator if the provider or finality of a VALIDATED venue changes',
      ],
    },
  })
}

/** Kind, address and pair can be repeated, but not changed. */
function requireSameIdentity({ body, fail }: Request, before: VenueProfile): void {
  const { kind, address, pair } = body.payload ?? {}
  const faults: Record<string, string[]> = {}
  const hold = (name: string, came: unknown, is: unknown) => {
    const [stated, stays] = [JSON.stringify(came), JSON.stringify(is)]
    if (came !== undefined && stated !== stays)
      faults[name] = [`must remain ${stays}, got ${stated}`]
  }
  hold('payload.kind', kind, before.kind)
  hold('payload.address', address, before.address)
  hold('payload.pair', pair, before.pair)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_VENUE_IDENTITY_IMMUTABLE', { fieldErrors: faults })
  }
}
