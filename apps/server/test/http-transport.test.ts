import { basePath, contract } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { limits } from '../src/limits.ts'
import { it } from './support/fixtures.ts'
import { notHttp, openRaw } from './support/raw-connection.ts'
import type { TestMember, TestService } from './support/service.ts'

const open = (service: TestService) => openRaw(service.baseUrl)

const patience = { timeout: 120_000 }
let keys = 0
const head = (
  service: TestService,
  owner: TestMember,
  method: string,
  target: string,
  more: Record<string, string> = {},
) => {
  keys += 1
  const headers = {
    host: 'localhost',
    cookie: `${service.config.sessionCookie}=${owner.cookie}`,
    origin: new URL(service.config.baseUrl).origin,
    'x-service-organization-id': owner.organizationId,
    'content-type': 'application/json',
    'idempotency-key': `transport-${keys}`,
    ...more,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
const venues = `${basePath}/venues`
const venue = (digit: string) => {
  const { body } = structuredClone(contract.createVenues.example) as unknown as {
    body: { payload: { address: string } }
  }
  body.payload.address = `0x${digit.repeat(40)}`
  return JSON.stringify(body)
}

describe('a body', () => {
  it('that comes in pieces, or in chunks, is one body', async ({ service, owner }) => {
    const { socket, read } = await open(service)
    const text = venue('1')
    socket.write(head(service, owner, 'POST', venues, { 'content-length': String(text.length) }))
    for (const piece of text.match(/.{1,97}/gs) ?? []) {
      socket.write(piece)
      await new Promise((done) => setImmediate(done))
    }
    await expect.poll(read, patience).toContain('HTTP/1.1 201 ')
    const chunked = venue('2')
    socket.write(head(service, owner, 'POST', venues, { 'transfer-encoding': 'chunked' }))
    socket.write(`${chunked.length.toString(16)}\r\n${chunked}\r\n0\r\n\r\n`)
    await expect.poll(() => read().match(/HTTP\/1\.1 201 /g), patience).toHaveLength(2)
    socket.destroy()
  })

  it('that says it is too large is refused before it comes, and one that becomes too large then', async ({
    service,
    owner,
  }) => {
    const declared = await open(service)
    declared.socket.write(
      head(service, owner, 'POST', venues, { 'content-length': String(limits.bodyBytes + 1) }),
    )
    await declared.ended
    expect(declared.read()).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*BODY_TOO_LARGE/i,
    )

    const growing = await open(service)
    growing.socket.write(head(service, owner, 'POST', venues, { 'transfer-encoding': 'chunked' }))
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let sent = 0; sent <= limits.bodyBytes && !growing.socket.destroyed; sent += 0x10000) {
      growing.socket.write(chunk)
    }
    await expect.poll(growing.read, patience).toMatch(/^HTTP\/1\.1 413 [\s\S]*BODY_TOO_LARGE/)
    growing.socket.destroy()
  })

  it.for([
    '/auth/email-links',
    '/auth/organizations/org_a/members',
    '/auth/organizations/org_a/jobs/job_a/cancel',
  ])(
    'that is too large is rejected at %s too, for any caller',
    async (path, { service, owner }) => {
      const { socket, read, ended } = await open(service)
      socket.write(
        head(service, owner, 'POST', path, {
          'content-length': String(limits.bodyBytes + 1),
          cookie: '',
        }),
      )
      await ended
      expect(read()).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*BODY_TOO_LARGE/i)
    },
  )

  it('leaves no data if its sender disconnects', async ({ service, owner }) => {
    const text = venue('3')
    const { socket, ended } = await open(service)
    socket.write(head(service, owner, 'POST', venues, { 'content-length': String(text.length) }))
    socket.write(text.slice(0, 300))
    await new Promise((done) => setImmediate(done))
    socket.destroy()
    await ended
    // The request ends too, though nobody hears how.
    const refused = 'operation="createVenues",status="400"'
    await expect.poll(() => service.services.metrics.print(), patience).toContain(refused)
    const body = JSON.parse(text) as never
    // Nobody holds its address.
    await expect(owner.client.createVenues({ body })).resolves.toBeDefined()
  })

  it('an empty body is reported by name if one is required', async ({ service, owner }) => {
    const { socket, read } = await open(service)
    socket.write(head(service, owner, 'POST', venues, { 'content-length': '0' }))
    await expect.poll(read, patience).toMatch(/^HTTP\/1\.1 400 [\s\S]*is required/)
    socket.destroy()
  })
})

