import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { rollForward } from '../../../market/treasury/roll-forward.ts'
import { type PinnedSnapshot, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Claim } from './allocation.ts'
import { chainOf, entryOf, type ObservedEntry, observeEntry } from './holding-figures.ts'
import type { InputOf } from './input-of.ts'
import { latestCustody, signedHolding } from './signed-holding.ts'

type Holding = contract.TreasuryHolding
type Before = VersionedRecord<contract.TreasuryBucket>
type ChainContainer = Extract<Holding['container'], { address: string }>

/** Block of the last observation of an on-chain holding. */
export const lastBlockOf = ({ computation }: Holding, { chainId }: ChainContainer) =>
  computation.snapshot?.chains.find((chain) => chain.chainId === chainId)

/**
 * Reads a holding on a chain at the block of a snapshot, with the transfers since the last
 * observation.
 *
 * @throws Failure as `observeEntry`
 */
export function observeAgain(
  records: TenantRecords,
  before: Before,
  {
    input,
    payload,
    container,
    claims,
    isRestrictedNow = false,
  }: {
    readonly input: InputOf<Holding>
    readonly payload: Holding
    readonly container: ChainContainer
    readonly claims?: readonly Claim[]
    readonly isRestrictedNow?: boolean
  },
  snapshot: PinnedSnapshot,
): Promise<ObservedEntry> {
  const last = lastBlockOf(payload, container)
  const account = container.address as Address
  const opening = payload.observed?.containerBalance
  const chain = chainOf(snapshot, container.chainId)
  return observeEntry(records, input, snapshot, {
    before,
    isRestrictedNow,
    field: '',
    ...(claims ? { claims } : {}),
    rollForward: async (closing) =>
      last === undefined || opening === undefined || last.blockHash === chain.block.hash
        ? payload.rollForward
        : (
            await readFromChain(() =>
              rollForward(
                chain,
                { asset: input.asset, account },
                { block: last.blockNumber, balance: BigInt(opening) },
                closing,
              ),
            )
          ).figures,
  })
}

/**
 * Updates an off-chain holding from the latest valid evidence. @throws Failure 422 without such
 * evidence
 */
export async function signAgain(
  records: TenantRecords,
  before: Before,
  input: InputOf<Holding>,
  more: { readonly claims?: readonly Claim[]; readonly isRestrictedNow?: boolean } = {},
): Promise<ObservedEntry & { readonly evidenceId: string }> {
  const stated = await latestCustody(records, input, 'id')
  const evidence = { mode: 'CUSTODY_EVIDENCE', evidence: stated.evidence } as const
  const known = await signedHolding(records, input, stated)
  const entry = await entryOf(records, { ...input, observation: evidence }, known, {
    isRestrictedNow: false,
    ...more,
    before,
    field: '',
  })
  return { ...entry, evidenceId: stated.evidence.id }
}
