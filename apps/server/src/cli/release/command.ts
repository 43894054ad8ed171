import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { contract } from '@liquidity-os/contract'
import { importPrivateKey, importPublicKey, parseStrict } from '@liquidity-os/evidence'
import {
  faultOfRelease,
  parseRelease,
  releaseHashOf,
  signRelease,
} from '../../market/adapters/release.ts'
import type { Output } from '../replay/output.ts'

const USAGE = `Usage: liquidity release sign TERMS.json --key KEY.pem
       liquidity release verify RELEASE.json --key PUBLIC [--at TIME]

Signs the list of adapters that policies may approve, and verifies a signed list. Works offline.

  TERMS.json    { "releaseVersion", "issuedAt", "expiresAt" }, and "adapters" to replace those of this build
  RELEASE.json  a signed release
  --key         to sign: an Ed25519 private key, PKCS#8 in PEM; to verify: the raw 32-byte public key in base64
  --at          the time of the check. Default: now

Exit status: 0 valid, 1 not valid, 2 invalid input.
`

/** @returns exit status, as documented in the help text */
export async function releaseCommand(io: {
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
        at: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    const [action, file] = positionals
    if (values.help) {
      stdout.write(USAGE)
      return 0
    }
    const isKnown = action === 'sign' || action === 'verify'
    if (!isKnown || file === undefined || values.key === undefined) throw new Error(USAGE)
    const text = readFileSync(file, 'utf8')
    if (action === 'sign') {
      stdout.write(`${JSON.stringify(signed(text, values.key), null, 2)}\n`)
      return 0
    }
    return verify(text, values.key, values.at ? Date.parse(values.at) : Date.now(), stdout)
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

function signed(text: string, keyFile: string): contract.ReleaseManifest {
  const terms = parseStrict(text) as object
  const key = importPrivateKey(readFileSync(keyFile, 'utf8'))
  const unsigned = { adapters: contract.adapters, ...terms } as Parameters<typeof signRelease>[0]
  // Parses the signed text again, so the output equals what a reader will parse.
  return parseRelease(JSON.stringify(signRelease(unsigned, key)))
}

function verify(text: string, publicKey: string, at: number, stdout: Output): number {
  const manifest = parseRelease(text)
  const fault = faultOfRelease(manifest, importPublicKey(publicKey), at)
  if (fault !== null) {
    stdout.write(`REFUSED ${manifest.releaseVersion}: ${fault}\n`)
    return 1
  }
  const { releaseVersion, adapters, expiresAt } = manifest
  stdout.write(`HOLDS ${releaseVersion} ${releaseHashOf(manifest)}\n`)
  stdout.write(`${adapters.length} adapters, valid until ${expiresAt}\n`)
  return 0
}