it('requests that come at once on one connection are answered in their order', async ({
  service,
  owner,
}) => {
  const { socket, read } = await open(service)
  const text = venue('4')
  socket.write(
    head(service, owner, 'POST', venues, { 'content-length': String(text.length) }) +
      text +
      head(service, owner, 'GET', `${basePath}/status`) +
      head(service, owner, 'GET', `${basePath}/nowhere`),
  )
  await expect.poll(() => read().match(/HTTP\/1\.1 \d+/g), patience).toHaveLength(3)
  expect(read().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200', 'HTTP/1.1 404'])
  socket.destroy()
})

it.for([
  ['HEAD', `${basePath}/venue-templates`, 404],
  ['OPTIONS', venues, 405],
  ['PUT', venues, 405],
  ['QUERY', venues, 405],
  ['GET', `${basePath}/venues/%ff`, 404],
  ['GET', `${basePath}/venues/%00`, 400],
  ['GET', `http://elsewhere.example${venues}`, 404],
  ['GET', `${basePath}//venues`, 404],
  ['GET', `${basePath}/venues/`, 404],
  ['GET', `${basePath}/../v2/venues`, 404],
  ['OPTIONS', '/health/live', 405],
  ['POST', '/docs', 405],
  ['GET', '/auth/logout', 405],
  ['HEAD', '/auth/logout', 405],
  ['GET', '/docs/nothing', 404],
  ['GET', '/docs/%ff', 404],
  ['GET', '/docs/%00', 400],
  ['POST', '/nowhere', 404],
] as const)(
  '%s %s is answered with %i, in the one envelope',
  async ([method, target, status], { service, owner }) => {
    const { socket, read } = await open(service)
    socket.write(head(service, owner, method, target))
    await expect.poll(read, patience).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(read()).toMatch(/x-correlation-id: req_[0-9a-f]{32}/i)
    if (method !== 'HEAD') expect(read()).toContain('"code":"LIQUIDITY_')
    socket.destroy()
  },
)

describe('input that is not HTTP', () => {
  it.for(notHttp)(
    '%s is refused in the one envelope, and the connection ends',
    async ([_what, text, status], { service }) => {
      const { socket, read, ended } = await open(service)
      socket.write(text)
      await ended
      expect(read()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(read()).toMatch(/x-correlation-id: req_[0-9a-f]{32}/)
      const { error } = JSON.parse(read().split('\r\n\r\n')[1] ?? '')
      expect(error).toMatchObject({ code: 'LIQUIDITY_INVALID_REQUEST', retryable: false })
      expect(Object.keys(error.fieldErrors)).toEqual(['(request)'])
    },
  )
})

it('rejects two hosts: a proxy may use the other one', async ({ service, owner }) => {
  const { socket, read } = await open(service)
  socket.write(head(service, owner, 'GET', `${basePath}/status`, { Host: 'elsewhere.example' }))
  await expect.poll(read, patience).toMatch(/^HTTP\/1\.1 400 [\s\S]*"headers.host"/)
  socket.destroy()
})

it.for([
  [venues, 'content-encoding', 'gzip'],
  [venues, 'content-type', 'application/json; charset=utf-16'],
  ['/auth/email-links', 'content-encoding', 'gzip'],
  ['/auth/email-links', 'content-type', 'application/json; charset=utf-16'],
  ['/auth/email-links', 'content-type', 'text/plain'],
] as const)(
  'a body for %s under %s: %s is refused before it is read',
  async ([path, name, value], { service, owner }) => {
    const { socket, read } = await open(service)
    const text = venue('5')
    socket.write(
      head(service, owner, 'POST', path, { 'content-length': String(text.length), [name]: value }) +
        text,
    )
    await expect.poll(read, patience).toMatch(/^HTTP\/1\.1 415 /)
    expect(read()).toContain(`"headers.${name}"`)
    socket.destroy()
  },
)

it.for([
  '/auth/organizations/org_a/jobs/%00/cancel',
  '/auth/organizations/org_a/members/a%00@example.org',
])('%s is refused for its NUL', async (target, { service, owner }) => {
  const { socket, read } = await open(service)
  socket.write(head(service, owner, 'POST', target, { 'content-length': '0' }))
  await expect.poll(read, patience).toMatch(/^HTTP\/1\.1 400 [\s\S]*must not contain NUL/)
  socket.destroy()
})

it('every response names its attempt, also for extensions', async ({ service }) => {
  for (const path of ['/health/live', '/health/ready', '/auth/session', '/', '/docs', '/nowhere']) {
    const answer = await fetch(`${service.baseUrl}${path}`, { redirect: 'manual' })
    expect(answer.headers.get('x-correlation-id'), path).toMatch(/^req_[0-9a-f]{32}$/)
  }
})
