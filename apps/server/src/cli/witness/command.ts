import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  exportPrivateKey,
  generatePrivateKey,
  importPrivateKey,
  noteKeyKinds,
  printVerifierKey,
} from '@liquidity-os/evidence'
import { lockDirectory } from '../../store/database/directory-lock.ts'
import type { Output } from '../replay/output.ts'
import { openMemory } from './memory.ts'
import { maxRequestBytes, Witness } from './witness.ts'

const USAGE = `Usage: liquidity witness key --name NAME --out KEY.pem
       liquidity witness serve --name NAME --key KEY.pem --log LOGKEY --state FOLDER [--host ADDRESS] [--port N]

A witness of proof logs (c2sp.org/tlog-witness). It stores the largest checkpoint that it cosigned for each log, and cosigns a
new checkpoint only with a proof that it extends the stored one. Run it behind TLS, outside the control of the log operator.

  key      create an Ed25519 key in a new file and print the values for LOG_WITNESSES and verify.mjs --witness
  serve    serve POST /add-checkpoint

  --name   name of the witness in its signature lines, a URL without the scheme
  --log    key of a log, NAME+ID+KEY, from liquidity log-key list; may be repeated
  --state  folder for the stored checkpoints of this witness; if you lose it, create a new key
  --host   Default: 127.0.0.1
  --port   Default: 8099; 0 lets the system choose

Exit status: 0 success, 2 invalid input.
`

interface Io {
  readonly args: readonly string[]
  readonly stdout: Output
  readonly stderr: Output
}

/**
 * The command `liquidity witness`.
 *
 * @returns the exit status; `serve` ends with its process
 */
export async function witnessCommand({ args, stdout, stderr }: Io): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        out: { type: 'string' },
        key: { type: 'string' },
        log: { type: 'string', multiple: true },
        state: { type: 'string' },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '8099' },
        help: { type: 'boolean' },
      },
    })
    const [what] = positionals
    if (values.help) stdout.write(USAGE)
    else if (what === 'key') stdout.write(`${makeKey(values.name, values.out)}\n`)
    else if (what === 'serve') await serve(values, stdout)
    else throw new Error(`key or serve is required.\n\n${USAGE}`)
    return 0
  } catch (error) {
    stderr.write(`liquidity witness: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw new Error(`--${name} is required.\n\n${USAGE}`)
  return value
}

/** Creates a key and returns its public verifier form. Never overwrites an existing file. */
function makeKey(name: string | undefined, out: string | undefined): string {
  const key = generatePrivateKey()
  const verifierKey = printVerifierKey(
    needed(name, 'name'),
    key.publicKey.raw,
    noteKeyKinds.cosignature,
  )
  writeFileSync(needed(out, 'out'), exportPrivateKey(key), { mode: 0o600, flag: 'wx' })
  return verifierKey
}

interface Serving {
  readonly name?: string
  readonly key?: string
  readonly log?: readonly string[]
  readonly state?: string
  readonly host: string
  readonly port: string
}

async function serve({ host, port, log = [], ...values }: Serving, stdout: Output): Promise<void> {
  if (log.length === 0) throw new Error(`--log is required.\n\n${USAGE}`)
  const name = needed(values.name, 'name')
  const key = importPrivateKey(readFileSync(needed(values.key, 'key'), 'utf8'))
  const state = needed(values.state, 'state')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  // Two processes on one state would cosign conflicting heads. The lock lies inside the folder, so
  // every process with access finds it.
  await lockDirectory(join(state, 'lock'))
  const witness = new Witness(name, key, log, openMemory(join(state, 'heads.json')))
  const server = createServer(async (request, reply) => {
    if (request.method !== 'POST' || request.url !== '/add-checkpoint') {
      reply.writeHead(404).end()
      return
    }
    const body = await readBody(request)
    if (body === null) {
      reply.writeHead(413, { connection: 'close' }).end()
      return
    }
    const answer = witness.addCheckpoint(body, Math.floor(Date.now() / 1000))
    reply.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  })
  const { port: bound } = await listening(server, Number(port), host)
  const verifierKey = printVerifierKey(name, key.publicKey.raw, noteKeyKinds.cosignature)
  stdout.write(`${verifierKey} http://${host.includes(':') ? `[${host}]` : host}:${bound}\n`)
  await new Promise((done) => server.once('close', done))
}

/** Null for a body that is too long, or that did not come whole. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxRequestBytes) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks).toString()
}

function listening(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((done, refuse) => {
    server.once('error', refuse)
    server.listen(port, host, () => done(server.address() as AddressInfo))
  })
}
