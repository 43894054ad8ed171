import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * Reserves a port of 127.0.0.1 until this process ends. Only needed by a program that must know its
 * port before it starts, or retain it over a restart; all others listen on port 0.
 *
 * An open connection occupies the port. The system then never assigns it as a free port, but a
 * server can still listen on it by number.
 */
export async function reservePort(): Promise<number> {
  const listener = createServer()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (typeof address !== 'object' || address === null) throw new Error('The listener has no port.')
  const client = connect(address.port, '127.0.0.1')
  const [accepted] = (await once(listener, 'connection')) as [Socket]
  listener.close()
  reserved.push(client.unref(), accepted.unref())
  return address.port
}

/** Prevents garbage collection of the connections. */
const reserved: Socket[] = []
