import { readFileSync } from 'node:fs'
import { contract } from '@liquidity-os/contract'
import {
  H,
  importPublicKey,
  type PrivateKey,
  type PublicKey,
  parseStrict,
  sign,
  verify,
} from '@liquidity-os/evidence'
import { Compile } from 'typebox/compile'
import type { Config } from '../../config.ts'
import { developmentPublicKey } from './development-key.ts'
import shipped from './release.json' with { type: 'json' }

type Manifest = contract.ReleaseManifest

const tag = 'release-manifest/v1'
// The release test parses the bundled file by the schema of manifests.
const bundled = shipped as unknown as Manifest

/** A valid release of adapters. */
export interface Release {
  readonly manifest: Manifest
  readonly releaseHash: string
}

/** Signs the adapters of the registry or of an edited manifest, with a validity period. */
export function signRelease(unsigned: Omit<Manifest, 'signature'>, key: PrivateKey): Manifest {
  return { ...unsigned, signature: sign(key, tag, unsigned) }
}

/** Hash that policies use to name a release; excludes the signature. */
export function releaseHashOf({ signature: _, ...unsigned }: Manifest): string {
  return H(tag, unsigned)
}

/**
 * Fault of a release; null if valid.
 *
 * @param now milliseconds since 1970
 */
export function faultOfRelease(manifest: Manifest, key: PublicKey, now: number): string | null {
  return signatureFault(manifest, key) ?? faultOfTime(manifest, now)
}

function signatureFault({ signature, ...unsigned }: Manifest, key: PublicKey): string | null {
  return verify(key, tag, unsigned, signature)
    ? null
    : `its signature is not by the key ${key.keyId}`
}

function faultOfTime(manifest: Manifest, now: number): string | null {
  if (now < Date.parse(manifest.issuedAt)) return `it is not valid before ${manifest.issuedAt}`
  return now < Date.parse(manifest.expiresAt) ? null : `it expired at ${manifest.expiresAt}`
}

const form = Compile(contract.ReleaseManifest)

/** @throws Error for a text that is no manifest */
export function parseRelease(text: string): Manifest {
  const parsed = parseStrict(text)
  if (!form.Check(parsed)) throw new Error('The file is not a release manifest.')
  return parsed as Manifest
}

/**
 * Release that the deployment trusts: the configured file, else the bundled one, verified with the
 * pinned key. Without a pinned key, development uses the development key, and production accepts no
 * release.
 *
 * @returns the fault if no release is valid
 */
export function trustedRelease(
  config: Pick<Config, 'environment' | 'releaseFile' | 'releasePublicKey'>,
  now: number,
): Release | { readonly fault: string } {
  const { environment, releaseFile, releasePublicKey } = config
  const raw = releasePublicKey ?? (environment === 'production' ? null : developmentPublicKey)
  if (raw === null) return { fault: 'no RELEASE_PUBLIC_KEY is pinned' }
  if (environment === 'production' && raw === developmentPublicKey) {
    return { fault: 'the development key is pinned, and it is public' }
  }
  let manifest: Manifest
  try {
    manifest = releaseFile === null ? bundled : parsedOnce(readFileSync(releaseFile, 'utf8'))
  } catch {
    return { fault: 'RELEASE_FILE is not a release manifest' }
  }
  const { release, fault } = verifiedOnce(manifest, raw)
  const found = fault ?? faultOfTime(manifest, now)
  return found === null ? release : { fault: found }
}

let lastParsed: { readonly text: string; readonly manifest: Manifest } | null = null

/** A request reads the file again, but parses and verifies it only after a change. */
function parsedOnce(text: string): Manifest {
  if (lastParsed?.text !== text) lastParsed = { text, manifest: parseRelease(text) }
  return lastParsed.manifest
}

interface Verified {
  readonly raw: string
  readonly release: Release
  readonly fault: string | null
}

const verifiedReleases = new WeakMap<Manifest, Verified>()

/** The signature of a manifest by one key never changes; its validity in time does. */
function verifiedOnce(manifest: Manifest, raw: string): Verified {
  const before = verifiedReleases.get(manifest)
  if (before?.raw === raw) return before
  const fault = signatureFault(manifest, importPublicKey(raw))
  const verified = { raw, fault, release: { manifest, releaseHash: releaseHashOf(manifest) } }
  verifiedReleases.set(manifest, verified)
  return verified
}
