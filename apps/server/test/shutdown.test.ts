// @module-tag postgres

import { Agent, type IncomingMessage, request } from 'node:http'
import { basePath } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { startReceiver } from './support/receiver.ts'
import { newOrganization, serviceForTest, startTestService } from './support/service.ts'

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

it.each([`${basePath}/status`, '/health/ready', '/auth/sign-in', '/docs/', '/'])(
  'a node that stops refuses %s on open connections, in the one envelope',
  async (path) => {
    const service = await serviceForTest()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const url = `${service.baseUrl}${path}`
    expect((await ask(url, agent)).answer.statusCode).toBe(200)
    service.services.stopping = true
    const { answer, body } = await ask(url, agent)
    expect([answer.statusCode, answer.headers.connection]).toEqual([503, 'close'])
    expect(JSON.parse(body).error).toMatchObject({
      code: 'LIQUIDITY_SHUTTING_DOWN',
      retryable: true,
    })
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    agent.destroy()
  },
)

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
  await expect.poll(() => hanging.received.length, { timeout: 10_000 }).toBe(1)
  const stopped = service.services.stopping
  const closing = service.stop()
  hanging.release()
  expect([stopped, await registering]).toEqual([false, 'LIQUIDITY_PROVIDER_PROBE_FAILED'])
  await closing
  await hanging.stop()
})
