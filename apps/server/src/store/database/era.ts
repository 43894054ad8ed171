import type { Database } from './database.ts'
import { sql } from './sql.ts'

/**
 * Starts a new era of event order if the database cluster changed. After a dump is restored into
 * another cluster, transaction numbers restart. Servers that start together begin a single era.
 */
export async function beginEra(database: Database): Promise<void> {
  await database.global([
    sql`insert into event_eras (era, cluster)
      select latest.era + 1, own.cluster
      from (select era, cluster from event_eras order by era desc limit 1) as latest,
        (select system_identifier::text as cluster from pg_control_system()) as own
      where latest.cluster <> own.cluster
      on conflict (era) do nothing`,
  ])
}
