import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientOptions } from '@liquidity-os/client'
import { reservePort } from '../../apps/server/test/support/ports.ts'
import {
  type LiquidityProcess,
  runProcess,
  signInAtTerminal,
  untilServing,
} from '../../apps/server/test/support/processes.ts'
import { kill, settings, startNodes, type VerifyCommand, verifierFor } from '../chaos/fleet.ts'
import { ChaosPostgres } from '../chaos/postgres.ts'
import { checkOut } from './checkout.ts'

/** No webhook of the load is delivered, so no receiver is needed. */
const noReceiver = '127.0.0.1:9'
const maxCommandMilliseconds = 120_000

/** A node of one of the two releases. */
export interface Target {
  readonly name: 'old' | 'new'
  readonly baseUrl: string
}

export type Owner = ClientOptions & { organizationId: string }

/** The two releases on one database, as the run sees them; tests replace it. */
export interface Stage {
  readonly owner: Owner
  /** Runs from the beginning. */
  readonly old: Target
  /** Name of the newest migration that the database has. */
  readonly readSchema: () => Promise<string>
  /** Brings the schema to the new release. */
  readonly migrate: () => Promise<void>
  readonly startNew: () => Promise<Target>
  /**
   * Stops the old node with SIGTERM.
   *
   * @throws Error if it ends with another status than 0
   */
  readonly stopOld: () => Promise<void>
  readonly startOldAgain: () => Promise<void>
  /** The faults that a command of the operator finds with the new code, in words. */
  readonly verify: (command: VerifyCommand) => Promise<string[]>
  /** What the nodes have printed, by their names. */
  readonly printed: () => Readonly<Record<Target['name'], string>>
  readonly stop: () => Promise<void>
}

/**
 * Checks the release before out, lays its schema, and starts one node of it with an organization.
 *
 * @param before commit of the release before
 * @param signal ends the checkout early
 */
export async function startStage(
  before: string,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<Stage> {
  await using begun = new AsyncDisposableStack()
  const checkout = begun.adopt(await checkOut(before, progress, signal), (one) => one.remove())
  const { root } = checkout
  const directory = begun.adopt(mkdtempSync(join(tmpdir(), 'liquidity-upgrade-data-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  signal.throwIfAborted()
  progress('laying the schema of the release before')
  const postgres = begun.adopt(await ChaosPostgres.start(), (one) => one.remove())
  await postgres.layDatabase(root)
  const [oldPort, newPort] = [await reservePort(), await reservePort()]
  const environment = {
    ...settings(directory, noReceiver, [oldPort]),
    DATABASE_URL: postgres.url('liquidity_service'),
  }
  const processes = begun.adopt<LiquidityProcess[]>([], kill)
  progress('starting a node of the release before')
  const [oldNode] = await startNodes([oldPort], environment, processes, root)
  if (!oldNode) throw new Error('No old node is running.')
  const old: Target = { name: 'old', baseUrl: oldNode.baseUrl }
  const deployment = { baseUrl: old.baseUrl, directory, environment }
  const limits = { root, maxMilliseconds: maxCommandMilliseconds }
  const owner = await signInAtTerminal(deployment, 'owner@example.org', (args, settings) =>
    runProcess(args, settings, '', limits),
  )
  const running = begun.move()
  return {
    owner,
    old,
    readSchema: async () => {
      const [row] = await postgres.administer('select max(name) as name from kysely_migration')
      return String(row?.name)
    },
    migrate: () => postgres.migrate(),
    startNew: async () => {
      const [node] = await startNodes([newPort], environment, processes)
      if (!node) throw new Error('No new node is running.')
      return { name: 'new', baseUrl: node.baseUrl }
    },
    stopOld: async () => {
      const status = await oldNode.process.end('SIGTERM')
      if (status !== 0) throw new Error(`The old node ended with ${status} after SIGTERM.`)
    },
    startOldAgain: () => {
      oldNode.process.start()
      return untilServing(oldNode.process)
    },
    verify: verifierFor(environment),
    printed: () => ({ old: processes[0]?.output ?? '', new: processes[1]?.output ?? '' }),
    stop: () => running.disposeAsync(),
  }
}
