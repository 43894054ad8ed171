import { type Client, createClient } from '@liquidity-os/client'
import { keyBody } from './bodies.ts'
import { conformingFetch } from './conforming-fetch.ts'
import type { TestMember } from './service.ts'

/** A client that presents a key or a token. */
export const bearer = (token: string, organizationId: string, baseUrl: string): Client =>
  createClient({ baseUrl, organizationId, fetch: conformingFetch, auth: { kind: 'bearer', token } })

/** Issues a credential with these scopes, with its secret. */
export async function issue(
  by: TestMember,
  kind: 'API_KEY' | 'OAUTH_CLIENT',
  granted: readonly string[],
  more: object = {},
) {
  const { body } = await by.client.createDeveloperCredentials({
    body: { ...(keyBody(granted, kind) as object), ...more } as never,
  })
  return body.data
}

export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
export const grant = 'grant_type=client_credentials'
