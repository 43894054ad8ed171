// @module-tag postgres

import { Agent, type IncomingMessage, request } from 'node:http'
import { createClient } from '@liquidity-os/client'
import { basePath } from '@liquidity-os/contract'
import { expect, it, onTestFinished } from 'vitest'
import { startReceiver } from './support/receiver.ts'
import {
  anotherNode,
  newOrganization,
  serviceForTest,
  startTestService,
  type TestService,
} from './support/service.ts'

/** One request on a connection that is kept open. */
function ask(url: string, agent: Agent): Promise<{ answer: IncomingMessage; body: string }> {
  return new Promise((done, refuse) => {
    const sent = request(url, { agent }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      answer.once('end', () => done({ answer, body }))
    })
    sent.once('error', refuse)
    sent.end()
  })
}

it.each([`${basePath}/status`, '/health/live', '/auth/sign-in', '/docs/', '/'])(
  'a stopping node still serves %s, and closes the connection afterwards',
  async (path) => {
    const service = await serviceForTest()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const url = `${service.baseUrl}${path}`
    const before = await ask(url, agent)
    expect([before.answer.statusCode, before.answer.headers.connection]).toEqual([
      200,
      'keep-alive',
    ])
    service.services.phase = 'DRAINING'
    const { answer } = await ask(url, agent)
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
    agent.destroy()
  },
)

it('its balancer first sees that it is not ready, then it stops listening', async () => {
  const service = await startTestService({ DRAIN_SECONDS: '1' })
  const ready = () => fetch(`${service.baseUrl}/health/ready`)
  expect((await ready()).status).toBe(200)
  const stopped = service.stop()
  const answer = await ready()
  expect([answer.status, await answer.json()]).toEqual([503, { status: 'stopping' }])
  expect((await fetch(`${service.baseUrl}/health/live`)).status).toBe(200)
  await stopped
  await expect(ready()).rejects.toThrow()
})

it('a node that stops answers the request that is under way', async () => {
  const hanging = await startReceiver()
  const { host } = new URL(hanging.url)
  const service = await startTestService({ OUTBOUND_ALLOW: host })
  const owner = await newOrganization(service)
  hanging.answer = () => 'HANG'
  const registering = owner.client
    .putOperatingSystemProvider({
      body: {
        payload: {
          providerId: 'slow',
          kind: 'CHAIN_RPC',
          displayName: 'Slow',
          endpoint: hanging.url,
          configuration: { chainId: 1, timeoutMilliseconds: 60_000 },
        },
        reason: 'For the test',
      },
    })
    .catch((error: { code: string }) => error.code)
  await expect.poll(() => hanging.received.length, { timeout: 120_000 }).toBe(1)
  const closing = service.stop()
  hanging.release()
  expect(await registering).toBe('LIQUIDITY_PROVIDER_PROBE_FAILED')
  await closing
  await hanging.stop()
})

it('three nodes restarted in turn behind a balancer lose no request', async () => {
  const first = await serviceForTest()
  const owner = await newOrganization(first)
  const changes = { drainSeconds: 1 }
  const nodes = [
    await anotherNode(first, changes),
    await anotherNode(first, changes),
    await anotherNode(first, changes),
  ]
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  /** As balancers do: whoever says that it is not ready gets nothing new; nothing is tried twice. */
  const isReady = async (node: TestService) =>
    (await ask(`${node.baseUrl}/health/ready`, agent)).answer.statusCode === 200
  let turn = 0
  let isOver = false
  const seen: number[] = []
  const load = async () => {
    while (!isOver) {
      turn += 1
      const node = nodes[turn % nodes.length]!
      if (!(await isReady(node).catch(() => false))) continue
      const answer = await createClient({
        ...owner.options,
        baseUrl: node.baseUrl,
      }).listSavedPlatformProjects()
      seen.push(answer.status)
    }
  }
  const loads = Array.from({ length: 4 }, load)
  for (let index = 0; index < nodes.length; index += 1) {
    await nodes[index]!.stop()
    nodes[index] = await anotherNode(first, changes)
  }
  isOver = true
  await Promise.all(loads)
  expect(seen.length).toBeGreaterThan(20)
  expect(seen.filter((status) => status !== 200)).toEqual([])
})
