import { contract } from '@liquidity-os/contract'
import { sql } from '../../../store/database/sql.ts'
import { listOf } from '../../collection.ts'

/** Bookmarks are personal: everyone sees their own. */
export default listOf(
  contract.listSavedPlatformProjects,
  'PlatformProject',
  ({ actor }) =>
    sql`h.status = 'ACTIVE' and r.body::jsonb -> 'payload' ->> 'ownerId' = ${actor.userId}`,
)
