import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ClientOptions } from '@liquidity-os/client'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '../../src/cli/main.ts'
import type { ArmedFault, FaultPoint, ReachedFault } from '../../src/fault-points.ts'
import { conformingFetch } from './conforming-fetch.ts'
import { schemaImage } from './database.ts'
import { reservePort } from './ports.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const programIn = (root: string) => join(root, 'bin', 'liquidity.js')

export interface Finished {
  status: number | null
  stdout: string
  stderr: string
}

/**
 * Runs a command to its end in a separate process, with the given standard input.
 *
 * @param options.root code folder; default: the repository
 * @param options.maxMilliseconds time limit; default: none
 */
export function runProcess(
  args: readonly string[],
  environment: Environment,
  input = '',
  options: { root?: string; maxMilliseconds?: number } = {},
): Promise<Finished> {
  const { root = repository, maxMilliseconds: timeout = 0 } = options
  return new Promise((done, refuse) => {
    const child = spawn(process.execPath, [programIn(root), ...args], {
      env: cleaned(environment),
      killSignal: 'SIGKILL',
      timeout,
    })
    let [stdout, stderr] = ['', '']
    // A command that ignores its input may end before the write.
    child.stdin.on('error', () => {}).end(input)
    child.stdout.setEncoding('utf8').on('data', (words) => {
      stdout += words
    })
    child.stderr.setEncoding('utf8').on('data', (words) => {
      stderr += words
    })
    child.once('error', refuse)
    child.once('close', (status) => done({ status, stdout, stderr }))
  })
}

/** Runs one command to its end as a process would, but in this one. */
export async function run(
  args: readonly string[],
  environment: Environment,
  input = '',
): Promise<Finished> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const stdin = Readable.from([input])
  const status = await runCommandLine(args, { environment, stdin, stdout, stderr })
  stdout.end()
  stderr.end()
  const [words, mistakes] = await written
  return { status, stdout: words, stderr: mistakes }
}

type Environment = Readonly<Record<string, string>>

/** Only the machine settings that a program needs to run. */
function cleaned(environment: Environment): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR ? { TMPDIR } : {}),
    ...(SystemRoot ? { SystemRoot } : {}),
    ...environment,
  }
}

/** A `liquidity` process that can be killed, at a fault point if it has them, and started again. */
export class LiquidityProcess {
  readonly #args: readonly string[]
  readonly #environment: Environment
  readonly #hasFaultPoints: boolean
  readonly #program: string
  #child: ChildProcess | null = null
  output = ''
  #startOfOutput = 0
  readonly #printed = new EventEmitter()

  /** @param options.root folder whose code runs; this repository by default */
  constructor(
    args: readonly string[],
    environment: Environment,
    options: { hasFaultPoints?: boolean; root?: string } = {},
  ) {
    this.#args = args
    this.#environment = environment
    this.#hasFaultPoints = options.hasFaultPoints ?? false
    this.#program = programIn(options.root ?? repository)
  }

