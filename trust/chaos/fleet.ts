import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientOptions } from '@liquidity-os/client'
import { reservePort } from '../../apps/server/test/support/ports.ts'
import {
  LiquidityProcess,
  run,
  signInAtTerminal,
  untilServing,
} from '../../apps/server/test/support/processes.ts'
import { type Interceptor, startInterceptor } from './interceptor.ts'
import { ChaosPostgres } from './postgres.ts'

export type DatabaseKind = 'postgres' | 'embedded'

/** A process that answers requests. */
export interface Node {
  readonly baseUrl: string
  readonly metricsPort: number
  readonly process: LiquidityProcess
}

export type VerifyCommand = 'verify-history' | 'verify-log'

type Settings = Readonly<Record<string, string>>

/** Everything that is disturbed: processes of the service, and on PostgreSQL their database and the line to it. */
export interface Fleet {
  readonly kind: DatabaseKind
  readonly nodes: readonly Node[]
  readonly workers: readonly LiquidityProcess[]
  /** Where each process tells of itself, by what it is. */
  readonly metricsPorts: Readonly<Record<string, number>>
  readonly postgres: ChaosPostgres | null
  readonly line: Interceptor | null
  readonly environment: Settings
  /** The faults that a command of the operator finds, in words. */
  readonly verify: (command: VerifyCommand) => Promise<string[]>
  /** The shared database as its administrator reaches it; null where one process owns it. */
  readonly administratorUrl: string | null
  /** The owner of an organization, signed in. */
  readonly owner: ClientOptions & { organizationId: string }
  readonly stop: () => Promise<void>
}

/** @param receiver `host:port` of the one that is told by webhook */
export function startFleet(kind: DatabaseKind, receiver: string): Promise<Fleet> {
  return kind === 'postgres' ? startOnPostgres(receiver) : startEmbedded(receiver)
}

/** Settings without rate limits, so that the load alone decides how often clients ask. */
export const settings = (directory: string, receiver: string, [port]: readonly number[]) => ({
  BASE_URL: `http://127.0.0.1:${port}`,
  DATA_DIR: directory,
  OUTBOUND_ALLOW: receiver,
  LOG_LEVEL: 'error',
  SESSION_REQUESTS_PER_MINUTE: '0',
  PUBLIC_REQUESTS_PER_MINUTE: '1000000',
})

/** Two nodes and a worker beside them, as a deployment has them that must not stop. */
async function startOnPostgres(receiver: string): Promise<Fleet> {
  await using begun = new AsyncDisposableStack()
  const directory = begun.adopt(makeDirectory(), removeDirectory)
  const postgres = begun.adopt(await ChaosPostgres.start(), (one) => one.remove())
  await postgres.layDatabase()
  const line = begun.adopt(await startInterceptor(postgres.port), (one) => one.close())
  const ports = [await reservePort(), await reservePort()]
  const environment = {
    ...settings(directory, receiver, ports),
    WORKER: 'none',
    DATABASE_URL: postgres.url('liquidity_service', line.port),
  }
  const processes = begun.adopt<LiquidityProcess[]>([], kill)
  const nodes = await startNodes(ports, environment, processes)
  const metricsPort = await reservePort()
  const workers = [
    new LiquidityProcess(['worker'], { ...environment, METRICS_PORT: String(metricsPort) }),
  ]
  processes.push(...workers)
  for (const worker of workers) worker.start()
  const owner = await signedIn(environment)
  const running = begun.move()
  return {
    kind: 'postgres',
    nodes,
    workers,
    postgres,
    line,
    environment,
    verify: verifierFor(environment),
    metricsPorts: { ...metricsPortsOf(nodes), worker: metricsPort },
    administratorUrl: postgres.url('liquidity'),
    owner,
    stop: () => running.disposeAsync(),
  }
}

/** The embedded database belongs to one process, which does everything. */
async function startEmbedded(receiver: string): Promise<Fleet> {
  await using begun = new AsyncDisposableStack()
  const directory = begun.adopt(makeDirectory(), removeDirectory)
  const ports = [await reservePort()]
  const environment = settings(directory, receiver, ports)
  const processes = begun.adopt<LiquidityProcess[]>([], kill)
  const nodes = await startNodes(ports, environment, processes)
  const owner = await signedIn(environment)
  const running = begun.move()
  return {
    kind: 'embedded',
    nodes,
    workers: [],
    postgres: null,
    line: null,
    environment,
    verify: verifierFor(environment),
    metricsPorts: metricsPortsOf(nodes),
    administratorUrl: null,
    owner,
    stop: () => running.disposeAsync(),
  }
}

/** Runs a command of the operator on a deployment. */
export const verifierFor =
  (environment: Settings) =>
  async (command: VerifyCommand): Promise<string[]> => {
    const { status, stdout, stderr } = await run([command, '--json'], environment)
    const found = stdout.startsWith('{') ? (JSON.parse(stdout).faults as unknown[]) : []
    if (status === 0 && found.length === 0) return []
    return found.length > 0
      ? found.map((fault) => JSON.stringify(fault))
      : [`it ended with ${status}: ${stderr}`]
  }

const makeDirectory = () => mkdtempSync(join(tmpdir(), 'liquidity-chaos-'))
const removeDirectory = (path: string) => rmSync(path, { recursive: true, force: true })

/**
 * @param processes gains each before it has begun: whoever gives it ends them, also where one does not serve
 * @param root      folder whose code runs; this repository by default
 */
export async function startNodes(
  ports: readonly number[],
  environment: Settings,
  processes: LiquidityProcess[],
  root?: string,
): Promise<Node[]> {
  const nodes: Node[] = []
  // The first lays what all of them share.
  for (const port of ports) {
    const metricsPort = await reservePort()
    const own = { PORT: String(port), METRICS_PORT: String(metricsPort) }
    const process = new LiquidityProcess(
      ['serve'],
      { ...environment, ...own },
      root === undefined ? {} : { root },
    )
    processes.push(process)
    process.start()
    const baseUrl = `http://127.0.0.1:${port}`
    await untilServing(process)
    nodes.push({ baseUrl, metricsPort, process })
  }
  return nodes
}

const metricsPortsOf = (nodes: readonly Node[]) =>
  Object.fromEntries(nodes.map(({ metricsPort }, place) => [`node ${place + 1}`, metricsPort]))

export const signedIn = (environment: ReturnType<typeof settings>) =>
  signInAtTerminal({ baseUrl: environment.BASE_URL, directory: environment.DATA_DIR, environment })

export async function kill(processes: readonly LiquidityProcess[]): Promise<void> {
  await Promise.all(
    processes.map((process) => {
      // What is frozen hears no signal but these two.
      signal(process.pid, 'SIGCONT')
      return process.end('SIGKILL')
    }),
  )
}

/** Sends a signal to a process that may have ended. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
