import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { member } from '../../../../store/records/find.ts'
import { submissions } from '../records.ts'
import { requireOwnPartner } from './own-partner.ts'

/** Receipts of the partner, from its own records. They remain available after the consent ends. */
export default handle(
  contract.getPartnerPreparationReceiptRecovery,
  async ({ params, query, records, now }): Promise<Outcome> => {
    const { partnerId } = params
    await requireOwnPartner(records, partnerId)
    const { idempotencyKeyHash, issuerOrganizationId } = query
    const found = await submissions.find(records, {
      createdFrom: now - limits.partnerReceiptMilliseconds,
      where: sql`${member('payload.partnerId')} = ${partnerId}
        ${isSame('payload.receipt.idempotencyKeyHash', idempotencyKeyHash)}
        ${isSame('payload.issuerOrganizationId', issuerOrganizationId)}`,
      limit: limits.partnerReceipts + 1,
    })
    const receipts = found.slice(0, limits.partnerReceipts).map(({ payload: { receipt } }) => ({
      idempotencyKeyHash: receipt.idempotencyKeyHash,
      eventId: receipt.eventId,
      receipt,
    }))
    return { data: { partnerId, receipts, isWhole: found.length <= limits.partnerReceipts } }
  },
)

const isSame = (path: string, requested: string | undefined): Sql =>
  requested === undefined ? { text: '' } : sql`and ${member(path)} = ${requested}`
