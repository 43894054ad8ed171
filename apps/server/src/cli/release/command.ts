import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { contract } from '@liquidity-os/contract'
import { importPrivateKey, importPublicKey, parseStrict } from '@liquidity-os/evidence'
import { getAddress } from 'viem'
import {
  faultOfRelease,
  parseRelease,
  releaseHashOf,
  signRelease,
} from '../../market/adapters/release.ts'
import type { Output } from '../replay/output.ts'
import { buildRelease } from './build.ts'
import { diffAdapters } from './diff.ts'
import { observeContract } from './observe.ts'

const USAGE = `Usage: liquidity release build TERMS.json [--observed FILE]...
       liquidity release observe --chain ID --address ADDRESS --rpc URL --rpc URL [--depth BLOCKS]
       liquidity release diff OLD.json NEW.json
       liquidity release sign TERMS.json --key KEY.pem
       liquidity release verify RELEASE.json --key PUBLIC [--at TIME]

Builds, signs and verifies the list of adapters that policies may approve. Only observe is online.

  TERMS.json    { "releaseVersion", "issuedAt", "expiresAt" }, and "adapters" to replace those of this build
  RELEASE.json  a signed release
  OLD, NEW      signed or unsigned releases; "-" is the release of this build
  --observed    output of observe: the contract gets this code
  --rpc         JSON-RPC URL of a node; two with different hosts
  --depth       blocks until final, on a chain without the finalized tag
  --key         to sign: an Ed25519 private key, PKCS#8 in PEM; to verify: the raw 32-byte public key in base64
  --at          the time of the check. Default: now

Exit status: 0 valid or equal, 1 not valid or different, 2 invalid input.
`

interface Values {
  readonly key?: string
  readonly at?: string
  readonly observed?: readonly string[]
  readonly chain?: string
  readonly address?: string
  readonly rpc?: readonly string[]
  readonly depth?: string
}

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
        observed: { type: 'string', multiple: true },
        chain: { type: 'string' },
        address: { type: 'string' },
        rpc: { type: 'string', multiple: true },
        depth: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      stdout.write(USAGE)
      return 0
    }
    const [action, ...files] = positionals
    return await run(action, files, values, stdout)
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

async function run(
  action: string | undefined,
  [file, other]: readonly string[],
  values: Values,
  stdout: Output,
): Promise<number> {
  if (action === 'observe') {
    print(stdout, await observed(values))
    return 0
  }
  if (file === undefined) throw new Error(USAGE)
  if (action === 'build') {
    const seen = (values.observed ?? []).map((name) => readFileSync(name, 'utf8'))
    print(stdout, buildRelease(readFileSync(file, 'utf8'), seen))
    return 0
  }
  if (action === 'diff' && other !== undefined) {
    const lines = diffAdapters(adaptersIn(file), adaptersIn(other))
    stdout.write(lines.map((line) => `${line}\n`).join(''))
    return lines.length === 0 ? 0 : 1
  }
  if (values.key === undefined) throw new Error(USAGE)
  const text = readFileSync(file, 'utf8')
  if (action === 'sign') {
    print(stdout, signed(text, values.key))
    return 0
  }
  if (action !== 'verify') throw new Error(USAGE)
  return verify(text, values.key, values.at ? Date.parse(values.at) : Date.now(), stdout)
}

const print = (stdout: Output, value: object) => stdout.write(`${JSON.stringify(value, null, 2)}\n`)

function observed({ chain, address, rpc = [], depth }: Values) {
  const chainId = Number(chain)
  const blocks = Number(depth ?? 1)
  const isWhole = [chainId, blocks].every((one) => Number.isSafeInteger(one) && one > 0)
  if (address === undefined || !isWhole) throw new Error(USAGE)
  const rule = depth === undefined ? ('finalized' as const) : blocks
  return observeContract({ chainId, address: getAddress(address), endpoints: rpc, rule })
}

const adaptersIn = (file: string): readonly contract.Adapter[] =>
  file === '-'
    ? contract.adapters
    : (parseStrict(readFileSync(file, 'utf8')) as unknown as contract.ReleaseManifest).adapters

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
