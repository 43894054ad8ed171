import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@liquidity-os/client'

/** Somebody who is told every event by webhook, and believes what is signed. */
export interface Receiver {
  readonly host: string
  /** `subject sequence` of every message, as often as it came. */
  readonly received: readonly string[]
  /** Messages that were not signed as they should be. */
  forged: () => number
  /** The secret that is shown once. */
  learn: (secret: string) => void
  close: () => Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: string[] = []
  const secret = Promise.withResolvers<string>()
  let forged = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    try {
      const { data } = verifyWebhook(await secret.promise, body, request.headers)
      const { subject, sequence } = data as { subject: { id: string }; sequence: number }
      received.push(`${subject.id} ${sequence}`)
    } catch {
      forged += 1
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    forged: () => forged,
    learn: secret.resolve,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
