import type { contract, SourceRef } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { custodyEvidence, type Evidence } from './records.ts'

export type { Evidence } from './records.ts'
export { custodyEvidence } from './records.ts'

/** Valid evidence for one asset of a container, for the ledger and reconciliations. */
export interface LiveCustody {
  readonly evidence: SourceRef
  readonly container: string
  readonly assetKey: string
  /** Atoms. */
  readonly quantity: bigint
  readonly proof: contract.CustodyReceipt['observed'][number]['proof']
  readonly assurance: contract.CustodyReceipt['assurance']
  /** Signer: the account itself or its on-chain controller, or a custodian. */
  readonly authority: contract.CustodyReceipt['authority']['kind']
  /** Block of the balance; null if a custodian states none. */
  readonly block: contract.CustodyReceipt['statementBlock']
  /** Time of the quantity and expiry, in milliseconds since 1970. */
  readonly heldAt: number
  readonly expiresAt: number
}

/** True if evidence is valid. Expired evidence is not, even before the sweep. */
export const isLive = ({ status, payload }: Evidence, now: number): boolean =>
  status === 'ACTIVE' && Date.parse(payload.statement.expiresAt) > now

/** Time of the evidence, unchanged by later record versions, in milliseconds since 1970. */
export const heldAtOf = ({ payload: { statement, receipt } }: Evidence): number =>
  Date.parse(receipt.statementBlock?.timestamp ?? statement.issuedAt)

export function custodyOf(evidence: Evidence): LiveCustody[] {
  const { resourceType, id, resourceVersion } = evidence
  const { statement, receipt } = evidence.payload
  const { statementBlock: block, assurance, authority, observed } = receipt
  return observed.map(({ assetKey, quantity, proof }) => ({
    evidence: { resourceType, id, resourceVersion },
    container: statement.container,
    assetKey,
    quantity: BigInt(quantity),
    proof,
    assurance,
    authority: authority.kind,
    block,
    heldAt: heldAtOf(evidence),
    expiresAt: Date.parse(statement.expiresAt),
  }))
}

/**
 * Valid custody data by container and asset. For one asset of one container only the latest counts;
 * on a tie, the last admitted.
 */
export async function liveCustody(
  records: TenantRecords,
  container?: string,
): Promise<LiveCustody[]> {
  const found = await custodyEvidence.find(records, { status: ['ACTIVE'], order: 'OLDEST' })
  const newest = new Map<string, LiveCustody>()
  for (const one of found.filter((evidence) => isLive(evidence, records.now)).flatMap(custodyOf)) {
    const key = `${one.container}|${one.assetKey}`
    const before = newest.get(key)
    if (before === undefined || before.heldAt <= one.heldAt) newest.set(key, one)
  }
  return [...newest.values()].filter(
    (one) => container === undefined || one.container === container,
  )
}
