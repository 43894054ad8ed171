import { contract, type Scope } from '@liquidity-os/contract'
import { type Headers, header } from '../../../access/headers.ts'
import { sameHash, splitSecret } from '../../../access/secrets.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { organizationOf as organizationOfHeader } from '../../../http/request-headers.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { integerOf, textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'

/** RFC 6749 §4.4: client credentials in the Basic header or in the form (§2.3.1), the grant in the form. */
export default handle(
  contract.issueOperatingSystemOAuthToken,
  async ({ body, headers, services, now }): Promise<Outcome> => {
    const client = clientOf(headers, body)
    if (client === 'BOTH')
      return invalidRequest('The client authenticates in the header and in the form.')
    const secret = client && splitSecret('svc_client_', client.secret)
    if (!client || !secret) return invalidClient()
    const organizationId = organizationNamed(headers) ?? (await organizationOf(services, client.id))
    const [rows] = await services.database.tenant(organizationId, [
      sql`select c.credential_id, c.secret_hash, c.kind, c.status, c.scopes, c.generation, c.expires_at, m.role
        from credential_secrets c join memberships m
          on m.organization_id = ${organizationId} and m.user_id = c.creator_id and m.epoch = c.epoch
        where c.organization_id = ${organizationId} and c.credential_id = ${client.id}`,
    ])
    const row = rows?.[0]
    // The comparison also runs for an unknown client, so the time is the same.
    const isSecret = sameHash(row ? textOf(row, 'secret_hash') : '0'.repeat(64), secret.secretHash)
    const isLive =
      row?.kind === 'OAUTH_CLIENT' &&
      row.status === 'ACTIVE' &&
      (row.expires_at === null || Number(row.expires_at) > now)
    if (!isSecret || !isLive) return invalidClient()
    const granted = textOf(row, 'scopes').split(' ') as Scope[]
    const requested =
      body.scope === undefined ? granted : (body.scope.split(' ').filter(Boolean) as Scope[])
    if (requested.length === 0 || requested.some((scope) => !granted.includes(scope)))
      return invalidScope()
    const scopes = [...new Set(requested)]
    const token = services.tokens.sign({
      organizationId,
      credentialId: client.id,
      generation: integerOf(row, 'generation'),
      scopes,
      expiresAt: Math.floor(now / 1000) + limits.accessTokenSeconds,
    })
    return {
      headers: { pragma: 'no-cache' },
      data: {
        access_token: token,
        token_type: 'Bearer',
        expires_in: limits.accessTokenSeconds,
        scope: scopes.join(' '),
      },
    }
  },
)

/** Organization named in the header; null without the header. */
function organizationNamed(headers: Headers): string | null {
  return header(headers, 'x-service-organization-id') === null
    ? null
    : organizationOfHeader(headers)
}

/** Organization of a client. For an unknown client no secret matches. */
async function organizationOf(
  { database }: Pick<Services, 'database'>,
  clientId: string,
): Promise<string> {
  const [rows] = await database.dispatch([
    sql`select organization_id from credential_secrets where credential_id = ${clientId}`,
  ])
  const row = rows?.[0]
  return row ? textOf(row, 'organization_id') : 'nobody'
}

interface PresentedClient {
  id: string
  secret: string
}

/** Client and its authentication method. RFC 6749 §2.3 forbids a request with two. */
function clientOf(
  headers: Headers,
  { client_id: id, client_secret: secret }: { client_id?: string; client_secret?: string },
): PresentedClient | 'BOTH' | null {
  const basic = basicOf(headers.authorization)
  if (secret === undefined) return id === undefined || basic?.id === id ? basic : null
  if (headers.authorization !== undefined) return 'BOTH'
  return id === undefined ? null : { id, secret }
}

function basicOf(header: string | string[] | undefined): PresentedClient | null {
  const encoded =
    typeof header === 'string' ? /^Basic ([A-Za-z0-9+/=_-]{1,2000})$/i.exec(header)?.[1] : null
  if (!encoded) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const split = text.indexOf(':')
  if (split < 1) return null
  try {
    // RFC 6749 §2.3.1: both parts are form-encoded before they are joined.
    const id = decodeURIComponent(text.slice(0, split))
    // Ids never contain NUL, and PostgreSQL rejects it in a query.
    if (id.includes('\0')) return null
    return { id, secret: decodeURIComponent(text.slice(split + 1)) }
  } catch {
    return null
  }
}

const invalidClient = (): Outcome => ({
  status: 401,
  headers: {
    'www-authenticate': 'Basic realm="liquidity-os", charset="UTF-8"',
    pragma: 'no-cache',
  },
  data: { error: 'invalid_client' },
})

const refusal = (error: string, description: string): Outcome => ({
  status: 400,
  headers: { pragma: 'no-cache' },
  data: { error, error_description: description },
})
const invalidScope = () => refusal('invalid_scope', 'A scope exceeds the grant of the client.')
const invalidRequest = (description: string) => refusal('invalid_request', description)
