import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../../services.ts'
import { sql } from '../../../../store/database/sql.ts'
import { type Change, joinChanges } from '../../../../store/records/change.ts'
import { expectFound, member, type Question } from '../../../../store/records/find.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { preparations } from '../records.ts'
import { settled, stateAt } from './settle.ts'

const openUnder = (consentId: string): Question => ({
  status: ['ACTIVE'],
  where: sql`${member('payload.consent.id')} = ${consentId}`,
})

/**
 * Ends a consent with all preparations under it, in one commit. The transaction detects a
 * concurrent preparation and retries. A later preparation fails, because the consent has a new
 * version.
 *
 * @param change ends the consent, or removes PROPOSAL_PREPARE
 */
export async function withOpenWorkEnded(
  services: RecordReading,
  records: TenantRecords,
  change: Change,
  { id, payload }: Pick<VersionedRecord<contract.PartnerConsent>, 'id' | 'payload'>,
): Promise<Change> {
  if (!payload.scopes.includes('PROPOSAL_PREPARE')) return change
  const open = openUnder(id)
  let whole = change
  for (const found of await preparations.find(records, open)) {
    const current = await preparations.current(records, found.id)
    if (current?.record.status !== 'ACTIVE') continue
    const isOver = stateAt(current.record.payload, records.now) === 'EXPIRED'
    const { change: own } = await settled(services, records, current, {
      state: isOver ? 'EXPIRED' : 'CONSENT_REVOKED',
      because: isOver ? 'Expired' : 'The consent is no longer valid',
      visibleReason: null,
      proposal: null,
    })
    whole = joinChanges(whole, own)
  }
  const none = expectFound(records.organizationId, preparations.declared.type as never, open, {
    key: id,
    records: [],
  })
  return { ...whole, statements: [...whole.statements, ...none] }
}
