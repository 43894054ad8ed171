import type { TestService } from './service.ts'
import { until } from './until.ts'

const statement = `select not exists (select from events
  where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint) as is_told`

/**
 * Events are published only when no older transaction runs on the server, which other tests share.
 */
export async function waitForEvents({ database }: Pick<TestService, 'database'>): Promise<void> {
  await until('what others have under way to end', async () => {
    const { rows } = await database.pool.query(statement)
    return rows[0].is_told === 't' || rows[0].is_told === true
  })
}
