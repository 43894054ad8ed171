import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'
import { Failure } from '../../../failure.ts'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { answered, inSlices, readContract } from '../../../integrations/chain/contract-call.ts'
import { readFinalizedHead } from '../../../integrations/chain/finalized.ts'
import { safeAbi } from '../../../integrations/chain/safe-account.ts'
import {
  anyChainProviders,
  type ChainProvider,
} from '../../../integrations/providers/chain-providers.ts'
import { sweepTenants } from '../../../jobs/overdue.ts'
import { queueRun } from '../../../jobs/queue-run.ts'
import { limits } from '../../../limits.ts'
import { phaseOf } from '../../../market/proposals/agreed-packets.ts'
import type { ProviderAccess, RecordSweeping } from '../../../services.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement, member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Entry, liquidityHoldings } from './holdings.ts'
import { observationTask } from './queue-observation.ts'
import { type Vault, vaults } from './records.ts'

const endOfTurn = () => AbortSignal.timeout(limits.safeWatchDeadlineMilliseconds)

/**
 * Reads the nonces of Safes with an approved packet, once per Safe. If a Safe executed a
 * transaction, queues a reading that records the execution and its receipt.
 *
 * @param deadline aborts the reads of one organization
 */
export function watchSafes(
  services: RecordSweeping & ProviderAccess,
  deadline: () => AbortSignal = endOfTurn,
): Promise<void> {
  return sweepTenants(services, {
    actor: 'safe-watch',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'ProposalWorkspace', {
        status: ['ACTIVE'],
        where: sql`${member('payload.phase')} = 'APPROVED'`,
        order: 'OLDEST',
        limit: limits.watchedPackets,
      }),
    run: (records, ids, signal) => queueExecuted(records, services, ids, signal),
    atOnce: limits.safeWatchOrganizations,
    deadline,
  })
}

async function queueExecuted(
  records: TenantRecords,
  services: ProviderAccess,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Change[]> {
  const watched = await watchedVaults(records, ids)
  const byChain = Map.groupBy(watched, ({ payload }) => payload.chainId)
  const read = await Promise.all(
    [...byChain].map(async ([chainId, ofChain]) => {
      const safes = new Set(ofChain.map(safeOf))
      const providers = await providersOf(records, services, chainId, signal)
      const nonces = await readNonces(providers, [...safes], signal)
      return ofChain.filter((vault) => hasExecuted(vault, nonces))
    }),
  )
  const executed = read.flat()
  if (executed.length === 0) return []
  const entries = new Map<string, Entry>()
  for (const { chainId, safe, entry } of (await liquidityHoldings(records)).toReversed()) {
    // The oldest holding of a Safe remains; its reading covers all vaults of the Safe.
    entries.set(`${chainId}|${safe}`, entry)
  }
  const found = executed.map((vault) => entries.get(`${vault.payload.chainId}|${safeOf(vault)}`))
  return [...new Set(found)].flatMap((entry) =>
    entry ? [queueRun(records, observationTask, entry)] : [],
  )
}

const safeOf = ({ payload: { safeAddress } }: Vault): Address => getAddress(safeAddress)

/** Vaults with a packet that is still approved. */
async function watchedVaults(records: TenantRecords, ids: readonly string[]): Promise<Vault[]> {
  const vaultIds = new Set<string>()
  for (const id of ids) {
    const packet = await records.current<contract.ProposalWorkspace>('ProposalWorkspace', id)
    if (packet && phaseOf(packet.record, records.now) === 'APPROVED') {
      vaultIds.add(packet.record.payload.vaultId)
    }
  }
  const found = await Promise.all([...vaultIds].map((id) => vaults.current(records, id)))
  return found.flatMap((vault) => (vault ? [vault.record] : []))
}

/** Active providers of a chain, oldest first; empty without any. */
async function providersOf(
  records: TenantRecords,
  services: ProviderAccess,
  chainId: number,
  signal: AbortSignal,
): Promise<readonly ChainProvider[]> {
  try {
    return await anyChainProviders(records, services, chainId, 'chainId', { signal })
  } catch (error) {
    if (error instanceof Failure && error.code === 'LIQUIDITY_PROVIDER_UNKNOWN') return []
    throw error
  }
}

/**
 * Finalized nonces by Safe, from the first provider that responds. The reading that follows
 * compares all providers at one block.
 */
async function readNonces(
  providers: readonly ChainProvider[],
  safes: readonly Address[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Address, bigint | null>> {
  const found = new Map<Address, bigint | null>()
  for (const { client, configuration } of providers) {
    const missing = safes.filter((safe) => !found.has(safe))
    if (missing.length === 0 || signal.aborted) break
    try {
      const block = await readFinalizedHead(client, configuration.finality)
      await inSlices(missing, limits.safeWatchReads, async (address) => {
        const call = { address, abi: safeAbi, functionName: 'nonce' } as const
        found.set(
          address,
          await answered(() => readContract(client, { block, form: 'NUMBER' }, call)),
        )
      })
    } catch (error) {
      // The health of the provider and the reading every few minutes report a failing node.
      if (!(error instanceof ChainError)) throw error
    }
  }
  return found
}

/** True if the finalized nonce of the Safe is above that of its last reading. */
function hasExecuted(vault: Vault, nonces: ReadonlyMap<Address, bigint | null>): boolean {
  const nonce = nonces.get(safeOf(vault)) ?? null
  return nonce !== null && nonce > BigInt(vault.payload.control.nonce)
}
