import { contract } from '@liquidity-os/contract'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { Family } from '../../family.ts'
import { bookmarks } from './records.ts'

export const family: Family = {
  contracts: [contract.platformProjectFamily],
  operations: {
    // Bookmarks are personal: everyone sees their own.
    listSavedPlatformProjects: bookmarks.list(
      contract.listSavedPlatformProjects,
      ({ actor }) =>
        sql`${member('status')} = 'ACTIVE' and ${member('payload.ownerId')} = ${actor.userId}`,
    ),
    savePlatformProject: () => import('./savePlatformProject.ts'),
    removeSavedPlatformProject: () => import('./removeSavedPlatformProject.ts'),
    getSavedPlatformProject: () => import('./getSavedPlatformProject.ts'),
  },
  kinds: [bookmarks.kind],
}
