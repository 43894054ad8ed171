import { readFileSync } from 'node:fs'
import type { contract } from '@liquidity-os/contract'
import { simulatedText } from '@liquidity-os/contract/test-networks'
import {
  canonicalize,
  type Hash,
  hexToBytes,
  organizationHash,
  parseCheckpoint,
  parseNote,
  printLogProof,
  printSeconds,
  proofLeaf,
  sha256Hex,
  signRevocations,
} from '@liquidity-os/evidence'
import { publishedKeys } from '../../../../access/signing-keys.ts'
import type { Services } from '../../../../services.ts'
import { hourMilliseconds } from '../../../../units.ts'
import {
  chainLogKeys,
  firstHeadOver,
  handoverConsistency,
  type LoggedEvent,
  logConsistency,
  readLogged,
  readStoredLogKeys,
} from '../../proof/api.ts'
import type { OpenPassport } from '../open-passport.ts'
import { simulatedOf } from '../rendering/words.ts'
import { fingerprint } from '../sources.ts'
import { inputsOf } from './inputs.ts'
import { sourceFiles } from './sources.ts'
import { zipOf } from './zip.ts'

const verifier = new URL('../../../../../verifier/verify.mjs', import.meta.url)
const readme = new URL('../../../../../verifier/README.txt', import.meta.url)

/**
 * Builds a bundle for offline verification of a passport by third parties. Equal state gives equal
 * bytes.
 */
export async function makeBundle(
  services: Pick<Services, 'database' | 'signingKeys'>,
  passport: OpenPassport,
): Promise<Uint8Array> {
  const { record, artifacts, records, chainProofs } = passport
  const { payload } = record
  const logged = await firstLogged(services, passport)
  // Read once, so that a concurrent key rotation appears in all files of a bundle or in none.
  const logKeys = await readStoredLogKeys(services.database)
  const json = (value: unknown) => Buffer.from(canonicalize(value))
  const files = new Map<string, Uint8Array>([
    ['passport.json', json(payload)],
    ['keys.json', json(await keysOf(services, passport, { logged, logKeys }))],
    ['log/passport.tlog-proof', Buffer.from(proofOf(logged))],
    ['log/event.json', json(passport.published)],
    ['log/consistency.json', json(await consistencyOf(services, passport, logged))],
    ['artifacts.json', json(artifacts)],
    ['revocations.json', json(await revocationsOf(services, passport))],
    ['verify.mjs', readFileSync(verifier)],
    ['README.txt', readmeOf(payload)],
  ])
  const handovers = await handoversOf(services, { logged, logKeys })
  if (handovers.length > 0) files.set('log/handovers.json', json(handovers))
  for (const [path, value] of await sourceFiles(passport)) files.set(path, json(value))
  for (const [path, value] of await inputsOf(passport)) files.set(path, json(value))
  for (const [index, hash] of chainProofs.entries()) {
    files.set(`chain/${index}.json`, await records.artifact(hash))
  }
  if (payload.resultsRegistryReceipt) {
    files.set('registry-receipt.json', json(payload.resultsRegistryReceipt))
  }
  const hashes = [...files].map(([path, bytes]) => [path, sha256Hex(bytes)] as const)
  files.set('manifest.json', json({ files: Object.fromEntries(hashes) }))
  return zipOf(files)
}

/** README of a bundle. A simulated market is stated first. */
function readmeOf(payload: contract.LiquidityPassport): Uint8Array {
  const simulated = simulatedOf(payload)
  const text = readFileSync(readme)
  if (simulated === null) return text
  return Buffer.concat([Buffer.from(`${simulatedText(simulated)}\n\n`), text])
}

interface LoggedKeys {
  readonly logged: LoggedEvent
  readonly logKeys: Awaited<ReturnType<typeof readStoredLogKeys>>
}

