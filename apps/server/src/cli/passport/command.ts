import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { contract } from '@liquidity-os/contract'
import { draftPassport } from '@liquidity-os/contract/passport-draft'
import {
  exportPrivateKey,
  generatePrivateKey,
  importPrivateKey,
  organizationHash,
  type PrivateKey,
  type ProviderChallenge,
  parseStrict,
  passportSubjectHash,
  printSeconds,
  sha256Hex,
  signChallenge,
  signPassport,
  signRegistryReceipt,
} from '@liquidity-os/evidence'
import { daySeconds, hourSeconds } from '../../units.ts'
import type { Output } from '../replay/output.ts'

const USAGE = `Usage: liquidity passport key --out KEY.pem
       liquidity passport possession --key KEY.pem --organization ID --provider ID [--registry] [--at TIME]
       liquidity passport draft CLAIMS.json --slug SLUG --signer ID@VERSION [--valid-days N]
       liquidity passport sign PAYLOAD.json --key KEY.pem
       liquidity passport receipt PAYLOAD.json --key KEY.pem --registry-provider ID@VERSION --attestation HASH [--at TIME]

Creates the key, provider configuration and passport of an issuer. Works offline. No command sends the private key.

  key         create an Ed25519 key in a new file and print its fingerprint
  possession  print the configuration of provider SIGNER_ED25519, which proves possession of the key;
              with --registry, of provider RESULTS_REGISTRY
  draft       create a payload from the response of GET /vaults/{id}/passport-claims
  sign        add contentHash and signature to the payload
  receipt     add the receipt of a results registry to an unsigned payload; then run sign

Exit status: 0 success, 2 invalid input.
`

interface Values {
  readonly [name: string]: string | boolean | undefined
}

const printed = (value: unknown) => JSON.stringify(value, null, 2)

function needed(values: Values, name: string): string {
  const value = values[name]
  if (typeof value !== 'string') throw new Error(`--${name} is required.\n\n${USAGE}`)
  return value
}

function read(file: string | undefined): Record<string, unknown> {
  if (file === undefined) throw new Error(`A file argument is required.\n\n${USAGE}`)
  return parseStrict(readFileSync(file, 'utf8')) as Record<string, unknown>
}

const keyOf = (values: Values): PrivateKey =>
  importPrivateKey(readFileSync(needed(values, 'key'), 'utf8'))

const secondsOf = ({ at }: Values): number => {
  const time = typeof at === 'string' ? Date.parse(at) : Date.now()
  if (Number.isNaN(time)) throw new Error(`--at must be a time, got ${at}.`)
  return Math.floor(time / 1000)
}

/** `ID@VERSION`, one version of a provider. */
function generationOf(values: Values, name: string): [string, string] {
  const [, id, version] = /^(.+)@(0x[0-9a-f]{64})$/.exec(needed(values, name)) ?? []
  if (!id || !version) throw new Error(`--${name} must be ID@VERSION of a provider.`)
  return [id, version]
}

function key(values: Values): string {
  const out = needed(values, 'out')
  if (existsSync(out)) throw new Error(`${out} exists; a key is never overwritten.`)
  const made = generatePrivateKey()
  writeFileSync(out, exportPrivateKey(made), { mode: 0o600, flag: 'wx' })
  const { raw } = made.publicKey
  return printed({ publicKey: raw, fingerprint: sha256Hex(Buffer.from(raw, 'base64')) })
}

function possession(values: Values): string {
  const held = keyOf(values)
  const from = secondsOf(values)
  const challenge: ProviderChallenge = {
    purpose: values.registry === true ? 'RESULTS_REGISTRY' : 'PASSPORT_SIGNER',
    organizationHash: organizationHash(needed(values, 'organization')),
    providerId: needed(values, 'provider'),
    publicKey: held.publicKey.raw,
    issuedAt: printSeconds(from),
    expiresAt: printSeconds(from + hourSeconds),
  }
  return printed({
    providerId: challenge.providerId,
    kind: values.registry === true ? 'RESULTS_REGISTRY' : 'SIGNER_ED25519',
    publicKeys: [challenge.publicKey],
    configuration: {
      possession: {
        issuedAt: challenge.issuedAt,
        expiresAt: challenge.expiresAt,
        signature: signChallenge(challenge, held),
      },
    },
  })
}

function draft(values: Values, file?: string): string {
  const answer = read(file)
  const found = (answer.data ?? answer) as unknown as contract.PassportPreparation
  const [providerId, resourceVersion] = generationOf(values, 'signer')
  const days = Number(values['valid-days'] ?? 30)
  if (!(days > 0)) throw new Error('--valid-days must be above zero.')
  const drafted = draftPassport(found, {
    slug: needed(values, 'slug'),
    signer: { providerId, resourceVersion },
    validUntil: Date.parse(found.generatedAt) + Math.floor(days * daySeconds) * 1000,
  })
  if (drafted) return printed(drafted)
  const why = found.claimBlockers.map(({ code, detail }) => `${code}: ${detail}`)
  throw new Error(`The passport cannot be published.\n${why.join('\n')}`)
}

function sign(values: Values, file?: string): string {
  const issuer = keyOf(values)
  return printed(signPassport(read(file), issuer))
}

/**
 * Receipt of the reference registry. It commits to the passport content only, not to fields that
 * the registry adds.
 */
function receipt(values: Values, file?: string): string {
  const payload = read(file)
  const [providerId, providerResourceVersion] = generationOf(values, 'registry-provider')
  const provider = {
    providerId,
    providerResourceVersion,
    providerAttestationHash: needed(values, 'attestation'),
  }
  const given = signRegistryReceipt(
    provider,
    passportSubjectHash(payload),
    printSeconds(secondsOf(values)),
    keyOf(values),
  )
  return printed({
    ...payload,
    resultsRegistryProviderId: providerId,
    resultsRegistryProviderResourceVersion: providerResourceVersion,
    resultsRegistryProviderAttestationHash: provider.providerAttestationHash,
    resultsRegistryCommitmentHash: given.commitmentHash,
    resultsRegistryReceipt: given,
  })
}

const actions = { key, possession, draft, sign, receipt }

/** @returns exit status, as documented in the help text */
export async function passportCommand(io: {
  args: string[]
  stdout: Output
  stderr: Output
}): Promise<number> {
  const { args, stdout, stderr } = io
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        out: { type: 'string' },
        organization: { type: 'string' },
        provider: { type: 'string' },
        registry: { type: 'boolean' },
        at: { type: 'string' },
        slug: { type: 'string' },
        signer: { type: 'string' },
        'valid-days': { type: 'string' },
        'registry-provider': { type: 'string' },
        attestation: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    const [action = '', file] = positionals
    const run = Object.hasOwn(actions, action) ? actions[action as keyof typeof actions] : undefined
    if (values.help || !run) {
      ;(values.help ? stdout : stderr).write(USAGE)
      return values.help ? 0 : 2
    }
    stdout.write(`${run(values as Values, file)}\n`)
    return 0
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}
