// @module-tag postgres

import { createClient } from '@liquidity-os/client'
import { describe, expect } from 'vitest'
import { it } from './support/fixtures.ts'
import { newMember } from './support/service.ts'

const credentialBody = {
  label: 'Export',
  kind: 'API_KEY' as const,
  scopes: ['studies:read' as const, 'webhooks:manage' as const],
  reason: 'For the nightly export',
}

describe('developer credentials', () => {
  it('issues a key once, which then reads what its scope allows', async ({ service, owner }) => {
    const { body, status } = await owner.client.createDeveloperCredentials({ body: credentialBody })
    expect(status).toBe(201)
    expect(body.data.secret).toMatch(/^svc_key_[0-9a-f]{24}_[A-Za-z0-9_-]{43}$/)
    const key = createClient({
      baseUrl: service.baseUrl,
      organizationId: owner.organizationId,
      auth: { kind: 'bearer', token: body.data.secret },
    })
    const studies = await key.listStudies()
    expect(studies.body).toEqual({ data: [], meta: { count: 0, hasMore: false } })
    await expect(key.listScores()).rejects.toMatchObject({
      status: 403,
      code: 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
    })
    await expect(key.listVenues()).rejects.toMatchObject({ status: 403 })
  })

  it('answers an identical retry with the metadata and not the secret', async ({ owner }) => {
    const idempotencyKey = 'issue-credential-once'
    const first = await owner.client.createDeveloperCredentials({
      body: credentialBody,
      idempotencyKey,
    })
    const error = await owner.client
      .createDeveloperCredentials({ body: credentialBody, idempotencyKey })
      .catch((failure) => failure)
    expect(error).toMatchObject({
      status: 409,
      code: 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED',
      body: { metadata: { resourceId: first.body.data.credential.id } },
    })
    expect(error.headers.get('idempotency-replayed')).toBe('true')
  })

  it('exchanges client credentials for a token until the client is revoked', async ({
    service,
    owner,
  }) => {
    const issued = await owner.client.createDeveloperCredentials({
      body: { ...credentialBody, kind: 'OAUTH_CLIENT' },
    })
    const { credential, secret } = issued.body.data
    const anonymous = createClient({
      baseUrl: service.baseUrl,
      organizationId: owner.organizationId,
    })
    const basic = `Basic ${Buffer.from(`${credential.id}:${secret}`).toString('base64')}`
    const token = await anonymous.issueOperatingSystemOAuthToken({
      body: { grant_type: 'client_credentials', scope: 'studies:read' },
      headers: { authorization: basic },
    })
    expect(token.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'studies:read',
    })
    expect(token.headers.get('cache-control')).toBe('no-store')
    const service_ = createClient({
      baseUrl: service.baseUrl,
      organizationId: owner.organizationId,
      auth: { kind: 'bearer', token: token.body.access_token },
    })
    expect((await service_.listStudies()).status).toBe(200)
    await owner.client.supersedeDeveloperCredentials({
      params: { id: credential.id },
      ifMatch: credential.resourceVersion,
      body: { status: 'REVOKED', reason: 'Test of revocation' },
    })
    await expect(service_.listStudies()).rejects.toMatchObject({
      status: 401,
      code: 'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL',
    })
  })

  it('stores the refusal of a stale authentication under the key', async ({ service, owner }) => {
    const stale = await newMember(service, owner.organizationId, 'OPERATOR')
    service.clock.advance(11 * 60_000)
    const request = { body: credentialBody, idempotencyKey: 'stale-authentication' }
    for (const expected of [null, 'true']) {
      const error = await stale.client
        .createDeveloperCredentials(request)
        .catch((failure) => failure)
      expect(error).toMatchObject({
        status: 401,
        code: 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
      })
      expect(error.headers.get('idempotency-replayed')).toBe(expected)
    }
  })
})

describe('workspace', () => {
  it('says who acts, with what rights, and what to do next', async ({ owner }) => {
    const { body } = await owner.client.getOperatingSystemWorkspace()
    expect(body.data.role).toBe('OWNER')
    expect(body.data.checklist.map(({ code }) => code)).toContain('REGISTER_CHAIN_PROVIDER')
  })
})
