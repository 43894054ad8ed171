import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { type BookmarkPayload, bookmarkName } from './bookmark.ts'

export const bookmarks = recordFamily(contract.platformProjectFamily, {
  names: ({ status, payload }) =>
    status === 'ACTIVE' ? [bookmarkName(payload.ownerId, payload)] : [],
  // Bookmarks are private to their user, and removed ones are hidden.
  isShownTo: ({ status, payload }, userId) =>
    status === 'ACTIVE' && (payload as BookmarkPayload).ownerId === userId,
})
