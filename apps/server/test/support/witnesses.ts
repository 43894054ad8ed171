import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteKeyKinds, parseVerifierKey, printVerifierKey } from '@liquidity-os/evidence'
import { onTestFinished } from 'vitest'
import type { LogWitness } from '../../src/config.ts'
import { LiquidityProcess, run } from './processes.ts'
import { anotherNode, type TestService } from './service.ts'
import { until } from './until.ts'

/** A witness in a separate process, which can be killed and restarted with its state. */
export interface RunningWitness {
  readonly vkey: string
  /** Service configuration of the witness at its current address. */
  configured: () => LogWitness
  kill: () => Promise<void>
  start: () => Promise<void>
}

/** The key of the log of a service, as witnesses are given it. */
export async function logKeyOf({ services, clock }: TestService, origin: string): Promise<string> {
  const { publicKey } = await services.logKeys.current(clock.read())
  return printVerifierKey(origin, publicKey.raw, noteKeyKinds.signature)
}

/** The reference witness, of the logs with these keys; ends after the test. */
export async function runWitness(name: string, logs: readonly string[]): Promise<RunningWitness> {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-witness-'))
  const [key, state] = [join(folder, 'key.pem'), join(folder, 'state')]
  const made = await run(['witness', 'key', '--name', name, '--out', key], {})
  const vkey = made.stdout.trim()
  let serving: LiquidityProcess
  let url = ''
  const kill = async () => void (await serving.end('SIGKILL'))
  const start = async () => {
    const place = ['--name', name, '--key', key, '--state', state, '--port', '0']
    serving = new LiquidityProcess(
      ['witness', 'serve', ...place, ...logs.flatMap((log) => ['--log', log])],
      {},
    )
    serving.start()
    const match = await until('the witness listens', () => /^\S+ (http:\S+)$/m.exec(serving.output))
    url = match[1] ?? ''
  }
  await start()
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const configured = () => ({ ...parseVerifierKey(vkey, noteKeyKinds.cosignature), url })
  return { vkey, configured, kill, start }
}

/** A server that never responds, or only with a status; ends after the test. */
export async function runSilentWitness(witness: LogWitness, status: number | null = null) {
  let requestCount = 0
  const server = createServer((_, response) => {
    requestCount += 1
    if (status !== null) response.writeHead(status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { configured: { ...witness, url: `http://127.0.0.1:${port}` }, asked: () => requestCount }
}

/** A witness that reports a head of the next given size per request; ends after the test. */
export async function runMovingWitness(witness: LogWitness, sizes: readonly number[]) {
  let requestCount = 0
  const server = createServer((_, response) => {
    response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${sizes[requestCount]}\n`)
    requestCount += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { ...witness, url: `http://127.0.0.1:${port}` }
}

/** A node that names these witnesses; it ends after the test. */
export const nodeWith = (service: TestService, witnesses: readonly LogWitness[]) =>
  anotherNode(service, {
    logWitnesses: witnesses,
    outboundAllow: witnesses.map(({ url }) => new URL(url).host),
  })
