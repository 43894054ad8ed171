import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { sweepOverdue } from '../../../jobs/overdue.ts'
import { phaseOf } from '../../../market/proposals/agreed-packets.ts'
import type { RecordSweeping } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { statesNow } from './named-sources.ts'
import { ended } from './phases.ts'
import { overdueProposals, proposals } from './records.ts'
import { movedSources } from './review.ts'

/**
 * Records expired proposals. Readers compare with the clock, so expiry does not depend on this
 * sweep.
 */
export function expireProposals(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, { actor: 'proposal-expiry', overdue: overdueProposals, end })
}

async function end(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await proposals.current(records, id)
  if (!current) throw new Error(`Proposal ${id} does not exist.`)
  const { record } = current
  if (phaseOf(record, records.now) !== 'EXPIRED') return null
  const payload = ended(record.payload, 'EXPIRED')
  const revoked = payload.packets.filter(({ state }) => state === 'REVOKED').length
  return proposals.next(records, current, {
    status: 'EXPIRED',
    payload,
    reason: 'The proposal expired',
    evidenceHashes: record.evidenceHashes,
    event: 'proposal.expired',
    eventPayload: { vaultId: payload.vaultId, packetHash: payload.packetHash, revoked },
  }).change
}

const movedKind = 'proposal.source_superseded'

/** Publishes each new source version of an open or approved packet once. */
export function notifyMovedSources(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, {
    actor: 'proposal-sources',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'ProposalWorkspace', {
        status: ['DRAFT', 'VALIDATED', 'ACTIVE'],
        order: 'OLDEST',
      }),
    end: notifyMoved,
  })
}

async function notifyMoved(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await proposals.current(records, id)
  if (!current) throw new Error(`Proposal ${id} does not exist.`)
  const { sourceStates } = current.record.payload
  const moved = movedSources(sourceStates, await statesNow(records, sourceStates))
  const notified = new Set(
    (await records.events(id, { kinds: [movedKind] })).map((event) => readSourceKey(event)),
  )
  const news = moved.find(({ source }) => !notified.has(`${source.id} ${source.resourceVersion}`))
  if (!news) return null
  const { source, role } = news
  return records.note(current, movedKind, { source, role })
}

const readSourceKey = ({ payload }: OperatingSystemEvent): string => {
  const { source } = payload as { source: { id: string; resourceVersion: string } }
  return `${source.id} ${source.resourceVersion}`
}
