// @module-tag long
// @covers apps/server/src/http packages/contract/src

import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { basePath, extensionOperations, operations } from '@liquidity-os/contract'
import { afterAll, describe, expect } from 'vitest'
import { extraRoutes } from '../../src/extra-routes.ts'
import { venueBody } from '../support/bodies.ts'
import { test } from '../support/fixtures.ts'
import type { TestMember, TestService } from '../support/service.ts'
import { plainRequest } from './requests.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const it = test.extend('settings', { scope: 'file' }, { PUBLIC_REQUESTS_PER_MINUTE: '10000' })

afterAll(() => agent.destroy())

interface RawResponse {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** One request on the one connection, so that a body where none belongs would be taken for the next answer. */
function ask(
  service: TestService,
  owner: TestMember,
  method: string,
  path: string,
  more: Record<string, string> = {},
): Promise<RawResponse> {
  const headers = {
    cookie: `${service.config.sessionCookie}=${owner.cookie}`,
    'x-service-organization-id': owner.organizationId,
    ...more,
  }
  const { hostname, port } = new URL(service.baseUrl)
  return new Promise((done, refuse) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
      const finish = (body: string) =>
        done({ status: answer.statusCode, headers: answer.headers, body })
      if (answer.headers['content-type'] === 'text/event-stream') {
        answer.destroy()
        return finish('')
      }
      let body = ''
      answer.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      answer.once('end', () => finish(body))
    })
    sent.once('error', refuse)
    sent.end()
  })
}

/** What an answer says of itself, without what is each answer's own. */
function withoutDate({ status, headers }: RawResponse) {
  const { date, 'x-correlation-id': correlationId, 'transfer-encoding': _, ...others } = headers
  expect(correlationId).toMatch(/^req_[0-9a-f]{32}$/)
  return { status, headers: others }
}

async function expectSame(
  service: TestService,
  owner: TestMember,
  path: string,
  more: Record<string, string> = {},
): Promise<RawResponse> {
  const got = await ask(service, owner, 'GET', path, more)
  const head = await ask(service, owner, 'HEAD', path, more)
  expect(withoutDate(head)).toEqual(withoutDate(got))
  expect(head.body).toBe('')
  return got
}

const reads = [...operations, ...extensionOperations].filter(({ method }) => method === 'GET')

describe.each(reads.map((operation) => [operation.id, operation] as const))(
  'HEAD of %s',
  (_id, operation) => {
    it('is told what GET is told, and nothing more', async ({ service, owner }) => {
      const { params = {}, query = {} } = plainRequest(operation)
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(String((params as Record<string, unknown>)[name])),
      )
      const request = new URLSearchParams(query as Record<string, string>)
      const { headers, body } = await expectSame(service, owner, `${basePath}${path}?${request}`)
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    })
  },
)

const pages = extraRoutes.filter(({ method }) => method === 'GET')

describe.each(pages.map((route) => [route.path, route] as const))('HEAD of %s', (_path, route) => {
  it('is told what GET is told, and nothing more', async ({ service, owner }) => {
    const path = route.path
      .replace('{organizationId}', owner.organizationId)
      .replace('{family}', 'scores')
      .replaceAll(/\{(\w+)\}/g, 'a_00000000000000000000000000000000')
    const { status } = await expectSame(service, owner, path)
    expect(status).toBeLessThan(500)
  })
})

it('HEAD of a record has its ETag, and 304 where the caller has it already', async ({
  service,
  owner,
}) => {
  const { body } = await owner.client.createVenues({ body: venueBody(1) })
  const { id, resourceVersion } = body.data
  const path = `${basePath}/venues/${id}`
  const { status, headers } = await expectSame(service, owner, path)
  expect([status, headers.etag]).toEqual([200, `"${resourceVersion}"`])
  const known = await expectSame(service, owner, path, { 'if-none-match': `"${resourceVersion}"` })
  expect(known.status).toBe(304)
  expect((await expectSame(service, owner, `${basePath}/pictures/venues/${id}`)).status).toBe(200)
})

it('HEAD of a feed ends at once and leaves no listener', async ({ service, owner }) => {
  const path = `/auth/organizations/${owner.organizationId}/job-events`
  const { status, headers } = await ask(service, owner, 'HEAD', path)
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
  const listening = () => service.services.committed.listenerCount('change')
  await expect.poll(listening, { timeout: 120_000 }).toBe(0)
})

it('HEAD is refused as GET is', async ({ service, owner }) => {
  const refused = await expectSame(service, owner, `${basePath}/venues`, { cookie: 'none=0' })
  expect(refused.status).toBe(401)
})
