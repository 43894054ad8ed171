import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the range from which operating systems take ports for port 0 and for outgoing connections. */
const firstPort = 20_000
const portCount = 10_000

const folder = join(tmpdir(), 'liquidity-test-ports')

/**
 * A port that no other test process gets while this one lives. A program that must know its port before it
 * starts, or keep it over a restart, needs one; anything else listens on port 0.
 */
export async function reservePort(): Promise<number> {
  mkdirSync(folder, { recursive: true })
  for (;;) {
    const port = firstPort + randomInt(portCount)
    if (lockPort(port) && (await canListen(port))) return port
  }
}

/** True if this process now owns the port among test processes. */
function lockPort(port: number): boolean {
  const path = join(folder, String(port))
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
  } catch {
    // The next attempt takes another port; this one is free for a later call.
    if (!isRunning(path)) rmSync(path, { force: true })
    return false
  }
  process.once('exit', () => rmSync(path, { force: true }))
  return true
}

/** True if the process that is named in a lock file runs. */
function isRunning(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
