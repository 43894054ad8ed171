import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Client } from '@liquidity-os/client'
import { basePath } from '@liquidity-os/contract'
import { passportCommand } from '@liquidity-os/server'

/**
 * The issuer's work with its key on its own machine. It signs the passport that the service
 * computed and checks the public download.
 */

export const slug = 'demo-token'
const providerId = 'demo-issuer'
const reason = 'Claims about the demo market'
const disclosed = {
  showTreasuryOwnership: 'true',
  showIncidentDetails: 'true',
  showPolicyLimits: 'true',
} as const
const verifier = fileURLToPath(new URL('../../../server/verifier/verify.mjs', import.meta.url))

export class Issuer {
  readonly client: Client
  readonly organizationId: string
  /** The page for everybody. */
  readonly url: string
  /** URL of the public verification bundle. */
  readonly bundle: string
  readonly #directory: string

  /** @param directory holds the issuer key and the files made with it */
  constructor(client: Client, organizationId: string, baseUrl: string, directory: string) {
    this.client = client
    this.organizationId = organizationId
    this.url = `${baseUrl}${basePath}/public/passports/${slug}`
    this.#directory = directory
    this.bundle = this.fileOf('passport.zip')
  }

  fileOf(name: string): string {
    return join(this.#directory, name)
  }
}

export interface Verified {
  readonly passed: number
  /** Its last lines: the answers to the three questions. */
  readonly verdict: readonly string[]
}

/** Runs the command line as a user would; returns its output. */
async function run(...args: string[]): Promise<string> {
  const [out, error]: [string[], string[]] = [[], []]
  const status = await passportCommand({
    args,
    stdout: { write: (text: string) => out.push(text) > 0 },
    stderr: { write: (text: string) => error.push(text) > 0 },
  })
  if (status !== 0) throw new Error(error.join(''))
  return out.join('')
}

/** Signs what the service claims of the vault now, and publishes it. */
export async function publishPassport(issuer: Issuer, vaultId: string): Promise<void> {
  const { client } = issuer
  const key = issuer.fileOf('issuer.pem')
  const claims = issuer.fileOf('claims.json')
  const payload = issuer.fileOf('payload.json')
  const version = await registerKey(issuer, key)
  const found = await client.preparePassport({
    params: { id: vaultId },
    query: { signerProviderId: providerId, ...disclosed },
  })
  writeFileSync(claims, JSON.stringify(found.body))
  const signer = `${providerId}@${version}`
  writeFileSync(payload, await run('draft', claims, '--slug', slug, '--signer', signer))
  const signed = JSON.parse(await run('sign', payload, '--key', key))
  await client.publishLiquidityPassport({ body: { payload: signed, reason } })
}

/** The key is made once, stays in its file, and is shown to be held. @returns the generation of its provider */
async function registerKey(issuer: Issuer, key: string): Promise<string> {
  const { client, organizationId } = issuer
  if (!existsSync(key)) await run('key', '--out', key)
  const holder = ['--organization', organizationId, '--provider', providerId]
  const shown = JSON.parse(await run('possession', '--key', key, ...holder))
  const [publicKey = ''] = shown.publicKeys as string[]
  const fingerprint = createHash('sha256').update(publicKey, 'base64').digest('hex')
  writeFileSync(issuer.fileOf('issuer.json'), `${JSON.stringify({ publicKey, fingerprint })}\n`)
  const known = (await client.listOperatingSystemProviders()).body.data.find(
    ({ payload }) => payload.providerId === providerId,
  )
  if (known) return known.resourceVersion
  const put = await client.putOperatingSystemProvider({
    body: { payload: { ...shown, displayName: 'Issuer key' }, reason },
  })
  return put.body.data.resourceVersion
}

/** Downloads the bundle without authentication and verifies it in an offline process. */
export async function checkPublicly(issuer: Issuer): Promise<Verified> {
  writeFileSync(issuer.bundle, await downloaded(`${issuer.url}/verification-bundle`))
  const { fingerprint } = JSON.parse(readFileSync(issuer.fileOf('issuer.json'), 'utf8'))
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[verifier, issuer.bundle, '--issuer-key', fingerprint],
  ])
  const lines = stdout.trim().split('\n')
  return {
    passed: lines.filter((line) => line.startsWith('PASS ')).length,
    verdict: lines.slice(-3),
  }
}

export async function publicState({ url }: Issuer): Promise<string> {
  const answer = await fetch(url, { headers: { accept: 'application/json' } })
  const { data } = (await answer.json()) as { data: { state: string } }
  return data.state
}

/** Artifacts and their place in the log come some seconds after the publication. */
async function downloaded(url: string): Promise<Uint8Array> {
  for (const deadline = Date.now() + 60_000; ; await sleep(500)) {
    const answer = await fetch(url)
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer())
    if (answer.status !== 404 || Date.now() > deadline) {
      throw new Error(`The bundle is not available: ${answer.status} ${await answer.text()}`)
    }
  }
}
