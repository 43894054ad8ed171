import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A port that only a server which names it can take. */
export interface ReservedPort {
  readonly port: number
  readonly release: () => void
}

/**
 * Reserves a port of 127.0.0.1 for a server that starts later and may stop and start again.
 *
 * An open connection occupies the port. The system then gives the port to nobody who asks for any free port, but
 * a server can still listen on it by number.
 */
export async function reservePort(): Promise<ReservedPort> {
  const listener = createServer()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (typeof address !== 'object' || address === null) throw new Error('The listener has no port.')
  const client = connect(address.port, '127.0.0.1')
  const [accepted] = (await once(listener, 'connection')) as [Socket]
  listener.close()
  return {
    port: address.port,
    release: () => {
      client.destroy()
      accepted.destroy()
    },
  }
}
