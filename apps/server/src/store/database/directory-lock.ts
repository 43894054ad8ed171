import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Another process owns the data directory. */
export class DirectoryInUseError extends Error {
  constructor(directory: string) {
    super(
      `The data directory ${directory} is in use by another process. Stop it, or choose another DATA_DIR.`,
    )
  }
}

// The kernel's limit for the name of a Unix socket is 108 bytes, with the closing zero.
const maxSocketNameBytes = 100

/** Lock socket of a directory; in the temporary folder if the path is too long. */
export function socketOf(directory: string): string {
  const name = `${resolve(directory)}.sock`
  if (process.platform === 'win32') return `\\\\.\\pipe\\liquidity-${shortHash(name)}`
  return Buffer.byteLength(name) <= maxSocketNameBytes
    ? name
    : join(tmpdir(), `liquidity-${shortHash(name)}.sock`)
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** True if a process listens on the socket of a directory. */
export function isOwned(directory: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = net.connect(socketOf(directory))
    probe.once('connect', () => {
      probe.destroy()
      done(true)
    })
    probe.once('error', () => done(false))
  })
}

/**
 * Enforces one process per directory. The listening socket dies with its owner, however it ends. A
 * refused connection means that the owner is gone, so its socket is removed.
 *
 * @throws DirectoryInUseError
 */
export async function lockDirectory(
  directory: string,
  serve: (socket: net.Socket) => void = (socket) => socket.destroy(),
): Promise<() => void> {
  if (await isOwned(directory)) throw new DirectoryInUseError(directory)
  const path = socketOf(directory)
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const server = net.createServer(serve)
  await new Promise<void>((done, refuse) => {
    server.once('error', refuse)
    server.listen(path, done)
  })
  server.unref()
  return () => {
    server.close()
  }
}
