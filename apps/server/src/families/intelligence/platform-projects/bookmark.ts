import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

export type BookmarkPayload = Static<typeof contract.PlatformProject>

/** Unique name of a bookmark: each user can save a project once. */
export function bookmarkName(userId: string, { chainId, address }: BookmarkPayload) {
  return { kind: 'platform-project', name: `${userId}|${chainId}|${address}` }
}
