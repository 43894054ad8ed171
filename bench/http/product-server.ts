import { createOrganization } from '../../apps/server/src/access/administration.ts'
import { mintToken } from '../../apps/server/src/access/secrets.ts'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDatabase } from '../../apps/server/src/context.ts'
import { startService } from '../../apps/server/src/service.ts'
import { sql } from '../../apps/server/src/store/database/sql.ts'

/**
 * The product as deployed, with one organization, one signed-in owner, and a second organization.
 */
const config = readConfig({
  LOG_LEVEL: 'info',
  SESSION_REQUESTS_PER_MINUTE: '0',
  ...process.env,
  PORT: '0',
})
const database = await openDatabase(config)
const service = await startService(config, { database })
const now = Date.now()
async function newOrganization(name: string) {
  const { organizationId, owner } = await createOrganization(
    database,
    { name, owner: `${name.toLowerCase()}-${now}@example.org` },
    now,
  )
  const { token, tokenHash } = mintToken()
  await database.global([
    sql`insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at)
      values (${tokenHash}, ${owner.userId}, ${now}, ${now}, ${now + 12 * 3_600_000})`,
  ])
  return { organizationId, cookie: `${config.sessionCookie}=${token}` }
}
process.stdout.write(
  `${JSON.stringify({
    port: Number(new URL(service.baseUrl).port),
    ...(await newOrganization('Bench')),
    neighbour: await newOrganization('Neighbour'),
    origin: new URL(config.baseUrl).origin,
  })}\n`,
)
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
