import type { contract, SourceRef } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { custodyEvidence, type Evidence } from './records.ts'

export type { Evidence } from './records.ts'
export { custodyEvidence } from './records.ts'

/** Evidence that holds now of one asset of a container: what the ledger and reconciliations read. */
export interface LiveCustody {
  readonly evidence: SourceRef
  readonly container: string
  readonly assetKey: string
  /** Atoms. */
  readonly quantity: bigint
  readonly proof: contract.CustodyReceipt['observed'][number]['proof']
  readonly assurance: contract.CustodyReceipt['assurance']
  /** Who signed: the account itself or whoever it answers to, as read on chain, or a custodian. */
  readonly authority: contract.CustodyReceipt['authority']['kind']
  /** The block at which it was held; null where a custodian says so of no block. */
  readonly block: contract.CustodyReceipt['statementBlock']
  /** Milliseconds since 1970: the moment that the quantity is of, and the one from which it counts no more. */
  readonly heldAt: number
  readonly expiresAt: number
}

/** Whether evidence holds: the clock decides, swept or not. */
export const isLive = ({ status, payload }: Evidence, now: number): boolean =>
  status === 'ACTIVE' && Date.parse(payload.statement.expiresAt) > now

/** The moment that evidence speaks of, whatever was written of it later; milliseconds since 1970. */
export const heldAtOf = ({ payload: { statement, receipt } }: Evidence): number =>
  Date.parse(receipt.statementBlock?.timestamp ?? statement.issuedAt)

/** What evidence says of each asset of its container. */
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
 * Everything that live evidence says, by container and asset; of one asset of one container only what is of the latest
 * moment, and of equal moments what was admitted last.
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
