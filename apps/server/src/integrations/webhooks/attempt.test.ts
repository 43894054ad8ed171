import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { type AttemptResult, attemptDelivery } from './attempt.ts'
import { newWebhookSecret, signWebhook } from './standard-webhooks.ts'

const secret = newWebhookSecret()
const body = '{"type":"study.finished","timestamp":"2026-01-31T12:00:00Z","data":{"ü":1}}'

const closing: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function receiver(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A receiver that answers with exactly these bytes and closes. */
async function rawReceiver(bytes: string | Uint8Array): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(bytes))
  })
  closing.push(
    () => server.close(),
    () => sockets.forEach((socket) => void socket.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function deliver(port: number, timeoutMs?: number, sent = body): Promise<AttemptResult> {
  const outbound = createOutbound({ allowHttp: true, allow: [`127.0.0.1:${port}`] })
  closing.push(() => outbound.close())
  return attemptDelivery(outbound, {
    url: `http://127.0.0.1:${port}/hook`,
    body: sent,
    headers: signWebhook('msg_1', Math.floor(Date.now() / 1000), sent, [secret]),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
}

async function deliverTo(bytes: string | Uint8Array): Promise<AttemptResult> {
  return await deliver(await rawReceiver(bytes))
}

describe('attemptDelivery', () => {
  it.each([
    [1, undefined],
    [31_337, 'SIMULATED;chains="31337"'],
  ])('marks what names a local or test chain, %d', async (chainId, mark) => {
    const seen: unknown[] = []
    const port = await receiver((request, response) => {
      seen.push(request.headers['evidence-mark'])
      response.end()
    })
    await deliver(port, undefined, `{"data":{"chainId":${chainId}}}`)
    expect(seen).toEqual([mark])
  })

  it('sends deliveries that the independent library verifies', async () => {
    const seen: unknown[] = []
    const port = await receiver(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const headers = request.headers as Record<string, string>
      seen.push(new Webhook(secret).verify(text, headers), headers['content-type'], request.method)
      response.writeHead(202).end('thanks')
    })
    const result = await deliver(port)
    expect(result).toMatchObject({ outcome: 'DELIVERED', status: 202, responseHead: 'thanks' })
    expect(result.errorCode).toBeNull()
    expect(result.durationMs).toBeGreaterThanOrEqual(0)
    expect(seen).toEqual([JSON.parse(body), 'application/json', 'POST'])
  })

  it.each([
    [200, 'DELIVERED', null],
    [204, 'DELIVERED', null],
    [299, 'DELIVERED', null],
    [301, 'RETRY', 'REDIRECT_NOT_FOLLOWED'],
    [400, 'RETRY', null],
    [401, 'RETRY', null],
    [404, 'RETRY', null],
    [410, 'GONE', null],
    [429, 'RETRY', null],
    [500, 'RETRY', null],
    [503, 'RETRY', null],
  ] as const)('takes %i for %s', async (status, outcome, errorCode) => {
    const port = await receiver((_request, response) => response.writeHead(status).end())
    expect(await deliver(port)).toMatchObject({ status, outcome, errorCode })
  })

  it.each([
    [429, '60'],
    [503, '60'],
    [500, null],
    [200, null],
  ])('after %i reports the Retry-After %s', async (status, retryAfter) => {
    const headers = { 'retry-after': '60' }
    const port = await receiver((_request, response) => response.writeHead(status, headers).end())
    expect(await deliver(port)).toMatchObject({ status, retryAfter })
  })

  it('does not follow a redirect to a loopback address', async () => {
    let inside = 0
    const secretPort = await receiver((_request, response) => {
      inside++
      response.end()
    })
    const location = `http://127.0.0.1:${secretPort}/`
    const port = await receiver((_request, response) => response.writeHead(307, { location }).end())
    expect(await deliver(port)).toMatchObject({ outcome: 'RETRY', status: 307 })
    expect(inside).toBe(0)
  })

  it('does not reach a loopback address without permission', async () => {
    let reached = 0
    const port = await receiver((_request, response) => {
      reached++
      response.end()
    })
    const outbound = createOutbound({ allowHttp: true })
    closing.push(() => outbound.close())
    const url = `http://127.0.0.1:${port}/`
    const result = await attemptDelivery(outbound, { url, body, headers: {} })
    expect(result).toMatchObject({
      outcome: 'RETRY',
      status: null,
      errorCode: 'NO_PUBLIC_ADDRESS',
      responseHead: '',
    })
    expect(reached).toBe(0)
  })

  it('gives up on a receiver that hangs', async () => {
    const result = await deliver(await receiver(() => undefined), 60)
    expect(result).toMatchObject({ outcome: 'RETRY', status: null, errorCode: 'TIMED_OUT' })
  })

  it('takes the status of a receiver whose body never ends or never arrives', async () => {
    const endless = await receiver((_request, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    const result = await deliver(endless)
    expect(result).toMatchObject({ outcome: 'DELIVERED', responseHead: 'x'.repeat(1024) })
    const hanging = await receiver((_request, response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('half')
    })
    const half = await deliver(hanging, 750)
    expect(half).toMatchObject({ outcome: 'DELIVERED', status: 200, responseHead: 'half' })
  })

  it('takes the status of a receiver that lies about the length', async () => {
    const result = await deliverTo('HTTP/1.1 500 Oops\r\nContent-Length: 99\r\n\r\nshort')
    expect(result).toMatchObject({ outcome: 'RETRY', status: 500, responseHead: 'short' })
  })

  it('retries a receiver that speaks something else or nothing', async () => {
    expect(await deliverTo('220 mail.example.org ESMTP\r\n')).toMatchObject({
      outcome: 'RETRY',
      status: null,
      errorCode: 'ANSWER_MALFORMED',
    })
    expect(await deliverTo('')).toMatchObject({ status: null, errorCode: 'CONNECTION_FAILED' })
  })

  it('keeps the first KiB of the answer as safe text', async () => {
    const head = (text: string | Uint8Array): Promise<string> => {
      const bytes = Buffer.concat([Buffer.from('HTTP/1.1 500 Oops\r\n\r\n'), Buffer.from(text)])
      return deliverTo(bytes).then((result) => result.responseHead)
    }
    expect(await head('a\u0000b\u001b[31mc\u202ed\tä\n')).toBe('a\ufffdb\ufffd[31mc\ufffdd\tä\n')
    expect(await head(Uint8Array.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb')
    const cut = await head(`${'x'.repeat(1023)}ä`)
    expect(cut).toBe('x'.repeat(1023))
  })
})
