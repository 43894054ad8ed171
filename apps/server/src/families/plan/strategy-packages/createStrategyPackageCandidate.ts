import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import { contentHashOf, isHigher, type PackagePayload, requireTemplate } from './candidate.ts'
import { requireTwin } from './twin.ts'

export default handle(contract.createStrategyPackageCandidate, async (request) => {
  const { body, records, fail } = request
  const candidate = body.payload
  requireTemplate(candidate)
  requireTwin(candidate)
  const { supersedes = null, ...content } = candidate
  if (supersedes) {
    const { id, resourceVersion } = supersedes
    const earlier = await records.version<PackagePayload>('StrategyPackage', id, resourceVersion)
    if (!earlier) {
      throw fail('LIQUIDITY_SOURCE_UNAVAILABLE', {
        fieldErrors: { 'payload.supersedes': [`has no version ${resourceVersion} of ${id}`] },
      })
    }
    const { version } = earlier.record.payload
    if (!isHigher(candidate.version, version)) {
      throw fail('LIQUIDITY_PACKAGE_VERSION_REFUSED', {
        fieldErrors: { 'payload.version': [`must be above ${version}, got ${candidate.version}`] },
      })
    }
  }
  const contentHash = contentHashOf(candidate)
  const { sealed, change } = records.create('StrategyPackage', {
    status: 'DRAFT',
    payload: {
      ...content,
      supersedes,
      contentHash,
      digitalTwinOnly: true,
      approval: null,
      executionPerformed: false,
      executionAuthorityGranted: false,
    } satisfies PackagePayload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'strategy_package.created',
    eventPayload: { contentHash },
  })
  return recordReply(sealed, change, 201) satisfies Outcome
})
