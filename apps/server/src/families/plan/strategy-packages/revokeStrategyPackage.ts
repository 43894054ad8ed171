import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { recordReply } from '../../record-reply.ts'
import type { PackagePayload } from './candidate.ts'

/** Takes a package out of use; what was seeded from it stays, and shows it. */
export default handle(contract.revokeStrategyPackage, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, fail } = request
  const reviewed = reviewedVersion(precondition, body.resourceVersion, 'resourceVersion')
  const current = await records.reviewed<PackagePayload>('StrategyPackage', params.id, reviewed)
  const { record } = current
  if (record.status === 'REVOKED') throw fail('LIQUIDITY_PACKAGE_TERMINAL')
  const { sealed, change } = records.supersede<PackagePayload>(current, {
    status: 'REVOKED',
    payload: record.payload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? record.evidenceHashes,
    event: 'strategy_package.revoked',
    eventPayload: { contentHash: record.payload.contentHash },
  })
  return recordReply(sealed, change)
})
