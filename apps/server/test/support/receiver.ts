import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Behavior of a receiver: a status, a status with headers, a redirect, or no response. */
export type Manner =
  | number
  | { status: number; headers: Readonly<Record<string, string>> }
  | { redirect: string }
  | 'HANG'

export interface Receiver {
  url: string
  received: Received[]
  /** Determines each response; default: 200. */
  answer: (received: Received) => Manner
  /** Closes the connections of callers that wait without a response. */
  release: () => void
  stop: () => Promise<void>
}

/** A real webhook receiver with configurable behavior. */
export async function startReceiver(): Promise<Receiver> {
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      receiver.received.push(received)
      const manner = receiver.answer(received)
      if (manner === 'HANG') hanging.add(response)
      else if (typeof manner === 'number') response.writeHead(manner).end('Seen.')
      else if ('status' in manner) response.writeHead(manner.status, manner.headers).end('Seen.')
      else response.writeHead(302, { location: manner.redirect }).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    answer: () => 200,
    release: () => {
      for (const response of hanging) response.destroy()
      hanging.clear()
    },
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return receiver
}

/** Whether the independent library of the standard accepts a message, at the time it was sent. */
export function isVerified({ headers, body }: Received, secret: string, now: number): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  } finally {
    vi.useRealTimers()
  }
}
