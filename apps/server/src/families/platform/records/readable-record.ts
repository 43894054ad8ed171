import type { Operation } from '@liquidity-os/contract'
import { kinds } from '@liquidity-os/contract/outline'
import type { RecordState } from '../../../family-parts.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { isIdOf, type ResourceType } from '../../../store/records/resource-types.ts'
import { readScopeOf } from '../../read-scopes.ts'

/**
 * Kind of a record that the caller may read, by the rules of its family.
 *
 * @throws Failure 404 if unknown or hidden from the caller, 403 for a credential without the scope
 * of the family
 */
export async function readableKind<O extends Operation>(
  request: HandlerRequest<O>,
  id: string,
): Promise<ResourceType> {
  const { records, requireScope, fail } = request
  // Every kind of the outline is one.
  const type = kinds.find((kind) => isIdOf(kind.type as ResourceType, id))?.type as
    | ResourceType
    | undefined
  const found = type === undefined ? null : await records.text(type, id)
  if (type === undefined || !found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  await requireScope(readScopeOf(type))
  if (!(await isShown(request, JSON.parse(found.text) as RecordState))) {
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  }
  return type
}

/** True if the family of a record shows it to the caller. */
export async function isShown<O extends Operation>(
  { actor, services }: Pick<HandlerRequest<O>, 'actor' | 'services'>,
  record: RecordState,
): Promise<boolean> {
  const { kinds: rules } = await services.families()
  const rule = rules.find(({ type }) => type === record.resourceType)
  return rule?.isShownTo?.(record, actor.userId) ?? true
}
