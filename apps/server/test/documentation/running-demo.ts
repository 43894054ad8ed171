import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPartnerZone } from '../../../../docs/examples/partner-zone.ts'

export const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The demo as `npm run demo` starts it, on free ports and a data directory of its own. */
export interface RunningDemo {
  /** Everything it has printed until it began to serve. */
  printed: string
  /** What its reader has in the environment. */
  environment: Record<string, string>
  file: {
    baseUrl: string
    organizationId: string
    session: { cookieName: string; cookie: string; origin: string }
    resources: Record<string, string>
  }
  stop: () => Promise<void>
}

/** Starts the demo and waits until it serves. */
export async function startDemo(): Promise<RunningDemo> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'liquidity-documentation-'))
  const [receiverPort, servicePort] = [String(await freePort()), String(await freePort())]
  // Not what the tests run under: their BASE_URL and DATABASE_URL are not a reader's.
  const { PATH = '', HOME = '' } = process.env
  const shortcuts = join(dataDirectory, 'shortcuts')
  writeShortcut(shortcuts)
  const zone = await startPartnerZone(join(dataDirectory, 'zone'), 0)
  const { OUTBOUND_ALLOW: allowed, ...named } = zone.environment
  const environment = {
    ...{ PATH: `${shortcuts}${delimiter}${PATH}`, HOME, DATA_DIR: dataDirectory },
    ...{ RECEIVER_PORT: receiverPort, SERVICE_PORT: servicePort, ZONE: zone.url },
  }
  const child = spawn(process.execPath, ['bin/demo.js'], {
    cwd: root,
    env: {
      ...environment,
      ...named,
      PORT: String(await freePort()),
      OUTBOUND_ALLOW: `127.0.0.1:${receiverPort},${allowed}`,
      // One page stages an attack on the pool; what is found of it would refuse the admission of another.
      ANOMALY_SWEEP_SECONDS: '0',
      // What a page reads by itself must be new to it.
      VENUE_INDEX_SECONDS: '0',
      FEED_PULL_SECONDS: '0',
      VAULT_SNAPSHOT_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const printed = await new Promise<string>((done, refuse) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('Serving until')) done(text)
    })
    void ended.then(() => refuse(new Error(`The demo ended before it served:\n${text}`)))
  })
  const file: RunningDemo['file'] = JSON.parse(
    readFileSync(join(dataDirectory, 'demo.json'), 'utf8'),
  )
  zone.leadTo(file.baseUrl)
  return {
    ...{ printed, environment, file },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await zone.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** `npx liquidity` without npm's half a second for each call. What npm makes of it has a test of its own. */
function writeShortcut(folder: string): void {
  mkdirSync(folder)
  const program = join(root, 'bin/liquidity.js')
  const script = `#!/bin/sh\n[ "$1" = liquidity ] || exit 1\nshift\nexec node '${program}' "$@"\n`
  writeFileSync(join(folder, 'npx'), script, { mode: 0o755 })
}

/** A port that nothing listens on at this moment. */
function freePort(): Promise<number> {
  return new Promise((done, refuse) => {
    const server = createServer()
    server.once('error', refuse)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
