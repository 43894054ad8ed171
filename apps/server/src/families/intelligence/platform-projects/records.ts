import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { bookmarkName } from './bookmark.ts'

export const bookmarks = recordFamily(contract.platformProjectFamily, {
  names: ({ status, payload }) =>
    status === 'ACTIVE' ? [bookmarkName(payload.ownerId, payload)] : [],
})
