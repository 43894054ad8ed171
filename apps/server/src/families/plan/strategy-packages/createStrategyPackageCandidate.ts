import { contract } from '@liquidity-os/contract'
import { contentHashOf, isHigher, type PackagePayload, requireTemplate } from './candidate.ts'
import { packages } from './records.ts'
import { requireTwin } from './twin.ts'

export default packages.create(contract.createStrategyPackageCandidate, async (request) => {
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
        fieldErrors: {
          'payload.supersedes': [`must be a stored version, got ${resourceVersion} of ${id}`],
        },
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
  return {
    payload: {
      ...content,
      supersedes,
      contentHash,
      digitalTwinOnly: true,
      approval: null,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
    event: 'strategy_package.created',
    eventPayload: { contentHash },
  }
})
