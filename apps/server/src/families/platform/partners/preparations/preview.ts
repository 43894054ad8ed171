import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import type { HandlerRequest } from '../../../../http/handler.ts'
import { dayMilliseconds } from '../../../../units.ts'
import { previewedPacket } from '../../../operate/proposals/api.ts'
import { findStandingPartner } from '../consents/find-partner.ts'
import { consents } from '../records.ts'
import { isActive } from './live-consents.ts'
import { movedSince } from './moved-since.ts'
import type { Moved } from './vault-context.ts'

type Preview = contract.PartnerPreparationPreview
type Asking = Pick<HandlerRequest<unknown>, 'records' | 'services' | 'actor' | 'now'>

const unknown = (moved: readonly Moved[], code: string, detail: string): Preview => ({
  moved: [...moved],
  simulation: null,
  policyChecks: [],
  decodedCalls: [],
  flags: [],
  gaps: [{ code, detail: detail.slice(0, 500) }],
})

export const notRequested: Preview = unknown(
  [],
  'PREVIEW_NOT_ASKED',
  'Only the first open preparations of a page get a preview. Request a page that begins with this one.',
)

/** Preview of an import of an open preparation, with its obstacles. It stores no data. */
export async function previewOf(
  { records, services, actor, now }: Asking,
  payload: contract.PartnerPreparation,
): Promise<Preview> {
  const consent = await consents.current(records, payload.consent.id)
  if (!consent || !isActive(consent.record, now)) {
    return unknown([], 'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT', 'Its consent is no longer valid.')
  }
  if (!(await findStandingPartner(services, payload.partnerId))) {
    const stated = 'Its partner is not ACTIVE. Import requires an ACTIVE partner.'
    return unknown([], 'LIQUIDITY_PARTNER_NOT_ACTIVE', stated)
  }
  const moved = await movedSince(records, services, payload, consent.record)
  // The importing user chooses the reviewers; the preview assumes one reviewer for one day.
  const review = { required: 1, expiresAt: new Date(now + dayMilliseconds).toISOString() }
  try {
    const { simulation, packets, flags } = await previewedPacket(records, services, {
      input: { ...payload.packet, review },
      importedBy: actor.userId,
    })
    return {
      moved,
      simulation,
      flags,
      gaps: [],
      policyChecks: packets.map(({ policyCheck }) => policyCheck),
      decodedCalls: packets.map(({ decodedCalls }) => decodedCalls),
    }
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    const statement = Object.values(cause.detail.fieldErrors ?? {}).flat()
    return unknown(moved, cause.code, [cause.message, ...statement].join(' '))
  }
}
