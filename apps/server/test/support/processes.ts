import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientOptions } from '@liquidity-os/client'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { conformingFetch } from './conforming-fetch.ts'
import { until } from './until.ts'

const liquidity = fileURLToPath(new URL('../../../../bin/liquidity.js', import.meta.url))

export interface Finished {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs one command to its end, with this on its standard input. */
export function run(
  args: readonly string[],
  environment: Environment,
  input = '',
): Promise<Finished> {
  return new Promise((done, refuse) => {
    const child = spawn(process.execPath, [liquidity, ...args], { env: cleaned(environment) })
    let [stdout, stderr] = ['', '']
    // A command that reads nothing may end before it is given anything.
    child.stdin.on('error', () => {}).end(input)
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    child.once('error', refuse)
    child.once('close', (status) => done({ status, stdout, stderr }))
  })
}

type Environment = Readonly<Record<string, string>>

/** Nothing of the machine's settings but what a program needs to run. */
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

/** A `liquidity` process that can be killed and started again. */
export class LiquidityProcess {
  readonly #args: readonly string[]
  readonly #environment: Environment
  #child: ChildProcess | null = null
  output = ''

  constructor(args: readonly string[], environment: Environment) {
    this.#args = args
    this.#environment = environment
  }

  start(): void {
    const child = spawn(process.execPath, [liquidity, ...this.#args], {
      env: cleaned(this.#environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.output += text
      })
    }
    this.#child = child
  }

  get pid(): number | undefined {
    return this.#child?.pid
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

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((done, refuse) => {
    const server = createServer()
    server.once('error', refuse)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => done(port))
    })
  })
}

export interface Deployment {
  baseUrl: string
  directory: string
  environment: Environment
}

/** Settings of a deployment of its own: a directory, a port, and on PostgreSQL a database. */
export async function newDeployment(environment: Environment = {}): Promise<Deployment> {
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-process-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const port = await freePort()
  const server = process.env.DATABASE_URL
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    directory,
    environment: {
      PORT: String(port),
      DATA_DIR: directory,
      LOG_LEVEL: 'warn',
      ...(server ? { DATABASE_URL: await newDatabase(server) } : {}),
      ...environment,
    },
  }
}

let template: Promise<string> | null = null

/** The same with the schema in it. On the embedded database it is laid once a file and copied, which is faster. */
export async function migratedDeployment(environment: Environment = {}): Promise<Deployment> {
  const deployment = await newDeployment(environment)
  if (process.env.DATABASE_URL) {
    await run(['migrate'], deployment.environment)
  } else {
    template ??= layTemplate()
    cpSync(await template, deployment.directory, { recursive: true })
  }
  return deployment
}

async function layTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  await run(['migrate'], { DATA_DIR: directory })
  return directory
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

/** Starts `liquidity serve` and waits until it answers; it is killed after the test. */
export async function serve({ baseUrl, environment }: Deployment): Promise<LiquidityProcess> {
  const service = new LiquidityProcess(['serve'], environment)
  onTestFinished(() => service.end('SIGKILL').then(() => undefined))
  service.start()
  await untilServing(baseUrl, service)
  return service
}

export function untilServing(baseUrl: string, service: LiquidityProcess): Promise<unknown> {
  return until('the service to answer', async () => {
    const answer = await fetch(`${baseUrl}/api/liquidity-studio/v2/status`).catch(() => null)
    return answer?.status === 200
  }).catch((error: unknown) => {
    throw new Error(`The service did not start:\n${service.output}`, { cause: error })
  })
}

/** An organization and a session of its owner, made as an operator makes them: at the terminal. */
export async function signInAtTerminal(
  { baseUrl, environment }: Deployment,
  email = 'owner@example.org',
): Promise<ClientOptions & { organizationId: string }> {
  const created = await run(['org', 'create', 'Test', '--owner', email, '--json'], environment)
  const { organizationId } = JSON.parse(created.stdout)
  const linked = await run(['session', 'link', email, '--json'], environment)
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
