import { mintToken } from '../../apps/server/src/access/secrets.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { sql } from '../../apps/server/src/store/database/sql.ts'

/** Cookie of a new session of the organization's owner. */
export async function createSession(
  { database, clock, config }: Services,
  organizationId: string,
): Promise<string> {
  const now = clock()
  const { token, tokenHash } = mintToken()
  const [members = []] = await database.tenant(organizationId, [
    sql`select user_id from memberships where organization_id = ${organizationId} and role = 'OWNER' limit 1`,
  ])
  await database.global([
    sql`insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at)
      values (${tokenHash}, ${members[0]?.user_id ?? ''}, ${now}, ${now}, ${now + 12 * 3_600_000})`,
  ])
  return `${config.sessionCookie}=${token}`
}
