import type { contract } from '@liquidity-os/contract'
import { getAddress } from 'viem'
import { sql } from '../store/database/sql.ts'
import { member } from '../store/records/find.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { VenueRecord } from './named-venue.ts'

/** Accounts on a chain that belong to the issuer, checksummed and ascending. */
export interface IssuerAccounts {
  /** Every declared account. */
  readonly declared: readonly string[]
  /** Declared accounts whose holder signed: for a control proof, or for custody evidence. */
  readonly proven: readonly string[]
}

/**
 * Accounts on a chain that the organization declared as its own: treasury containers, vaults, and
 * claimants of project control. Retired and expired records count, because they describe earlier
 * flow. Accounts of market makers do not.
 *
 * @param venues their owners of positions count too
 */
export async function issuerAccounts(
  records: TenantRecords,
  chainId: number,
  venues: readonly VenueRecord[],
): Promise<IssuerAccounts> {
  const prefix = `eip155:${chainId}:`
  const ofChain = sql`${member('payload.chainId')} = ${`${chainId}`}`
  const [entries, vaults, proofs, evidence] = await Promise.all([
    records.find<contract.TreasuryBucket>('TreasuryBucket', {
      where: sql`${member('payload.containerKey')} like ${`${prefix}%`}
        and ${member('payload.container.kind')} <> 'MARKET_MAKER_ACCOUNT'`,
      newestOfEach: [member('payload.containerKey')],
    }),
    records.find<contract.QualifiedVault>('QualifiedVault', {
      where: ofChain,
      newestOfEach: [member('payload.safeAddress')],
    }),
    records.find<contract.ProjectControlProof>('ProjectControlProof', {
      where: ofChain,
      newestOfEach: [member('payload.claimant')],
    }),
    // The signature of a custodian proves no control on chain.
    records.find<contract.TreasuryCustodyEvidence>('TreasuryCustodyEvidence', {
      where: sql`${member('payload.statement.container')} like ${`${prefix}%`}
        and ${member('payload.statement.relation')} <> 'CUSTODIAN'`,
      newestOfEach: [member('payload.statement.container')],
    }),
  ])
  const declared = checksummed([
    ...entries.flatMap(({ payload }) => payload.containerKey?.slice(prefix.length) ?? []),
    ...vaults.map(({ payload }) => payload.safeAddress),
    ...proofs.map(({ payload }) => payload.claimant),
    ...venues.flatMap(({ payload }) => payload.ownedPositions?.map(({ owner }) => owner) ?? []),
  ])
  const signed = new Set(
    checksummed([
      ...proofs.map(({ payload }) => payload.claimant),
      ...evidence
        .filter(({ status }) => status !== 'REVOKED')
        .map(({ payload }) => payload.statement.container.slice(prefix.length)),
    ]),
  )
  return { declared, proven: declared.filter((account) => signed.has(account)) }
}

const checksummed = (accounts: readonly string[]): string[] =>
  [...new Set(accounts.map((account) => getAddress(account)))].sort()
