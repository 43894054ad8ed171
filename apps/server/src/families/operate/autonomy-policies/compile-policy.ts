import type { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import { H } from '@liquidity-os/evidence'
import { concatHex, getAddress, type Hex, numberToHex, slice, toHex } from 'viem'
import { keccak256 } from '../../../keccak256.ts'
import { declaredOf, isBatchContract } from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import {
  allowanceKeyOf,
  capIn,
  conditionsOf,
  flattened,
  isBoundByArguments,
  pauseKeyOf,
  roleKeyOf,
} from './conditions.ts'
import { coverageOf } from './coverage.ts'
import { inputOf, policyHashOf } from './policy-terms.ts'

type Compilation = contract.PolicyCompilation
type Target = Compilation['role']['targets'][number]
type Pair = contract.QualifiedVault['pair']

const daySeconds = '86400'

/**
 * Target of owner commitments: an address without code, so the call cannot fail and needs no
 * contract.
 */
export const commitmentAddress = getAddress(
  slice(keccak256(toHex('liquidity-os/policy-commitment-v1')), 12),
)

/**
 * Call that the owners execute to commit to exactly this policy: its hash, and the epoch of their
 * control.
 */
export const commitmentData = (policyHash: Hex, controlEpoch: bigint): Hex =>
  concatHex([policyHash, numberToHex(controlEpoch, { size: 32 })])

/**
 * Compiles limits into an on-chain role and reports how every limit is enforced.
 *
 * Equal limits, vault and release give equal bytes.
 *
 * @param release null without a trusted release: no function is known, so the role permits no call
 */
export function compilePolicy(
  terms: PolicyTerms,
  { chainId, pair }: Pick<contract.QualifiedVault, 'chainId' | 'pair'>,
  release: Release | null,
): Compilation {
  const targets = release ? targetsOf(terms, chainId, pair, release) : []
  const policyHash = policyHashOf(terms)
  const role = { roleKey: roleKeyOf(terms), allowances: allowancesOf(terms, pair), targets }
  return {
    compilerVersion: 'policy-compiler-v1',
    policy: inputOf(terms),
    policyHash,
    releaseHash: release?.releaseHash ?? null,
    role,
    conditionsHash: H('conditions/v1', role),
    // Null: no published build of the modifier allows a check of the vault's code.
    calls: null,
    commitment: {
      to: commitmentAddress,
      value: '0',
      data: commitmentData(policyHash, terms.controlEpoch),
    },
    coverage: coverageOf(terms),
  }
}

function targetsOf(
  terms: PolicyTerms,
  chainId: number,
  pair: Pair,
  { manifest }: Pick<Release, 'manifest'>,
): Target[] {
  const chosen = manifest.adapters.filter(({ adapterId }) =>
    terms.approvedAdapterIds.includes(adapterId),
  )
  const spenders = terms.approvedContracts.filter(
    (address) => !isBatchContract({ manifest }, chainId, address),
  )
  const targets = chosen.flatMap((adapter) =>
    addressesOf(terms, chainId, adapter).map(
      (address): Target => ({
        address,
        clearance: 'FUNCTION',
        executionOptions: 'NONE',
        functions: adapter.functions.flatMap((found) => {
          const declared = declaredOf(adapter, found)
          if (!isBoundByArguments(declared)) return []
          const conditions = flattened(conditionsOf(terms, pair, declared, spenders))
          const { selector, signature } = declared
          const conditionsHash = H('conditions/v1', conditions)
          return [{ selector, signature, conditions, conditionsHash }]
        }),
      }),
    ),
  )
  const bound = targets.filter(({ functions }) => functions.length > 0)
  return bound.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
}

/** Contracts of an adapter that the policy approves. For an asset adapter, the approved assets. */
function addressesOf(
  terms: PolicyTerms,
  chainId: number,
  { contracts }: contract.Adapter,
): string[] {
  if (contracts.length === 0) return [...terms.approvedAssets]
  const approved = new Set(terms.approvedContracts.map((address) => address.toLowerCase()))
  return contracts.flatMap((one) =>
    one.chainId === chainId && approved.has(one.address.toLowerCase()) ? [one.address] : [],
  )
}

function allowancesOf(terms: PolicyTerms, pair: Pair): Compilation['role']['allowances'] {
  const ofAssets = terms.approvedAssets.flatMap((asset) => {
    const cap = capIn(terms, pair, asset, terms.maximumDailyTurnover)
    if (cap === null) return []
    const full = `${cap}`
    const key = allowanceKeyOf(terms, asset)
    return [
      { key, balance: full, maxRefill: full, refill: full, period: daySeconds, timestamp: '0' },
    ]
  })
  const pause = terms.minimumSecondsBetweenActions
  if (pause === 0) return ofAssets
  const one = { balance: '1', maxRefill: '1', refill: '1', period: `${pause}`, timestamp: '0' }
  return [...ofAssets, { key: pauseKeyOf(terms), ...one }]
}
