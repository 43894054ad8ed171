import { contract } from '@liquidity-os/contract'
import { parseStrict } from '@liquidity-os/evidence'
import { contractAt } from '../../market/adapters/contract-code.ts'
import { dayMilliseconds } from '../../units.ts'
import type { Observation } from './observe.ts'

type Manifest = Omit<contract.ReleaseManifest, 'signature'>
type Adapter = contract.Adapter

const maxDays = 180

/**
 * An unsigned manifest: the adapters of the terms, else of this build, with observed code.
 *
 * @throws Error for a validity above 180 days, or an observation of a contract that no adapter has
 */
export function buildRelease(text: string, observations: readonly string[]): Manifest {
  const terms = { adapters: contract.adapters, ...(parseStrict(text) as object) } as Manifest
  const days = (Date.parse(terms.expiresAt) - Date.parse(terms.issuedAt)) / dayMilliseconds
  if (!(days > 0 && days <= maxDays)) {
    throw new Error(`expiresAt must be at most ${maxDays} days after issuedAt, got ${days}`)
  }
  const adapters = observations
    .map((one) => parseStrict(one) as unknown as Observation)
    .reduce<readonly Adapter[]>(withObservation, terms.adapters)
  return { ...terms, adapters: [...adapters] }
}

function withObservation(adapters: readonly Adapter[], seen: Observation): readonly Adapter[] {
  const { chainId, address, runtimeCodeHash, block, hosts } = seen
  const found = adapters.filter((one) => contractAt(one, chainId, address))
  if (found.length === 0) throw new Error(`no adapter has ${address} on chain ${chainId}`)
  const source = `eip155:${chainId} block ${block.number} ${block.hash}, ${hosts.join(' and ')}`
  return adapters.map((adapter) => {
    const at = contractAt(adapter, chainId, address)
    if (!at) return adapter
    if (at.runtimeCodeHash !== undefined && at.runtimeCodeHash !== runtimeCodeHash) {
      throw new Error(`${address} must run ${at.runtimeCodeHash}, observed ${runtimeCodeHash}`)
    }
    const code = { evidence: 'OBSERVED' as const, hash: runtimeCodeHash, source }
    return {
      ...adapter,
      contracts: adapter.contracts.map((one) => (one === at ? { ...one, code } : one)),
    }
  })
}
