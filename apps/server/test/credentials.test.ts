// @module-tag postgres

import { basePath } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { addMember } from '../src/access/administration.ts'
import { hourMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { webhookBody } from './support/bodies.ts'
import { basic, grant, issue, bearer as present } from './support/credentials.ts'
import { it } from './support/fixtures.ts'
import {
  newMember,
  newOrganization,
  removeMember,
  type TestMember,
  type TestService,
} from './support/service.ts'

const invalid = { status: 401, code: 'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL' }

/** An owner whose authentication is recent by the clock as it now is. */
const freshOwner = (service: TestService) => newOrganization(service)

const bearer = (service: TestService, token: string, organizationId: string) =>
  present(token, organizationId, service.baseUrl)

/** Asks for a token as an OAuth client does; `form` and `headers` can spoil it. */
async function tokenRequest(
  service: TestService,
  organizationId: string,
  authorization: string | null,
  form: string,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${service.baseUrl}${basePath}/oauth/token`, {
    method: 'POST',
    body: form,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-service-organization-id': organizationId,
      ...(authorization === null ? {} : { authorization }),
      ...headers,
    },
  })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as TokenAnswer,
  }
}

/** The character whose upper five of six bits are the same: base64url of 32 bytes ends with two unused bits. */
function twinOf(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(character) ^ 1]!
}

/** A token, a refusal in the words of RFC 6749, or the envelope; what is absent fails the test that reads it. */
interface TokenAnswer {
  access_token: string
  token_type: string
  scope: string
  error: string | { code: string }
}
const codeOf = ({ body: { error } }: { body: Pick<TokenAnswer, 'error'> }) =>
  typeof error === 'object' ? error.code : error

async function tokenOf(
  service: TestService,
  by: TestMember,
  credentialId: string,
  secret: string,
  form = grant,
) {
  const { body } = await tokenRequest(service, by.organizationId, basic(credentialId, secret), form)
  return body.access_token
}

describe('an API key', () => {
  it('dies at its expiry, to the millisecond', async ({ service }) => {
    const by = await freshOwner(service)
    const expiresAt = new Date(service.clock.read() + hourMilliseconds).toISOString()
    const { secret } = await issue(by, 'API_KEY', ['studies:read'], { expiresAt })
    const key = bearer(service, secret, by.organizationId)
    service.clock.advance(hourMilliseconds - 1)
    expect((await key.listStudies()).status).toBe(200)
    service.clock.advance(1)
    await expect(key.listStudies()).rejects.toMatchObject(invalid)
  })

  it('cannot be issued with an expiry in the past or a scope beyond the issuer', async ({
    service,
  }) => {
    const by = await freshOwner(service)
    const expiresAt = new Date(service.clock.read() - 1).toISOString()
    await expect(issue(by, 'API_KEY', ['studies:read'], { expiresAt })).rejects.toMatchObject({
      code: 'LIQUIDITY_CREDENTIAL_EXPIRY_PAST',
    })
    for (const role of ['VIEWER', 'ANALYST', 'REVIEWER', 'TREASURY_ADMIN'] as const) {
      const member = await newMember(service, by.organizationId, role)
      await expect(issue(member, 'API_KEY', ['studies:read'])).rejects.toMatchObject({
        code: 'LIQUIDITY_ROLE_REQUIRED',
      })
    }
    await expect(issue(by, 'API_KEY', ['everything:write'])).rejects.toMatchObject({ status: 400 })
  })

  it('dies with its rotation, and the new one lives at once', async ({ service }) => {
    const by = await freshOwner(service)
    const { credential, secret } = await issue(by, 'API_KEY', ['studies:read'])
    const rotated = await by.client.rotateDeveloperCredential({
      params: { id: credential.id },
      ifMatch: credential.resourceVersion,
      body: { reason: 'Routine' },
    })
    expect(rotated.body.data.secret).not.toBe(secret)
    await expect(bearer(service, secret, by.organizationId).listStudies()).rejects.toMatchObject(
      invalid,
    )
    const renewed = bearer(service, rotated.body.data.secret, by.organizationId)
    expect((await renewed.listStudies()).status).toBe(200)
  })

  it('dies with its revocation, for good', async ({ service }) => {
    const by = await freshOwner(service)
    const { credential, secret } = await issue(by, 'API_KEY', ['studies:read'])
    const { body } = await by.client.supersedeDeveloperCredentials({
      params: { id: credential.id },
      ifMatch: credential.resourceVersion,
      body: { status: 'REVOKED', reason: 'Lost' },
    })
    await expect(bearer(service, secret, by.organizationId).listStudies()).rejects.toMatchObject(
      invalid,
    )
    for (const again of [
      // Asked one after the other: a refusal that comes while another is waited for would be nobody's.
      () =>
        by.client.rotateDeveloperCredential({
          params: { id: credential.id },
          ifMatch: body.data.resourceVersion,
          body: { reason: 'Too late' },
        }),
      () =>
        by.client.supersedeDeveloperCredentials({
          params: { id: credential.id },
          ifMatch: body.data.resourceVersion,
          body: { status: 'REVOKED', reason: 'Again' },
        }),
    ]) {
      await expect(again()).rejects.toMatchObject({ code: 'LIQUIDITY_CREDENTIAL_TERMINAL' })
    }
  })

  it('opens nothing beyond its scope, and nothing that needs a person', async ({ service }) => {
    const by = await freshOwner(service)
    const { secret } = await issue(by, 'API_KEY', ['webhooks:manage'])
    const key = bearer(service, secret, by.organizationId)
    const { body } = await key.createWebhooks({ body: webhookBody() })
    expect((await key.listWebhooks()).body.data).toHaveLength(1)
    const refused = { status: 403, code: 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED' }
    await expect(key.listStudies()).rejects.toMatchObject(refused)
    await expect(key.listDeveloperCredentials()).rejects.toMatchObject(refused)
    const { id, resourceVersion } = body.data.webhook
    await expect(
      key.supersedeWebhooks({
        params: { id },
        ifMatch: resourceVersion,
        body: { status: 'REVOKED', reason: 'Not its business' },
      }),
    ).rejects.toMatchObject(refused)
  })

  it('is revoked when its creator is removed, and stays revoked if the creator is added again', async ({
    service,
  }) => {
    const by = await freshOwner(service)
    const operator = await newMember(service, by.organizationId, 'OPERATOR')
    const { secret } = await issue(operator, 'API_KEY', ['studies:read'])
    const client = await issue(operator, 'OAUTH_CLIENT', ['studies:read'])
    const token = await tokenOf(service, operator, client.credential.id, client.secret)
    const keys = [
      bearer(service, secret, by.organizationId),
      bearer(service, token, by.organizationId),
    ]
    for (const key of keys) expect((await key.listStudies()).status).toBe(200)
    const [rows] = await service.database.global([
      { text: `select email from users where id = '${operator.userId}'` },
    ])
    const { organizationId } = by
    const email = rows![0]!.email!
    await removeMember(service, { organizationId, email })
    for (const key of keys) {
      await expect(key.listStudies()).rejects.toMatchObject({
        status: 401,
        code: 'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL',
      })
    }
    await expect(operator.client.listStudies()).rejects.toMatchObject({ status: 403 })
    const refused = await tokenRequest(
      service,
      organizationId,
      basic(client.credential.id, client.secret),
      grant,
    )
    expect([refused.status, refused.body]).toEqual([401, { error: 'invalid_client' }])
    const member = { organizationId, email, role: 'VIEWER' as const }
    await addMember(service.database, member, service.clock.read())
    for (const key of keys) {
      await expect(key.listStudies()).rejects.toMatchObject({ status: 401 })
    }
  })

  it('can do no more than the current role of its creator', async ({ service }) => {
    const by = await freshOwner(service)
    const operator = await newMember(service, by.organizationId, 'OPERATOR')
    const { secret } = await issue(operator, 'API_KEY', ['webhooks:manage'])
    const key = bearer(service, secret, by.organizationId)
    expect((await key.createWebhooks({ body: webhookBody() })).status).toBe(201)
    const [rows] = await service.database.global([
      { text: `select email from users where id = '${operator.userId}'` },
    ])
    const { organizationId } = by
    const member = { organizationId, email: rows![0]!.email!, role: 'VIEWER' as const }
    await addMember(service.database, member, service.clock.read())
    await expect(key.createWebhooks({ body: webhookBody() })).rejects.toMatchObject({
      status: 403,
      code: 'LIQUIDITY_ROLE_REQUIRED',
    })
    expect((await key.listWebhooks()).status).toBe(200)
  })

  it('is nothing where it belongs to another organization, and the secret of a client no bearer', async ({
    service,
    owner,
  }) => {
    const by = await freshOwner(service)
    const { secret } = await issue(by, 'API_KEY', ['studies:read'])
    const client = await issue(by, 'OAUTH_CLIENT', ['studies:read'])
    const token = await tokenOf(service, by, client.credential.id, client.secret)
    for (const [presented, organizationId] of [
      [secret, owner.organizationId],
      [token, owner.organizationId],
      [client.secret, by.organizationId],
      // The secret of a client is no API key, whatever prefix it bears.
      [client.secret.replace('svc_client_', 'svc_key_'), by.organizationId],
      [`${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`, by.organizationId],
      [`${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`, by.organizationId],
      // The same bytes in another spelling.
      [`${token.slice(0, -1)}${twinOf(token.at(-1)!)}`, by.organizationId],
    ] as const) {
      await expect(bearer(service, presented, organizationId).listStudies()).rejects.toMatchObject(
        invalid,
      )
    }
  })

  it('is stored as a hash: no table holds the secret', async ({ service }) => {
    const by = await freshOwner(service)
    const { secret } = await issue(by, 'API_KEY', ['studies:read'])
    const half = secret.slice(-20)
    for (const table of ['credential_secrets', 'records', 'events', 'idempotency']) {
      const { rows } = await service.database.pool.query(
        `select count(*) as found from ${table} t where position($1 in t::text) > 0`,
        [half],
      )
      expect([table, rows[0].found]).toEqual([table, '0'])
    }
  })
})

describe('an OAuth client', () => {
  it('gets a token for part of its grant, which its tokens never outgrow', async ({ service }) => {
    const by = await freshOwner(service)
    const granted = ['studies:read', 'webhooks:manage']
    const { credential, secret } = await issue(by, 'OAUTH_CLIENT', granted)
    const answer = await tokenRequest(
      service,
      by.organizationId,
      basic(credential.id, secret),
      `${grant}&scope=studies%3Aread`,
    )
    expect(answer.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'studies:read',
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('pragma')).toBe('no-cache')
    const client = bearer(service, answer.body.access_token, by.organizationId)
    expect((await client.listStudies()).status).toBe(200)
    await expect(client.listWebhooks()).rejects.toMatchObject({ status: 403 })
    const whole = await tokenRequest(
      service,
      by.organizationId,
      basic(credential.id, secret),
      grant,
    )
    expect(whole.body.scope).toBe('studies:read webhooks:manage')
    // A grant that shrank takes the scope from tokens that were issued before.
    const wide = bearer(service, whole.body.access_token, by.organizationId)
    expect((await wide.listStudies()).status).toBe(200)
    await service.database.pool.query(
      `update credential_secrets set scopes = 'webhooks:manage' where credential_id = $1`,
      [credential.id],
    )
    await expect(wide.listStudies()).rejects.toMatchObject({
      code: 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
    })
    expect((await wide.listWebhooks()).status).toBe(200)
  })

  it('needs no header of ours: the client names its organization, in either way of RFC 6749', async ({
    service,
    owner,
  }) => {
    const by = await freshOwner(service)
    const { credential, secret } = await issue(by, 'OAUTH_CLIENT', ['studies:read'])
    const inForm = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credential.id,
      client_secret: secret,
    })
    for (const [authorization, body] of [
      [basic(credential.id, secret), grant],
      [null, String(inForm)],
    ] as const) {
      const answer = await fetch(`${service.baseUrl}${basePath}/oauth/token`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(authorization === null ? {} : { authorization }),
        },
      })
      const { access_token: token } = (await answer.json()) as TokenAnswer
      expect(answer.status).toBe(200)
      expect((await bearer(service, token, by.organizationId).listStudies()).status).toBe(200)
    }
    const nul = await tokenRequest(
      service,
      by.organizationId,
      null,
      String(inForm).replace('client_id=', 'client_id=a%00'),
    )
    expect([nul.status, nul.body.error]).toEqual([400, 'invalid_request'])
    inForm.set('client_secret', `${secret}x`)
    for (const [organizationId, form] of [
      [by.organizationId, String(inForm)],
      [owner.organizationId, String(inForm).replace(`${secret}x`, secret)],
      [by.organizationId, `${grant}&client_id=${credential.id}`],
      [by.organizationId, `${grant}&client_secret=${secret}`],
    ] as const) {
      const { status, body } = await tokenRequest(service, organizationId, null, form)
      expect([form, status, body]).toEqual([form, 401, { error: 'invalid_client' }])
    }
  })

  it('finds the token endpoint by RFC 8414', async ({ service }) => {
    const answer = await fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`)
    const metadata = (await answer.json()) as Record<string, unknown>
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(metadata).toMatchObject({
      issuer: service.config.baseUrl,
      token_endpoint: `${service.config.baseUrl}${basePath}/oauth/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      grant_types_supported: ['client_credentials'],
    })
  })

  it('that has expired is not rotated: the new secret would be refused', async ({ service }) => {
    const by = await freshOwner(service)
    const expiresAt = new Date(service.clock.read() + minuteMilliseconds).toISOString()
    const { credential } = await issue(by, 'OAUTH_CLIENT', ['studies:read'], { expiresAt })
    service.clock.advance(minuteMilliseconds)
    const rotation = by.client.rotateDeveloperCredential({
      params: { id: credential.id },
      ifMatch: credential.resourceVersion,
      body: { reason: 'Routine' },
    })
    await expect(rotation).rejects.toMatchObject({
      status: 409,
      code: 'LIQUIDITY_CREDENTIAL_EXPIRED',
    })
  })

  it('keeps its tokens through a rotation, and loses them with a revocation', async ({
    service,
  }) => {
    const by = await freshOwner(service)
    const { credential, secret } = await issue(by, 'OAUTH_CLIENT', ['studies:read'])
    const token = await tokenOf(service, by, credential.id, secret)
    const rotated = await by.client.rotateDeveloperCredential({
      params: { id: credential.id },
      ifMatch: credential.resourceVersion,
      body: { reason: 'Routine' },
    })
    expect((await bearer(service, token, by.organizationId).listStudies()).status).toBe(200)
    const old = await tokenRequest(service, by.organizationId, basic(credential.id, secret), grant)
    expect([old.status, old.body]).toEqual([401, { error: 'invalid_client' }])
    const { secret: renewed, credential: current } = rotated.body.data
    const second = await tokenOf(service, by, credential.id, renewed)
    await by.client.supersedeDeveloperCredentials({
      params: { id: credential.id },
      ifMatch: current.resourceVersion,
      body: { status: 'REVOKED', reason: 'Lost' },
    })
    for (const presented of [token, second]) {
      await expect(
        bearer(service, presented, by.organizationId).listStudies(),
      ).rejects.toMatchObject(invalid)
    }
    const revoked = await tokenRequest(
      service,
      by.organizationId,
      basic(credential.id, renewed),
      grant,
    )
    expect(revoked.status).toBe(401)
  })

  it('outlives neither its token’s hour nor its own expiry', async ({ service }) => {
    const by = await freshOwner(service)
    const expiresAt = new Date(service.clock.read() + 90 * minuteMilliseconds).toISOString()
    const { credential, secret } = await issue(by, 'OAUTH_CLIENT', ['studies:read'], { expiresAt })
    const first = await tokenOf(service, by, credential.id, secret)
    service.clock.advance(hourMilliseconds - 1000)
    expect((await bearer(service, first, by.organizationId).listStudies()).status).toBe(200)
    const second = await tokenOf(service, by, credential.id, secret)
    service.clock.advance(1000)
    await expect(bearer(service, first, by.organizationId).listStudies()).rejects.toMatchObject(
      invalid,
    )
    expect((await bearer(service, second, by.organizationId).listStudies()).status).toBe(200)
    service.clock.advance(30 * minuteMilliseconds)
    await expect(bearer(service, second, by.organizationId).listStudies()).rejects.toMatchObject(
      invalid,
    )
    const late = await tokenRequest(service, by.organizationId, basic(credential.id, secret), grant)
    expect(late.status).toBe(401)
  })

  it('ignores unknown parameters and those without a value, and rejects repeated ones', async ({
    service,
  }) => {
    const by = await freshOwner(service)
    const { credential, secret } = await issue(by, 'OAUTH_CLIENT', ['studies:read'])
    const send = (form: string) =>
      tokenRequest(service, by.organizationId, basic(credential.id, secret), form)
    for (const more of [
      'audience=https%3A%2F%2Fapi.example',
      'resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example',
      'constructor=x&toString=y&__proto__=z',
      'scope=',
      'scope',
      `client_id=${credential.id}&client_secret=`,
      'client_id=&client_secret=',
    ]) {
      const { status, body } = await send(`${grant}&${more}`)
      expect([more, status, body.scope]).toEqual([more, 200, 'studies:read'])
    }
    for (const form of [
      `${grant}&${grant}`,
      `${grant}&scope=studies:read&scope=studies:read`,
      'grant_type=',
      'audience=x',
    ]) {
      const { status, body } = await send(form)
      expect([form, status, body.error]).toEqual([form, 400, 'invalid_request'])
    }
  })

  it('names the media type of a form in the error for another one', async ({ service }) => {
    const by = await freshOwner(service)
    const { status, body } = await tokenRequest(service, by.organizationId, null, '{}', {
      'content-type': 'application/json',
    })
    expect([status, (body as unknown as { error: object }).error]).toMatchObject([
      415,
      { remediation: 'Send the body with Content-Type: application/x-www-form-urlencoded.' },
    ])
  })

  it('is challenged when it does not authenticate', async ({ service, owner }) => {
    const by = await freshOwner(service)
    const { credential, secret } = await issue(by, 'OAUTH_CLIENT', ['studies:read'])
    const key = await issue(by, 'API_KEY', ['studies:read'])
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
    for (const authorization of [
      null,
      'Basic',
      'Basic !!!',
      `Basic ${Buffer.from('no-colon').toString('base64')}`,
      `Basic ${Buffer.from('%:%').toString('base64')}`,
      `Bearer ${secret}`,
      basic(credential.id, ''),
      basic('', secret),
      basic('a\0b', secret),
      basic('a%00b', secret),
      basic('credential_00000000000000000000000000000000', secret),
      basic(credential.id, wrong),
      basic(key.credential.id, key.secret),
    ]) {
      const { status, body, headers } = await tokenRequest(
        service,
        by.organizationId,
        authorization,
        grant,
      )
      expect([authorization, status, body]).toEqual([
        authorization,
        401,
        { error: 'invalid_client' },
      ])
      expect(headers.get('www-authenticate')).toMatch(/^Basic realm=/)
      expect(headers.get('cache-control')).toBe('no-store')
    }
    const elsewhere = await tokenRequest(
      service,
      owner.organizationId,
      basic(credential.id, secret),
      grant,
    )
    expect([elsewhere.status, elsewhere.body]).toEqual([401, { error: 'invalid_client' }])
  })

  it('reports errors of its form with the codes of RFC 6749', async ({ service }) => {
    const by = await freshOwner(service)
    const { credential, secret } = await issue(by, 'OAUTH_CLIENT', ['studies:read'])
    const authorization = basic(credential.id, secret)
    for (const [form, error] of [
      ['scope=studies%3Aread', 'invalid_request'],
      ['', 'invalid_request'],
      ['grant_type=password', 'unsupported_grant_type'],
      ['grant_type=authorization_code', 'unsupported_grant_type'],
      [`${grant}&${grant}`, 'invalid_request'],
      [`${grant}&client_id=${credential.id}&client_secret=${secret}`, 'invalid_request'],
      [`${grant}&scope=a%00b`, 'invalid_request'],
      [`${grant}&scope=%ff`, 'invalid_request'],
      [`${grant}&scope=webhooks%3Amanage`, 'invalid_scope'],
      [`${grant}&scope=everything`, 'invalid_scope'],
      [`${grant}&scope=studies%3Aread%20webhooks%3Amanage`, 'invalid_scope'],
    ]) {
      const { status, body, headers } = await tokenRequest(
        service,
        by.organizationId,
        authorization,
        form!,
      )
      expect([form, status, body.error]).toEqual([form, 400, error])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    const json = await tokenRequest(service, by.organizationId, authorization, '{}', {
      'content-type': 'application/json',
    })
    expect([json.status, codeOf(json)]).toEqual([415, 'LIQUIDITY_MEDIA_TYPE_UNSUPPORTED'])
    for (const odd of ['', 'x'.repeat(161)]) {
      const nowhere = await tokenRequest(service, odd, authorization, grant)
      expect([nowhere.status, nowhere.body.error]).toEqual([400, 'invalid_request'])
    }
  })
})

describe('a session', () => {
  it('administers credentials for ten minutes after signing in', async ({ service }) => {
    const by = await freshOwner(service)
    service.clock.advance(10 * minuteMilliseconds)
    expect((await issue(by, 'API_KEY', ['studies:read'])).secretReturnedOnce).toBe(true)
    service.clock.advance(1)
    await expect(issue(by, 'API_KEY', ['studies:read'])).rejects.toMatchObject({
      status: 401,
      code: 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    })
    expect((await by.client.listDeveloperCredentials()).body.data).toHaveLength(1)
  })

  it('ends after twelve hours', async ({ service }) => {
    const by = await freshOwner(service)
    service.clock.advance(12 * hourMilliseconds - 1)
    expect((await by.client.listStudies()).status).toBe(200)
    service.clock.advance(1)
    await expect(by.client.listStudies()).rejects.toMatchObject({
      status: 401,
      code: 'LIQUIDITY_AUTHENTICATION_REQUIRED',
    })
  })
})
