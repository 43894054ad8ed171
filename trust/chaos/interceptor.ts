import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What happens to bytes on their way: `PASS` lets them through, `HOLD` keeps them until they pass again, `LOSE_ANSWERS` carries
 * what is asked and loses what is answered.
 */
export type Manner = 'PASS' | 'HOLD' | 'LOSE_ANSWERS'

/** A line between the service and its database that can be disturbed. */
export interface Interceptor {
  readonly port: number
  /** How many connections are open through it. */
  connections: () => number
  /** Bytes of answers that were lost so far. */
  lostBytes: () => number
  behave: (manner: Manner) => void
  /** Ends every connection at once, without a word, as a firewall that forgets them. */
  cut: () => void
  close: () => Promise<void>
}

/**
 * Forwards connections on a port of this machine to another port of it, and disturbs them when it is told to.
 *
 * @param target port that is forwarded to
 */
export async function startInterceptor(target: number): Promise<Interceptor> {
  const pairs = new Set<Pair>()
  let manner: Manner = 'PASS'
  let lostBytes = 0
  const lose = (bytes: Buffer) => {
    lostBytes += bytes.length
  }
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const pair = new Pair(near, connect(target, '127.0.0.1'), () => manner, lose)
    pairs.add(pair)
    pair.whenEnded(() => pairs.delete(pair))
    pair.follow()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => pairs.size,
    lostBytes: () => lostBytes,
    behave: (next) => {
      manner = next
      for (const pair of pairs) pair.follow()
    },
    cut: () => {
      for (const pair of pairs) pair.end()
    },
    close: async () => {
      server.close()
      for (const pair of pairs) pair.end()
      await once(server, 'close')
    },
  }
}

/** One connection: the end that is near to the service, and the one that is near to the database. */
class Pair {
  readonly #near: Socket
  readonly #far: Socket
  readonly #manner: () => Manner

  constructor(near: Socket, far: Socket, manner: () => Manner, lose: (bytes: Buffer) => void) {
    this.#near = near
    this.#far = far
    this.#manner = manner
    for (const end of [near, far]) end.on('error', () => this.end()).on('close', () => this.end())
    near.on('data', (bytes) => this.#far.write(bytes))
    far.on('data', (bytes) => {
      if (this.#manner() === 'LOSE_ANSWERS') lose(bytes)
      else this.#near.write(bytes)
    })
  }

  whenEnded(heard: () => void): void {
    this.#near.once('close', heard)
  }

  /** Takes on the manner of the moment. */
  follow(): void {
    for (const end of [this.#near, this.#far]) {
      if (this.#manner() === 'HOLD') end.pause()
      else end.resume()
    }
  }

  end(): void {
    this.#near.destroy()
    this.#far.destroy()
  }
}
