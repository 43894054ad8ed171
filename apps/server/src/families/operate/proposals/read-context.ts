import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress, type Hex, parseAbi } from 'viem'
import { Failure } from '../../../failure.ts'
import { ask, type ChainClient } from '../../../integrations/chain/client.ts'
import { answered, inSlices, readContract } from '../../../integrations/chain/contract-call.ts'
import {
  agreeOnAnswer,
  blockArgument,
  type Pin,
  readAtBlock,
} from '../../../integrations/chain/finalized.ts'
import { callOnlyBatchNameOf, codeAt } from '../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../keccak256.ts'
import type { Release } from '../../../market/adapters/release.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import {
  type PinnedChain,
  readFromChain,
  takeSnapshot,
} from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { isSameControl, readControl } from '../../prove/vaults/api.ts'
import { type Vault, validateQualification } from '../autonomy-policies/api.ts'
import type { PlainCall } from './packet-calls.ts'

/** Chain inputs of a packet, read at one finalized block through all providers of the chain. */
export interface ProposalContext {
  readonly chain: PinnedChain
  readonly control: contract.SafeControl
  /** Call-only batch contract; null if the release contains no deployed one. */
  readonly batch: Address | null
  readonly codes: ReadonlyMap<Address, Hex>
  /** Total supply of called contracts that report one. */
  readonly supplies: ReadonlyMap<Address, bigint>
  readonly balances: contract.ProposalSimulation['balances']
}

const readsAtOnce = 8
const supplyAbi = parseAbi(['function totalSupply() view returns (uint256)'])
const balanceAbi = parseAbi(['function balanceOf(address holder) view returns (uint256)'])

/**
 * Reads a vault's Safe and the call targets at the finalized block.
 *
 * @throws Failure 422 LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED if control differs from the vault
 * record, 503 if the chain is unavailable
 */
export async function readContext(
  records: TenantRecords,
  services: ProviderAccess,
  { vault, calls, release }: { vault: Vault; calls: readonly PlainCall[]; release: Release | null },
): Promise<ProposalContext> {
  const { chainId, safeAddress, pair } = vault.payload
  const { chains } = await takeSnapshot(records, services, [chainId], 'payload.action.chainId')
  const chain = chains.get(chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${chainId}.`)
  const safe = safeAddress as Address
  const targets = [...new Set(calls.map(({ to }) => to))]
  const batch = batchOf(release, chainId)
  const { control } = await readFromChain(() => readControl(chain, safe))
  if (control === null || !isSameControl(control, vault.payload.control)) {
    throw unqualified([
      'must have the same control as at the last read; read the vault again, or check who changed it',
    ])
  }
  const read = await readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) =>
      readAtBlock(client, chain.block, async (pin) => ({
        codes: await inSlices(batch ? [...targets, batch] : targets, readsAtOnce, (address) =>
          codeAt(client, pin, address),
        ),
        supplies: await inSlices(targets, readsAtOnce, (address) =>
          answered(() =>
            readContract(client, pin, { address, abi: supplyAbi, functionName: 'totalSupply' }),
          ),
        ),
        held: await heldBy(client, pin, safe, [pair.base, pair.quote] as Address[]),
      })),
    ),
  )
  const codes = new Map(targets.map((address, index) => [address, read.codes[index] ?? '0x']))
  const batchCode = batch === null ? '0x' : (read.codes[targets.length] ?? '0x')
  return {
    chain,
    control,
    codes,
    batch: callOnlyBatchNameOf(keccak256(batchCode)) === null ? null : batch,
    supplies: new Map(
      targets.flatMap((address, index) => {
        const supply = read.supplies[index] ?? null
        return supply === null ? [] : [[address, supply] as const]
      }),
    ),
    balances: read.held,
  }
}

async function heldBy(
  client: ChainClient,
  pin: Pin,
  safe: Address,
  tokens: readonly Address[],
): Promise<ProposalContext['balances']> {
  const coin = await ask<Hex>(client, 'eth_getBalance', [safe, blockArgument(pin)])
  const found = await inSlices(tokens, readsAtOnce, async (asset) => {
    const call = {
      address: asset,
      abi: balanceAbi,
      functionName: 'balanceOf',
      args: [safe],
    } as const
    const before = await answered(() => readContract(client, pin, call))
    return before === null ? [] : [{ asset, before: `${before}` }]
  })
  return [...found.flat(), { asset: 'native', before: `${BigInt(coin)}` }]
}

/** The call-only batch contract of a release on a chain; null without one. */
export function batchOf(release: Release | null, chainId: number): Address | null {
  const adapter = release?.manifest.adapters.find(
    ({ adapterId }) => adapterId === 'safe-batch-call-only',
  )
  const found = adapter?.contracts.find((one) => one.chainId === chainId)
  return found ? getAddress(found.address) : null
}

const unqualified = (messages: string[]) =>
  new Failure('LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED', {
    fieldErrors: { 'payload.vaultId': messages },
  })

/**
 * Requires a qualified vault, except for a change of owners.
 *
 * @throws Failure 422 LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED
 */
export function requireFit(
  vault: Vault,
  actionType: contract.ProposalActionType,
  now: number,
): void {
  const faults = validateQualification(vault, now)
  // An owner change can repair an unqualified vault, but the last reading must still be recent.
  const counted = actionType === 'OWNER_CHANGE' ? faults.filter((one) => isGone(one)) : faults
  if (counted.length > 0) throw unqualified([`must be qualified; failed: ${counted.join(', ')}`])
}

const isGone = (fault: string) => fault === 'FRESH' || fault === 'it is RETIRED'

/**
 * Addresses that the vault's Safe has dealt with, in lower case: calls in receipts, its tokens and
 * its venues.
 */
export async function knownParties(records: TenantRecords, vault: Vault): Promise<Set<string>> {
  const { pair, safeAddress } = vault.payload
  const [receipts, venues] = await Promise.all([
    records.find<contract.ExecutionReceipt>('ExecutionReceipt', {
      order: 'NEWEST',
      limit: maxReceipts,
      where: sql`${member('payload.vault.id')} = ${vault.id} and ${member('payload.outcome')} = 'SUCCESS'`,
    }),
    venuesOf(records, vault),
  ])
  const called = receipts.flatMap(({ payload }) => [
    ...(payload.calls ?? []).map(({ to }) => to),
    ...payload.effects.transfers.flatMap(({ from, to }) => [from, to]),
  ])
  const own = [safeAddress, pair.base, pair.quote, ...venues.map(({ payload }) => payload.address)]
  return new Set([...called, ...own].map((address) => address.toLowerCase()))
}

const maxReceipts = 1000

async function venuesOf(records: TenantRecords, { payload }: Vault): Promise<VenueRecord[]> {
  const ids = payload.venues.map(({ id }) => id)
  if (ids.length === 0) return []
  return records.find<VenueRecord['payload']>('VenueProfile', { ids })
}

/** Factories of a vault's venues. */
export async function factoriesOf(records: TenantRecords, vault: Vault): Promise<Address[]> {
  const venues = await venuesOf(records, vault)
  const named = venues.flatMap(({ payload }) =>
    'factory' in payload && payload.factory ? [getAddress(payload.factory)] : [],
  )
  return [...new Set(named)]
}
