import { spawn } from 'node:child_process'
import net from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Start {
  arguments: readonly string[]
  environment: Readonly<Record<string, string>>
  path: string
}

const pollMilliseconds = 2
const limitMilliseconds = 60_000
const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Milliseconds from spawning a server to its first response with status 200; the server is killed
 * afterwards.
 */
export async function timeToFirstAnswer(start: Start): Promise<number> {
  const port = await freePort()
  const from = performance.now()
  const child = spawn(process.execPath, [...start.arguments], {
    cwd: root,
    env: { ...process.env, ...start.environment, PORT: String(port), LOG_LEVEL: 'info' },
    stdio: 'ignore',
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  try {
    while (!(await answers(port, start.path))) {
      if (child.exitCode !== null) throw new Error(`${start.arguments.join(' ')} ended.`)
      if (performance.now() - from > limitMilliseconds) {
        throw new Error(`${start.arguments.join(' ')} did not answer in a minute.`)
      }
      await new Promise((done) => setTimeout(done, pollMilliseconds))
    }
    return performance.now() - from
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** True if a request returns 200. Uses a bare socket, so the client costs almost no time. */
function answers(port: number, path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = net.connect(port, '127.0.0.1')
    const end = (is: boolean) => {
      socket.destroy()
      done(is)
    }
    socket.once('error', () => end(false))
    socket.once('end', () => end(false))
    socket.once('data', (chunk) => end(chunk.toString('latin1').startsWith('HTTP/1.1 200')))
    socket.once('connect', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n`),
    )
  })
}

function freePort(): Promise<number> {
  return new Promise((done, refuse) => {
    const server = net.createServer()
    server.once('error', refuse)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => done(port))
    })
  })
}
