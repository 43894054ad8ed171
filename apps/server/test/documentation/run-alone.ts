import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { linkSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Runs `work` exclusively across processes for a path. The lock is a socket that its owner listens
 * on, so a killed process also releases it.
 *
 * @param path of the lock, at most 90 characters
 */
export async function runAlone<T>(path: string, work: () => Promise<T>): Promise<T> {
  const waiting = new Set<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    waiting.add(socket)
  })
  // The listening socket gets its final name in one step, so no process finds it before it listens.
  const own = `${path}.${randomBytes(4).toString('hex')}`
  server.listen(own)
  await once(server, 'listening')
  try {
    while (!take(own, path)) await waitForOwner(path)
    try {
      return await work()
    } finally {
      rmSync(path, { force: true })
    }
  } finally {
    await close(server, waiting)
  }
}

function take(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Waits until the owner of the lock closes its connections, and removes a lock whose owner has ended. */
async function waitForOwner(path: string): Promise<void> {
  const socket = connect(path)
  try {
    await once(socket.resume(), 'close')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ECONNREFUSED') rmSync(path, { force: true })
    // Both mean that the owner has released the lock meanwhile.
    else if (code !== 'ENOENT' && code !== 'ECONNRESET') throw error
  }
}

async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
