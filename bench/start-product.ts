import type { ClientOptions } from '@liquidity-os/client'
import { createOrganization } from '../apps/server/src/access/administration.ts'
import { mintToken } from '../apps/server/src/access/secrets.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { openDatabase } from '../apps/server/src/context.ts'
import { startService } from '../apps/server/src/service.ts'
import { sql } from '../apps/server/src/store/database/sql.ts'

export type Caller = Pick<ClientOptions, 'organizationId' | 'auth'>

/** The product with its workers, and signed-in owners of this number of organizations. */
export async function startProduct(organizations: number) {
  const config = readConfig({
    LOG_LEVEL: 'error',
    SESSION_REQUESTS_PER_MINUTE: '0',
    ...process.env,
    PORT: '0',
    WORKER: 'in-process',
  })
  const database = await openDatabase(config)
  const service = await startService(config, { database })
  const now = Date.now()
  const callers: Caller[] = []
  for (let index = 0; index < organizations; index += 1) {
    const { organizationId, owner } = await createOrganization(
      database,
      { name: `Bench ${index}`, owner: `bench-${index}-${now}@example.org` },
      now,
    )
    const { token, tokenHash } = mintToken()
    await database.global([
      sql`insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at)
        values (${tokenHash}, ${owner.userId}, ${now}, ${now}, ${now + 12 * 3_600_000})`,
    ])
    const { origin } = new URL(config.baseUrl)
    const auth = {
      kind: 'session',
      cookieName: config.sessionCookie,
      cookie: token,
      origin,
    } as const
    callers.push({ organizationId, auth })
  }
  process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
  return { service, callers }
}
