import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@liquidity-os/client'
import { afterAll, expect } from 'vitest'
import { listen } from '../src/cli/online/listen.ts'
import { profileOf } from '../src/cli/online/profiles.ts'
import { tableOf } from '../src/cli/online/table.ts'
import { venueBody } from './support/bodies.ts'
import { issue } from './support/credentials.ts'
import { it } from './support/fixtures.ts'
import { reservePort } from './support/ports.ts'
import { run } from './support/processes.ts'
import type { TestMember, TestService } from './support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-profiles-'))
const environment = { LIQUIDITY_PROFILES: join(folder, 'profiles.json') }

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const keyFor = async (owner: TestMember, ...scopes: string[]) => {
  const { secret } = (await issue(owner, 'API_KEY', scopes)) as unknown as { secret: string }
  return secret
}
const add = (service: TestService, owner: TestMember, name: string, key: string) => {
  const about = ['--url', service.baseUrl, '--organization', owner.organizationId]
  return run(['profile', 'add', name, ...about], environment, `${key}\n`)
}

it('keeps profiles where only their owner reads them, and prints no key', async ({
  service,
  owner,
}) => {
  const key = await keyFor(owner, 'studies:read')
  expect((await add(service, owner, 'one', key)).status).toBe(0)
  expect((await add(service, owner, 'two', key)).stdout).toContain('two is the current profile')
  expect(statSync(environment.LIQUIDITY_PROFILES).mode & 0o777).toBe(0o600)
  const listed = await run(['profile', 'list'], environment)
  expect(listed.stdout).toMatch(/^ {2}one {2}org_.+\n\* two {2}org_/u)
  expect(listed.stdout).not.toContain(key)
  await run(['profile', 'use', 'one'], environment)
  const { profiles } = JSON.parse((await run(['profile', 'list', '--json'], environment)).stdout)
  expect(profiles.map(({ name, isCurrent }: never) => [name, isCurrent])).toEqual([
    ...[
      ['one', true],
      ['two', false],
    ],
  ])
  await run(['profile', 'remove', 'one'], environment)
  const gone = await run(['api', 'listStudies', '--profile', 'one'], environment)
  expect([gone.status, gone.stderr]).toEqual([1, 'Unknown profile one. Known: two.\n'])
  const empty = await run(
    ['profile', 'add', 'three', '--url', 'x', '--organization', 'y'],
    environment,
  )
  expect(empty.stderr).toContain('contains no API key')
})

it('says what to do where no profile is kept', async () => {
  const nowhere = { LIQUIDITY_PROFILES: join(folder, 'none.json') }
  const { status, stderr } = await run(['api', 'listStudies'], nowhere)
  expect([status, stderr]).toEqual([1, expect.stringContaining('liquidity profile add NAME')])
})

it('calls any operation, by its id and by its path, and prints a rejection by field', async ({
  service,
  owner,
}) => {
  await add(service, owner, 'asks', await keyFor(owner, 'studies:read', 'studies:write'))
  const byId = await run(['api', 'listStudies', '-q', 'limit=1'], environment)
  const byPath = await run(['api', 'GET', '/studies', '-q', 'limit=1'], environment)
  expect(JSON.parse(byId.stdout)).toEqual({ data: [], meta: { count: 0, hasMore: false } })
  expect(byPath.stdout).toBe(byId.stdout)
  const unknown = await run(['api', 'GET', `/studies/study_${'0'.repeat(32)}`], environment)
  expect([unknown.status, unknown.stderr.split('\n')[0]]).toEqual([
    ...[1, expect.stringMatching(/^404 LIQUIDITY_RESOURCE_NOT_FOUND /)],
  ])
  const file = join(folder, 'study.json')
  writeFileSync(file, '{ "payload": { "schemaVersion": 1 }, "reason": "x" }')
  const wrong = await run(['api', 'createStudies', '--data', `@${file}`], environment)
  expect([wrong.status, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^400 LIQUIDITY_\w+ .+\n(?: {2}.+\n)* {2}reason: must NOT have fewer than 3/u,
    ),
  ])
  const noJson = await run(['api', 'createStudies', '--data', '-'], environment, '{')
  expect(noJson.stderr).toContain('the standard input is not valid JSON')
  const missing = await run(['api', 'getStudies'], environment)
  expect(missing.stderr).toContain('getStudies needs id=…; its path is /studies/{id}.')
  const nothing = await run(['api', 'GET', '/nothing'], environment)
  expect(nothing.stderr).toContain('The contract has no GET /nothing')
})

it('reports an unreachable service with its address', async () => {
  const away = {
    ...environment,
    LIQUIDITY_URL: `http://127.0.0.1:${await reservePort()}`,
    LIQUIDITY_ORGANIZATION: 'o',
  }
  const { stderr } = await run(['api', 'listStudies'], { ...away, LIQUIDITY_API_KEY: 'k' })
  expect(stderr).toBe(`${away.LIQUIDITY_URL} does not respond: ECONNREFUSED\n`)
})

it('shows a family as a table, and says which there are', async ({ service, owner }) => {
  await add(
    service,
    owner,
    'lists',
    await keyFor(owner, 'studies:read', 'strategies:validate', 'scores:read'),
  )
  const { stdout } = await run(['list', 'studies'], environment)
  expect(stdout).toMatch(/^id {2,}kind.*\n0 rows\.\n$/u)
  const none = await run(['list', 'nothing'], environment)
  expect(none.stderr).toMatch(/^Unknown list nothing\. Known: .*studies.*venues/u)
})

it.each([40, 80, 200])('a table fits a terminal of %d letters', (width) => {
  const rows = [['venue_1', 'A name that is long enough to be cut', 'VALIDATED', 'x'.repeat(90)]]
  const lines = tableOf(['id', 'name', 'status', 'address'], rows, width)
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width)
  expect(lines[0]).toMatch(/^id {2,}name/u)
  if (width === 200) expect(lines[1]).toContain('x'.repeat(90))
})

it('follows events from now on, and sends them on as a webhook would', async ({
  service,
  owner,
}) => {
  await add(service, owner, 'hears', await keyFor(owner, 'webhooks:manage'))
  await owner.client.createVenues({ body: venueBody(1) })
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const received: string[] = []
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(verifyWebhook(secret, body, request.headers).type)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const ending = new AbortController()
  const deliveries: (string | null)[] = []
  let requestCount = 0
  const listening = listen(profileOf(environment, 'hears'), {
    kind: 'venue.created',
    fromStart: false,
    secret,
    everyMilliseconds: 20,
    forward: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    signal: ending.signal,
    onRequest: () => {
      requestCount += 1
      // What was there before is gone through by now.
      if (requestCount === 1) void owner.client.createVenues({ body: venueBody(2) })
    },
    onEvent: (event, delivered) => {
      deliveries.push(event.kind, delivered)
      ending.abort()
    },
  })
  await listening
  await new Promise((done) => receiver.close(done))
  expect([deliveries, received]).toEqual([['venue.created', '204'], ['venue.created']])
})
