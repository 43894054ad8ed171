import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

export type BookmarkPayload = Static<typeof contract.PlatformProject>

/** A user saves a project once: the name under which that is kept unique. */
export function bookmarkName(userId: string, { chainId, address }: BookmarkPayload) {
  return { kind: 'platform-project', name: `${userId}|${chainId}|${address}` }
}