  start(): void {
    this.#startOfOutput = this.output.length
    const env = cleaned(this.#environment)
    const child = spawn(process.execPath, [this.#program, ...this.#args], {
      env: this.#hasFaultPoints ? { ...env, FAULT_POINTS: 'ipc' } : env,
      stdio: ['ignore', 'pipe', 'pipe', ...(this.#hasFaultPoints ? (['ipc'] as const) : [])],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (words) => {
        this.output += words
        this.#printed.emit('words')
      })
    }
    this.#child = child
    child.once('close', () => {
      // Ignore the end of an earlier process.
      if (this.#child === child) this.#printed.emit('end')
    })
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * Waits until the process has printed a text since its last start.
   *
   * @throws Error with the output if the process ends before
   */
  untilPrinted(text: string): Promise<void> {
    return new Promise((done, refuse) => {
      const stop = () => {
        this.#printed.off('words', look)
        this.#printed.off('end', fail)
      }
      const look = () => {
        if (!this.output.includes(text, this.#startOfOutput)) return
        stop()
        done()
      }
      const fail = () => {
        stop()
        refuse(new Error(`The process ended before it printed "${text}":\n${this.output}`))
      }
      this.#printed.on('words', look).on('end', fail)
      look()
    })
  }

  /**
   * Makes the process stop at a fault point.
   *
   * @param fault.detail required part of the point's detail
   * @param fault.pass 1 for the first visit
   * @returns once armed; `killed` resolves after the kill
   */
  async killAt(
    point: FaultPoint,
    fault: { detail?: string; pass?: number } = {},
  ): Promise<{ killed: Promise<ReachedFault> }> {
    const child = this.#child
    if (!child?.send) throw new Error('The process was started without fault points.')
    const arm: ArmedFault = { point, detail: fault.detail ?? '', pass: fault.pass ?? 1 }
    const message = await new Promise<{ reached: Promise<ReachedFault> }>((armed, refuse) => {
      const reached = new Promise<ReachedFault>((done, fail) => {
        child.on('message', (message: { armed?: ArmedFault; reached?: ReachedFault }) => {
          if (message.armed) armed({ reached })
          if (message.reached) done(message.reached)
        })
        child.once('exit', () => fail(new Error(`The process ended before it reached ${point}.`)))
      })
      // Who waits for the point hears of the failure; here it must not count as unhandled.
      reached.catch(refuse)
      child.send({ arm })
    })
    const killed = message.reached.then(async (reached) => {
      await this.end('SIGKILL')
      return reached
    })
    killed.catch(() => {})
    return { killed }
  }

  /** Sends a signal and waits for the end; gives the exit status, or the signal that ended it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string | null> {
    const child = this.#child
    if (!child) return null
    if (child.exitCode !== null || child.signalCode !== null) {
      return child.exitCode ?? child.signalCode
    }
    const ended = new Promise<number | string | null>((done) =>
      child.once('exit', (status, killedBy) => done(status ?? killedBy)),
    )
    child.kill(signal)
    return ended
  }
}

export interface Deployment {
  baseUrl: string
  directory: string
  environment: Environment
}

/** Settings of a deployment of one test: a directory, a port, and on PostgreSQL a database. */
export async function newDeployment(environment: Environment = {}): Promise<Deployment> {
  const deployment = await settle(environment)
  onTestFinished(() => rmSync(deployment.directory, { recursive: true, force: true }))
  return deployment
}

async function settle(environment: Environment): Promise<Deployment> {
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-process-'))
  const port = await reservePort()
  const server = process.env.DATABASE_URL
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    directory,
    environment: {
      PORT: String(port),
      DATA_DIR: directory,
      LOG_LEVEL: 'warn',
      SESSION_REQUESTS_PER_MINUTE: '0',
      ...(server ? { DATABASE_URL: await newDatabase(server) } : {}),
      ...environment,
    },
  }
}

/** The same with the schema; on the embedded database a copy of a shared one. */
export async function migratedDeployment(environment: Environment = {}): Promise<Deployment> {
  const deployment = await newDeployment(environment)
  await laySchema(deployment)
  return deployment
}

async function laySchema({ directory, environment }: Deployment): Promise<void> {
  if (process.env.DATABASE_URL) {
    await run(['migrate'], environment)
    return
  }
  const image = `${schemaImage()}.directory`
  if (!existsSync(image)) await layImage(image)
  cpSync(image, directory, { recursive: true })
}

async function layImage(path: string): Promise<void> {
  const own = mkdtempSync(`${path}.`)
  const { status, stderr } = await run(['migrate'], { DATA_DIR: own })
  if (status !== 0) throw new Error(`No image of the schema was laid: ${stderr}`)
  try {
    renameSync(own, path)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(path)) throw error
  }
}

/** An empty database on a server. */
export async function newDatabase(server: string): Promise<string> {
  const name = `liquidity_test_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client(server)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** A deployment whose service runs until it is stopped, for the tests of a file. */
export async function runningDeployment(): Promise<Deployment & { stop: () => Promise<void> }> {
  const deployment = await settle({})
  await laySchema(deployment)
  const service = new LiquidityProcess(['serve'], deployment.environment)
  service.start()
  await untilServing(service)
  return {
    ...deployment,
    stop: async () => {
      await service.end('SIGKILL')
      rmSync(deployment.directory, { recursive: true, force: true })
    },
  }
}

/** Starts `liquidity serve` and waits until it answers; it is killed after the test. */
export async function serve(
  { environment }: Deployment,
  options: { hasFaultPoints?: boolean } = {},
): Promise<LiquidityProcess> {
  const service = new LiquidityProcess(['serve'], environment, options)
  onTestFinished(() => service.end('SIGKILL').then(() => undefined))
  service.start()
  await untilServing(service)
  return service
}

/** Waits until the service answers: then it prints its address. */
export async function untilServing(service: LiquidityProcess): Promise<void> {
  await service.untilPrinted('is listening on')
}

/**
 * An organization and an owner session, created by the operator at the terminal.
 *
 * @param runCommand runs an operator command; default: the code of the repository
 */
export async function signInAtTerminal(
  { baseUrl, environment }: Deployment,
  email = 'owner@example.org',
  runCommand: (args: readonly string[], environment: Environment) => Promise<Finished> = run,
): Promise<ClientOptions & { organizationId: string }> {
  const create = ['org', 'create', 'Test', '--owner', email, '--json']
  const created = await runCommand(create, environment)
  const { organizationId } = JSON.parse(created.stdout)
  const linked = await runCommand(['session', 'link', email, '--json'], environment)
  const token = new URL(JSON.parse(linked.stdout).link).hash.slice(1)
  const redeemed = await fetch(`${baseUrl}/auth/email-links/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const cookie = /service_session=([^;]+)/.exec(redeemed.headers.get('set-cookie') ?? '')?.[1] ?? ''
  return {
    baseUrl,
    organizationId,
    fetch: conformingFetch,
    auth: { kind: 'session', cookieName: 'service_session', cookie, origin: baseUrl },
  }
}
