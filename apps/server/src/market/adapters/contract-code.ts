import type { contract } from '@liquidity-os/contract'
import { type Hex, size } from 'viem'
import { maskImmutables } from '../../integrations/chain/known-code.ts'
import { keccak256 } from '../../keccak256.ts'

type Adapter = contract.Adapter
type AdapterContract = contract.AdapterContract

/** Code that a release expects at a contract. */
export interface ExpectedCode {
  readonly address: string
  readonly chainId: number
  /** Hash of the whole runtime code; null if the release does not state it. */
  readonly runtimeCodeHash: string | null
  readonly template: contract.AdapterTemplate | null
}

/** The contract of an adapter at an address; undefined if it does not exist. */
export const contractAt = (
  { contracts }: Adapter,
  chainId: number,
  address: string,
): AdapterContract | undefined =>
  contracts.find(
    (one) => one.chainId === chainId && one.address.toLowerCase() === address.toLowerCase(),
  )

/** Code that an adapter expects at one of its contracts. */
export function expectedCode(
  { templates = [] }: Adapter,
  { address, chainId, runtimeCodeHash, code }: AdapterContract,
): ExpectedCode {
  const evidence = code?.evidence
  const isRuntime = evidence === 'PUBLISHED_HASH' || evidence === 'OBSERVED'
  const template =
    evidence === 'TEMPLATE' ? (templates.find(({ hash }) => hash === code?.hash) ?? null) : null
  return {
    address,
    chainId,
    template,
    runtimeCodeHash: runtimeCodeHash ?? (isRuntime ? (code?.hash ?? null) : null),
  }
}

/** Result of comparing code with a release. Null is unknown and never counts as known. */
export interface CodeVerdict {
  readonly isKnown: boolean | null
  readonly problem: string | null
}

/**
 * Compares the code of a contract with a release.
 *
 * A template covers the published build with any immutables. A deployment with other code stays
 * unknown, because it can be another build of the same source. A wrong runtime hash is a denial.
 */
export function judgeCode(code: Hex, expected: ExpectedCode): CodeVerdict {
  const { address, template, runtimeCodeHash } = expected
  if (code === '0x') return { isKnown: false, problem: `${address} has no code.` }
  if (runtimeCodeHash !== null && keccak256(code) === runtimeCodeHash) return known
  if (template && runsTemplate(code, template)) return known
  if (template) {
    const source = template.source
    return { isKnown: null, problem: `${address} is not the published build (${source}).` }
  }
  if (runtimeCodeHash !== null) {
    return { isKnown: false, problem: `${address} does not run code ${runtimeCodeHash}.` }
  }
  return { isKnown: null, problem: `The release knows the address ${address}, not its code.` }
}

const known: CodeVerdict = { isKnown: true, problem: null }

function runsTemplate(code: Hex, { hash, bytes, immutables }: contract.AdapterTemplate): boolean {
  if (size(code) !== bytes) return false
  return keccak256(maskImmutables(code, { bytes, immutables })) === hash
}

/** One verdict for several contracts: denied if one is, else unknown if one is. */
export function combineCode(verdicts: readonly CodeVerdict[]): CodeVerdict {
  const denied = verdicts.find(({ isKnown }) => isKnown === false)
  return denied ?? verdicts.find(({ isKnown }) => isKnown === null) ?? known
}
