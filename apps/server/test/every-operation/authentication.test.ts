// @module-tag long
// @covers packages/contract/src apps/server/src/access apps/server/src/http

import { createClient } from '@liquidity-os/client'
import { operations, permissionsOf, scopes } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { hashNumber, readCommit } from '../../../../testing/changed-paths.ts'
import { conformingFetch } from '../support/conforming-fetch.ts'
import { test } from '../support/fixtures.ts'
import { newMember, type TestMember, type TestService } from '../support/service.ts'
import { guarded, plainRequest, refusal } from './requests.ts'

const it = test
  .extend(
    'settings',
    { scope: 'file' },
    {
      // Every operation is called many times here; budgets have tests of their own.
      SERVICE_BUDGETS: scopes.map((scope) => `${scope}=1000000`).join(','),
    },
  )
  .extend('viewer', { scope: 'file' }, ({ service, owner }) =>
    newMember(service, owner.organizationId, 'VIEWER'),
  )
  .extend('everyScope', { scope: 'file' }, ({ owner }) => keyWith(owner, [...scopes]))
  .extend('noSuchScope', { scope: 'file' }, ({ owner }) => keyWith(owner, ['vaults:read']))

async function keyWith(owner: TestMember, granted: (typeof scopes)[number][]): Promise<string> {
  const { body } = await owner.client.createDeveloperCredentials({
    body: { label: 'Test', kind: 'API_KEY', scopes: granted, reason: 'For the test' },
  })
  return body.data.secret
}

const commit = readCommit()

const bearer = (
  service: TestService,
  owner: TestMember,
  token: string,
  organizationId = owner.organizationId,
) => ({
  baseUrl: service.baseUrl,
  organizationId,
  fetch: conformingFetch,
  auth: { kind: 'bearer' as const, token },
})

describe.each(guarded.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    it('refuses a caller without authentication', async ({ service, owner }) => {
      const anonymous = {
        baseUrl: service.baseUrl,
        organizationId: owner.organizationId,
        fetch: conformingFetch,
      }
      expect(await refusal(anonymous, operation)).toMatchObject({
        status: 401,
        code: 'LIQUIDITY_AUTHENTICATION_REQUIRED',
      })
    })

    it('refuses an unknown session, an unknown key and an unsigned token', async ({
      service,
      owner,
    }) => {
      const session = {
        ...owner.options,
        auth: { ...owner.options.auth!, cookie: 'A'.repeat(43) },
      } as never
      expect(await refusal(session, operation)).toMatchObject({ status: 401 })
      const unknown = `svc_key_${'0'.repeat(24)}_${'A'.repeat(43)}`
      const forged = `svc_at_${Buffer.from('["dev","o","c",1,[],9999999999]').toString('base64url')}.${'A'.repeat(43)}`
      // One guard serves all operations; the commit shifts which token each of them is tried with.
      const tokens = [unknown, forged, 'svc_client_x', 'x']
      const token = tokens[hashNumber(`${commit} ${operation.id}`) % tokens.length] as string
      expect(await refusal(bearer(service, owner, token), operation), token).toMatchObject({
        status: 401,
        code: 'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL',
      })
    })

    it('requires the organization', async ({ owner }) => {
      const { organizationId: _, ...nowhere } = owner.options
      expect(await refusal(nowhere, operation)).toMatchObject({
        status: 400,
        code: 'LIQUIDITY_STUDIO_ORGANIZATION_REQUIRED',
      })
    })

    it('answers alike for a foreign organization and for one that does not exist', async ({
      service,
      owner,
      stranger,
      everyScope,
    }) => {
      for (const organizationId of [stranger.organizationId, 'org_none']) {
        expect(await refusal({ ...owner.options, organizationId }, operation)).toMatchObject({
          status: 403,
          code: 'LIQUIDITY_ORGANIZATION_ACCESS_DENIED',
        })
        expect(
          await refusal(bearer(service, owner, everyScope, organizationId), operation),
        ).toMatchObject({
          status: 401,
          code: 'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL',
        })
      }
    })

    it('takes a service credential only with its scope', async ({
      service,
      owner,
      everyScope,
      noSuchScope,
    }) => {
      const { auth } = operation
      const withAll = await refusal(bearer(service, owner, everyScope), operation)
      if (auth.kind === 'session') {
        expect(withAll).toMatchObject({
          status: 403,
          code: 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
        })
        return
      }
      expect([401, 403]).not.toContain(withAll.status)
      if (auth.kind === 'scoped' && auth.scope !== 'vaults:read') {
        expect(await refusal(bearer(service, owner, noSuchScope), operation)).toMatchObject({
          status: 403,
          code: 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
        })
      }
    })

    it('requires a role with the permission', async ({ viewer }) => {
      const { status, code } = await refusal(viewer.options, operation)
      if (permissionsOf.VIEWER.includes(operation.permission!)) {
        expect(code).not.toBe('LIQUIDITY_ROLE_REQUIRED')
      } else expect({ status, code }).toEqual({ status: 403, code: 'LIQUIDITY_ROLE_REQUIRED' })
    })
  },
)

describe.each(
  guarded
    .filter(({ method }) => method !== 'GET')
    .map((operation) => [operation.id, operation] as const),
)('%s', (_id, operation) => {
  it('refuses a change from another origin', async ({ owner }) => {
    for (const origin of ['https://evil.example', 'null']) {
      const request = { ...plainRequest(operation), headers: { origin } }
      expect(await refusal(owner.options, operation, request)).toMatchObject({
        status: 403,
        code: 'LIQUIDITY_ORIGIN_NOT_ALLOWED',
      })
    }
  })
})

it('serves public operations without any credential', async ({ service }) => {
  const anonymous = createClient({ baseUrl: service.baseUrl, fetch: conformingFetch })
  expect((await anonymous.getOperatingSystemStatus()).status).toBe(200)
  expect(operations.filter(({ auth }) => auth.kind === 'public').map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/status', '/openapi.json']),
  )
})
