import { connectPostgres } from '../../src/store/database/connect.ts'

/** A worker is taken for dead, and its deliveries are given to others, once it has been silent; this lets that time pass at once. */
export async function letSilencePass(databaseUrl: string): Promise<void> {
  const database = connectPostgres(databaseUrl, 'liquidity-test')
  await database.pool.query(`update queue.job set heartbeat_on = heartbeat_on - interval '1 hour'`)
  await database.pool.query(`update jobs set heartbeat_at = heartbeat_at - 3600000`)
  await database.pool.query(`update webhook_deliveries set lease_until = lease_until - 3600000`)
  await database.close()
}
