import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { startPartnerZone } from '../../../../docs/examples/partner-zone.ts'
import { reservePort } from '../support/ports.ts'
import { root, startDemoProcess } from './demo-process.ts'
import { copyPreparedDemo } from './prepared-demo.ts'
import { startResidentPick } from './resident-pick.ts'

/** A demo that serves on a copy of the prepared data directory. */
export interface RunningDemo {
  /** Everything the first start printed until it began to serve. */
  printed: string
  /** What its reader has in the environment. */
  environment: Record<string, string>
  /** Shell file that replaces `pick` of docs/terminal.sh. */
  pick: string
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
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-documentation-'))
  const data = join(folder, 'data')
  const printed = await copyPreparedDemo(data)
  const [own, receiver, service] = await Promise.all([reservePort(), reservePort(), reservePort()])
  const { HOME = '' } = process.env
  const shortcuts = join(folder, 'shortcuts')
  writeShortcut(shortcuts)
  const pick = await startResidentPick(join(root, 'docs/terminal.sh'), folder)
  const zone = await startPartnerZone(join(folder, 'zone'), 0)
  const { OUTBOUND_ALLOW: allowed, ...named } = zone.environment
  const demo = await startDemoProcess({
    DATA_DIR: data,
    // Not 0: requests with the origin of the base URL are served, so the demo has to know its port.
    PORT: String(own),
    ...named,
    OUTBOUND_ALLOW: `127.0.0.1:${receiver},${allowed}`,
  })
  const file: RunningDemo['file'] = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'))
  zone.leadTo(file.baseUrl)
  return {
    printed,
    environment: {
      PATH: [shortcuts, ...machinePath()].join(delimiter),
      HOME,
      DATA_DIR: data,
      RECEIVER_PORT: String(receiver),
      SERVICE_PORT: String(service),
      ZONE: zone.url,
    },
    pick: pick.file,
    file,
    stop: async () => {
      await demo.stop()
      await zone.stop()
      await pick.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Program folders of a reader's terminal, without the repository's packages, whose Node may be
 * newer.
 */
const machinePath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith('node_modules/.bin'))

/**
 * `npx liquidity` without npm's overhead of 0.5 s per call. A separate test covers npm's own
 * behavior.
 */
function writeShortcut(folder: string): void {
  mkdirSync(folder)
  const program = join(root, 'bin/liquidity.js')
  const script = `#!/bin/sh\n[ "$1" = liquidity ] || exit 1\nshift\nexec node '${program}' "$@"\n`
  writeFileSync(join(folder, 'npx'), script, { mode: 0o755 })
}
