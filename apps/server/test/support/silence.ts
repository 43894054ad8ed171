import { connectPostgres } from '../../src/store/database/connect.ts'

/** The queue and the job take a worker for dead once it has been silent; this lets that time pass at once. */
export async function letSilencePass(databaseUrl: string): Promise<void> {
  const database = connectPostgres(databaseUrl, 'liquidity-test')
  await database.pool.query(`update queue.job set heartbeat_on = heartbeat_on - interval '1 hour'`)
  await database.pool.query(`update jobs set heartbeat_at = heartbeat_at - 3600000`)
  await database.close()
}
