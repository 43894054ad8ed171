import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type HandlerRequest, handle, type Outcome } from '../../../../http/handler.ts'
import { joinChanges } from '../../../../store/records/change.ts'
import type { Current } from '../../../../store/records/tenant-records.ts'
import { importedPacket } from '../../../operate/proposals/api.ts'
import { recordReply } from '../../../record-reply.ts'
import { findStandingPartner } from '../consents/find-partner.ts'
import { consents } from '../records.ts'
import { isActive, refOf, scopesOf } from './live-consents.ts'
import { movedSince } from './moved-since.ts'
import { requireOpen } from './open-preparation.ts'
import { packetHashOf } from './packet-hash.ts'
import { settled } from './settle.ts'
import { within } from './within.ts'

const operation = contract.importPartnerPreparation
type Request = HandlerRequest<typeof operation>
type Preparation = contract.PartnerPreparation

/**
 * Creates a proposal from a partner's preparation. All data is derived from the organization's own
 * records, never from the partner's statements.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, params, records, services, actor } = request
  const current = await requireOpen(records, params.eventId)
  const { payload } = current.record
  requireReviewed(request, payload)
  const consent = await requireConsent(request, payload)
  await requirePartner(request, payload)
  await requireUnmoved(request, payload, consent.record)
  const { partnerId, eventId, packetHash, packet } = payload
  const { sealed, change } = await within('packet', () =>
    importedPacket(records, services, {
      input: { ...packet, review: body.review },
      importedBy: actor.userId,
      importedFrom: { partnerId, eventId, packetHash },
      reason: body.reason,
      evidenceHashes: current.record.evidenceHashes,
    }),
  )
  const { change: settling } = await settled(services, records, current, {
    state: 'IMPORTED',
    because: body.reason,
    visibleReason: null,
    proposal: refOf(sealed.record),
  })
  const { id, sequence } = consent.record
  const whole = joinChanges(change, settling)
  return recordReply(sealed, { ...whole, expects: [...whole.expects, { id, sequence }] }, 201)
})

/** @throws Failure 412 if the recomputed packet hash differs from the reviewed one */
function requireReviewed({ body, fail }: Request, payload: Preparation): void {
  const packetHash = packetHashOf(payload)
  if (packetHash !== payload.packetHash) {
    throw new Error(`The packet of ${payload.eventId} does not match its receipt.`)
  }
  if (packetHash === body.expectedPacketHash) return
  throw fail('LIQUIDITY_PARTNER_PACKET_CHANGED', {
    fieldErrors: {
      expectedPacketHash: [`must be ${packetHash}, got ${body.expectedPacketHash}`],
    },
  })
}

/** @throws Failure 409 if the basis of the preparation is no longer valid */
async function requireConsent(
  { records, now, fail }: Request,
  { consent: { id } }: Preparation,
): Promise<Current<contract.PartnerConsent>> {
  const current = await consents.current(records, id)
  if (!current) throw new Error(`${id} was granted but is not stored.`)
  const { record } = current
  if (isActive(record, now) && scopesOf(record.payload).includes('PROPOSAL_PREPARE')) {
    return current
  }
  throw fail('LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT', {
    fieldErrors: { eventId: [`was prepared under ${id}, which is no longer valid`] },
  })
}

/** @throws Failure 409 if the partner is not active */
async function requirePartner(
  { services, fail }: Request,
  { partnerId }: Preparation,
): Promise<void> {
  if (await findStandingPartner(services, partnerId)) return
  throw fail('LIQUIDITY_PARTNER_NOT_ACTIVE', {
    fieldErrors: { eventId: [`was prepared by ${partnerId}, which is no longer ACTIVE`] },
  })
}

/** @throws Failure 412 that lists every changed field */
async function requireUnmoved(
  { records, services, fail }: Request,
  payload: Preparation,
  consent: VersionedRecord<contract.PartnerConsent>,
): Promise<void> {
  const moved = await movedSince(records, services, payload, consent)
  if (moved.length === 0) return
  throw fail('LIQUIDITY_PARTNER_PREPARATION_MOVED', {
    fieldErrors: Object.fromEntries(
      moved.map(({ at, prepared, now }) => [
        at,
        [`must be ${prepared} as prepared, got ${now}`.slice(0, 500)],
      ]),
    ),
  })
}
