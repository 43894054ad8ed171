import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { codeAt } from '../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../keccak256.ts'
import { expectedCode, judgeCode } from '../../../market/adapters/contract-code.ts'
import { type Release, trustedRelease } from '../../../market/adapters/release.ts'
import { readFromChain, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { Vault } from './vault-of.ts'

/**
 * Returns the release that covers a policy. It must contain every adapter, and every contract must
 * belong to an adapter or be an approved asset. At the finalized block, each contract must run the
 * code of the signed release.
 *
 * @throws Failure 409 with everything uncovered, 503 if the chain is unavailable
 */
export async function requireCoveringRelease(
  { records, services, now }: Pick<HandlerRequest<unknown>, 'records' | 'services' | 'now'>,
  vault: Vault,
  terms: PolicyTerms,
): Promise<Release> {
  const release = trustedRelease(services.config, now)
  if ('fault' in release) throw unavailable({ release: [release.fault] })
  const { chainId } = vault.payload
  const known = release.manifest.adapters.filter(({ adapterId }) =>
    terms.approvedAdapterIds.includes(adapterId),
  )
  const faults: FieldErrors = {}
  for (const [index, id] of terms.approvedAdapterIds.entries()) {
    if (known.some(({ adapterId }) => adapterId === id)) continue
    faults[`payload.approvedAdapterIds.${index}`] = [`must be in the release, got ${id}`]
  }
  const contracts = contractsOf(known, chainId)
  const assets = new Set(terms.approvedAssets.map((asset) => asset.toLowerCase()))
  for (const [itemIndex, address] of terms.approvedContracts.entries()) {
    const isCovered = contracts.has(address.toLowerCase()) || assets.has(address.toLowerCase())
    if (isCovered) continue
    const expected = 'must be a contract of an approved adapter or an approved asset'
    faults[`payload.approvedContracts.${itemIndex}`] = [`${expected}, got ${address}`]
  }
  if (Object.keys(faults).length > 0) throw unavailable(faults)
  const { chains } = await takeSnapshot(records, services, [chainId], 'payload.vaultId')
  const chain = chains.get(chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${chainId}.`)
  for (const [place, address] of terms.approvedContracts.entries()) {
    const expected = contracts.get(address.toLowerCase())
    if (expected === undefined) continue
    const found = await readFromChain(() =>
      agreeOnAnswer(chain.clients, (client) =>
        readAtBlock(client, chain.block, (pin) => codeAt(client, pin, address as Address)),
      ),
    )
    if (judgeCode(found, expected).isKnown === true) continue
    const hash = expected.runtimeCodeHash ?? expected.template?.hash
    const came = `got ${keccak256(found)} at block ${chain.block.number}`
    const wanted = hash === undefined ? 'have code that the release knows' : `run code ${hash}`
    faults[`payload.approvedContracts.${place}`] = [`must ${wanted}, ${came}`]
  }
  if (Object.keys(faults).length > 0) throw unavailable(faults)
  return release
}

/** By address; a contract of several adapters has the same code in each. */
const contractsOf = (known: readonly contract.Adapter[], chainId: number) =>
  new Map(
    known.flatMap((adapter) =>
      adapter.contracts
        .filter((one) => one.chainId === chainId)
        .map((one) => [one.address.toLowerCase(), expectedCode(adapter, one)] as const),
    ),
  )

const unavailable = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_POLICY_RELEASE_UNAVAILABLE', { fieldErrors })
