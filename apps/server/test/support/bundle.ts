import { readFileSync } from 'node:fs'
import { canonicalize, noteKeyId, sha256Hex } from '@liquidity-os/evidence'
import { zipOf } from '../../src/families/prove/passports/bundle/zip.ts'
import { internals } from '../../verifier/verify.mjs'

const read = (name: string) =>
  readFileSync(new URL(`../../verifier/example/${name}`, import.meta.url))

export const exampleBundle = read('passport.zip')
export const exampleIssuerKey = read('issuer-key.txt').toString().trim()
const files = internals.readZip(exampleBundle)

/** The key of its log, as a verifier of notes is given it. */
export const exampleLogKey = (() => {
  const { name, publicKey } = JSON.parse(Buffer.from(files.get('keys.json')!).toString()).log
  const key = Buffer.concat([Uint8Array.of(1), Buffer.from(publicKey, 'base64')])
  return `${name}+${noteKeyId(name, publicKey)}+${key.toString('base64')}`
})()

/** The example with its files changed, in a container and under a manifest that are right for them. */
export function rewrittenExample(change: (files: Map<string, Uint8Array>) => void): Buffer {
  const changed = new Map(files)
  change(changed)
  changed.delete('manifest.json')
  const hashes = [...changed].map(([name, content]) => [name, sha256Hex(content)])
  changed.set('manifest.json', Buffer.from(canonicalize({ files: Object.fromEntries(hashes) })))
  return Buffer.from(zipOf(changed))
}

/** The names of its files, but for the manifest. */
export const exampleFiles = [...files.keys()].filter((path) => path !== 'manifest.json')

function withByte(path: string, index: number): Buffer {
  const bytes = Buffer.from(files.get(path)!)
  bytes[index] = (bytes[index] ?? 0) ^ (1 << (index % 8))
  return rewrittenExample((changed) => changed.set(path, bytes))
}

/** Files whose bytes are not hash-bound, and the manifest, which is regenerated. */
const unread = ['verify.mjs', 'README.txt', 'manifest.json']

/** A number of bundles per checked file, each with one byte changed. */
export function* changedExamples(
  perFile: number,
): Generator<{ path: string; place: number; bytes: Buffer }> {
  for (const [path, content] of files) {
    if (unread.includes(path)) continue
    for (let index = 0; index < perFile; index += 1) {
      // Primes, so that every bit is flipped somewhere.
      const itemIndex = (index * 7919 + path.length * 104_729) % content.length
      yield { path, place: itemIndex, bytes: withByte(path, itemIndex) }
    }
  }
}
