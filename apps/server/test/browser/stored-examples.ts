import { responseExamples } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { ResourceType } from '../../src/store/records/resource-types.ts'
import { recordsOf } from '../support/admissible.ts'
import type { TestMember, TestService } from '../support/service.ts'

export const exampleOf = (operationId: string) =>
  (responseExamples as unknown as Record<string, { data: VersionedRecord<object> }>)[operationId]
    ?.data

/**
 * Stores the example of a get operation as the service stores its records.
 *
 * @returns the id; null if the operation has no example of a record
 */
export async function storeExample(
  service: TestService,
  owner: TestMember,
  operationId: string | null,
): Promise<string | null> {
  const example = operationId ? exampleOf(operationId) : undefined
  if (!example?.payload || !example.resourceType) return null
  const { resourceType, payload, status } = example
  const isPlan = resourceType === 'MigrationPlan'
  // The example names series that do not exist.
  const { result } = payload as { result?: object }
  const isStudy = result && 'seriesArtifacts' in result
  const unsampled = isStudy ? { result: { ...result, seriesArtifacts: [] } } : {}
  const { sealed, change } = recordsOf(service, owner).create(resourceType as ResourceType, {
    status,
    reason: 'For the test',
    // Only its owner sees a bookmark.
    payload: {
      ...(payload as object),
      ...unsampled,
      ...('ownerId' in (payload as object) ? { ownerId: owner.userId } : {}),
    },
    event: isPlan ? 'migration_plan.created' : 'test.stored',
    ...(isPlan ? { eventPayload: { natures: [] } } : {}),
  })
  await service.services.committer.commit(change)
  return sealed.record.id
}
