import type { Item } from '../api/records.ts'
import { wordOf } from '../fields/meaning.ts'
import { permits, rolesThatMay } from './families.ts'
import type { FamilyFile } from './types.ts'

export const stateOf = (item: Item): string | null =>
  typeof item.status === 'string' ? item.status : typeof item.state === 'string' ? item.state : null

/** Reason why a role lacks permission, or null. */
export const permissionReason = (role: string, permission: string | undefined): string | null =>
  permission === undefined || permits(role, permission)
    ? null
    : `Requires the ${rolesThatMay(permission).map(wordOf).join(' or ')} role. Ask an owner.`

/** Why the state of a record does not allow an operation, or null. */
export function stateReason(
  { actions, moves, operations }: FamilyFile,
  operationId: string,
  item: Item,
): string | null {
  const state = stateOf(item)
  if (state === null) return null
  const { when } = actions[operationId] ?? {}
  if (when && !when.includes(state)) {
    return `Requires state ${when.map(wordOf).join(' or ')}. Current state: ${wordOf(state)}.`
  }
  // Extra operations on a record remain available in a final state; only new versions do not.
  const isVersion = operations[operationId]?.method === 'PATCH'
  if (isVersion && moves && state in moves && moves[state]?.length === 0) {
    return `The state ${wordOf(state)} is final.`
  }
  return null
}
