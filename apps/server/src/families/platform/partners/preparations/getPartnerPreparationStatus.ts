import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import { handle, type Outcome } from '../../../../http/handler.ts'
import type { RecordReading } from '../../../../services.ts'
import { isIdOf } from '../../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { phaseOf } from '../../../operate/proposals/api.ts'
import { preparations, submissionIdOf, submissions } from '../records.ts'
import { liveConsents } from './live-consents.ts'
import { type OwnPartner, requireOwnPartner } from './own-partner.ts'
import { stateAt } from './settle.ts'

type Submission = contract.PartnerSubmission
type Phase = 'OPEN' | 'APPROVED' | 'CLOSED'

export default handle(
  contract.getPartnerPreparationStatus,
  async ({ params, records, services, now }): Promise<Outcome> => {
    const { partnerId, eventId } = params
    const partner = await requireOwnPartner(records, partnerId)
    const isOurs = isIdOf('PartnerPreparation', eventId)
    const found = isOurs ? await submissions.current(records, submissionIdOf(eventId)) : null
    if (found?.record.payload.partnerId !== partnerId) {
      throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    }
    const { payload } = found.record
    const state = stateAt(payload, now)
    return {
      data: {
        partnerId,
        eventId,
        state,
        phase: state === 'IMPORTED' ? await coarsePhase(services, records, partner, payload) : null,
        visibleReason: payload.settled?.visibleReason ?? null,
        submittedAt: payload.submittedAt,
        expiresAt: payload.expiresAt,
        settledAt: payload.settled?.at ?? (state === 'EXPIRED' ? payload.expiresAt : null),
        packetHash: payload.packetHash,
        executionAuthorityGranted: false,
        executionPerformed: false,
      },
    }
  },
)

/**
 * Coarse progress of the issuer's proposal. Read only while the consent is valid, and reduced to
 * three states.
 */
async function coarsePhase(
  services: RecordReading,
  records: TenantRecords,
  partner: OwnPartner,
  { eventId, issuerOrganizationId, consent }: Submission,
): Promise<Phase | null> {
  if (partner.record.status !== 'ACTIVE') return null
  const live = await liveConsents(services, records, partner, issuerOrganizationId)
  const found = live.find((one) => one.consent.id === consent.id)
  if (!found?.scopes.includes('PROPOSAL_PREPARE')) return null
  const preparation = await preparations.current(found.issuer, eventId)
  const proposalId = preparation?.record.payload.settled?.proposal?.id
  if (!proposalId) throw new Error(`${eventId} is imported but names no proposal.`)
  const proposal = await found.issuer.current<contract.ProposalWorkspace>(
    'ProposalWorkspace',
    proposalId,
  )
  if (!proposal) throw new Error(`${eventId} became ${proposalId}, which is not stored.`)
  const phase = phaseOf(proposal.record, records.now)
  if (phase === 'OPEN' || phase === 'CHANGES_REQUESTED') return 'OPEN'
  return phase === 'APPROVED' ? 'APPROVED' : 'CLOSED'
}