async function keysOf(
  { database }: Pick<Services, 'database'>,
  { signer, vault, record, records }: OpenPassport,
  { logged, logKeys }: LoggedKeys,
) {
  const [service, log] = await Promise.all([
    publishedKeys(database),
    publishedKeys(database, 'log'),
  ])
  const { configuration, publicKeys, providerId } = signer.payload
  const { authorization } = configuration as Partial<contract.SignerConfiguration>
  const { resultsRegistryProviderId, sourceBindings } = record.payload
  const registry =
    resultsRegistryProviderId === undefined
      ? null
      : await registryKey(records, record.payload, sourceBindings.keys.registry)
  const { origin } = parseCheckpoint(parseNote(logged.checkpoint.note).text)
  return {
    issuer: { publicKey: publicKeys[0], providerId, resourceVersion: signer.resourceVersion },
    service: service
      .map(({ keyId, publicKey }) => ({ keyId, publicKey }))
      .toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1)),
    log: {
      name: origin,
      publicKey: log.find((key) => fingerprint(key.publicKey) === sourceBindings.keys.log)
        ?.publicKey,
      ...(logKeys?.handovers.length
        ? { handovers: logKeys.handovers.map(({ note }) => note) }
        : {}),
    },
    ...(registry ? { registry } : {}),
    ...(authorization
      ? {
          authorization: {
            chainId: authorization.chainId,
            safe: authorization.safe,
            version: vault.control.version,
            organizationHash: organizationHash(records.organizationId),
            issuedAt: authorization.issuedAt,
            expiresAt: authorization.expiresAt,
            signatures: authorization.signatures,
          },
        }
      : {}),
  }
}

/** The registry key in the version that the passport references. */
async function registryKey(
  records: OpenPassport['records'],
  payload: contract.LiquidityPassport,
  fingerprint: string | null,
) {
  const found = await records.find<{ providerId: string; publicKeys: string[] }>('Provider', {})
  const provider = found.find(
    ({ payload: { providerId } }) => providerId === payload.resultsRegistryProviderId,
  )
  const version = payload.resultsRegistryProviderResourceVersion
  if (!provider || version === undefined || fingerprint === null) {
    throw new Error('A passport names a registry without a key.')
  }
  const bound = await records.version<{ publicKeys: string[] }>('Provider', provider.id, version)
  const publicKey = bound?.record.payload.publicKeys[0]
  if (!publicKey) throw new Error('The registry of a passport has no key.')
  return { publicKey, providerId: provider.payload.providerId, resourceVersion: version }
}

/** Under a checkpoint that covers the publication; cosigned if witnesses are configured. */
async function firstLogged(
  { database }: Pick<Services, 'database'>,
  { logged, published }: OpenPassport,
) {
  const head = logged && (await firstHeadOver(database, logged.inclusion.leafIndex))
  const hash = published.evidenceHash as Hash
  const found = head && (await readLogged(database, [hash], head)).get(hash)
  if (!found) throw new Error('The proof log does not cover the passport of a bundle.')
  return found
}

function proofOf({ inclusion, checkpoint, leaf }: LoggedEvent): string {
  return printLogProof({
    leafIndex: inclusion.leafIndex,
    path: inclusion.path.map((hash) => hexToBytes(hash.slice(2))),
    checkpoint: checkpoint.note,
    extra: proofLeaf(leaf.subjectHash, Date.parse(leaf.loggedAt) / 1000),
  })
}

/** Proof that the checkpoint of the bundle continues the previous one. */
async function consistencyOf(
  { database }: Pick<Services, 'database'>,
  { published }: OpenPassport,
  { checkpoint }: LoggedEvent,
) {
  const found = await logConsistency(database, checkpoint.treeSize)
  const { treeSize, rootHash } = checkpoint
  const { fromRoot, ...proof } = found ?? {
    fromSize: treeSize,
    fromRoot: rootHash,
    toSize: treeSize,
    path: [],
  }
  // The bundle of a publication of an earlier release keeps its form.
  return published.payload.claimsHash === undefined ? proof : { ...proof, fromRoot }
}

/**
 * Consistency proofs that the bundle's checkpoint extends the log at each key handover. Handover
 * notes of the first format have no root, so they have no proof.
 */
async function handoversOf(
  { database }: Pick<Services, 'database'>,
  { logged, logKeys }: LoggedKeys,
) {
  const rooted = logKeys ? chainLogKeys(logKeys).handovers.filter(({ root }) => root !== null) : []
  return handoverConsistency(
    database,
    logged.checkpoint.treeSize,
    rooted.map(({ size }) => size),
  )
}

/** Signed revocations under the slug, as of the passport's last event or the last full hour. */
async function revocationsOf(
  { signingKeys }: Pick<Services, 'signingKeys'>,
  { record, revocations, records: { now } }: OpenPassport,
) {
  const hour = Math.floor(now / hourMilliseconds) * hourMilliseconds
  const asOf = Math.floor(Math.max(hour, Date.parse(record.createdAt)) / 1000)
  const key = await signingKeys.current(now)
  return signRevocations(
    {
      asOf: printSeconds(asOf),
      slug: record.payload.slug,
      revocations: revocations.map((one) => ({ ...one })),
      keyId: key.publicKey.keyId,
    },
    key,
  )
}
