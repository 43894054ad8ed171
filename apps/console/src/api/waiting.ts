import type { contract } from '@liquidity-os/contract'
import { queryOptions } from '@tanstack/react-query'
import { read } from './send.ts'

export type InboxItem = contract.InboxItem

/** Action items of the user. */
export const inboxQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'inbox'],
    queryFn: () => read<contract.Inbox>(organizationId, '/inbox'),
    refetchInterval: 15_000,
  })

/** Numbers of the badges in the navigation, by area. */
export function badgesOf({ items }: contract.Inbox): Readonly<Record<string, number>> {
  const count = (...kinds: readonly string[]) =>
    items.filter(({ kind }) => kinds.includes(kind)).length
  return { alerts: count('ACKNOWLEDGE'), proposals: count('APPROVE', 'DECIDE', 'IMPORT') }
}
