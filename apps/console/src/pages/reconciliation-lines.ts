import type { contract } from '@liquidity-os/contract'

type Line = contract.TreasuryLedgerReconciliation['lines'][number]
type Difference = keyof Line['differences']

/** The order of the subtraction; each name is a column of the table. */
const pairs: Readonly<Record<Difference, string>> = {
  ledgerMinusChain: 'ledger minus chain',
  ledgerMinusCustody: 'ledger minus custodian',
  custodyMinusChain: 'custodian minus chain',
}

const ledgerFirst: readonly Difference[] = [
  'ledgerMinusChain',
  'ledgerMinusCustody',
  'custodyMinusChain',
]
const custodianFirst: readonly Difference[] = [
  'custodyMinusChain',
  'ledgerMinusCustody',
  'ledgerMinusChain',
]

export interface DecidingDifference {
  /** Signed atoms; null if no amount is known. */
  readonly atoms: string | null
  readonly pair: string
}

/**
 * Difference that makes a line a break, and its pair. Custody causes compare the custodian first. A
 * pair that agrees decides only if no other pair differs.
 *
 * @returns null if fewer than two sides are known
 */
export function decidingDifference({
  cause,
  differences,
}: Pick<Line, 'cause' | 'differences'>): DecidingDifference | null {
  const order = cause.startsWith('CUSTODY_') ? custodianFirst : ledgerFirst
  const known = order.filter((name) => differences[name] !== null)
  const deciding = known.find((name) => BigInt(differences[name]!) !== 0n)
  // The line has the quantity of one statement only.
  if (deciding === undefined && isStatementCause(cause))
    return { atoms: null, pair: 'between custody statements' }
  const name = deciding ?? known[0]
  return name === undefined ? null : { atoms: differences[name], pair: pairs[name] }
}

const isStatementCause = (cause: Line['cause']): boolean =>
  cause === 'CUSTODY_CONFLICT' || cause === 'CUSTODY_STALE' || cause === 'CUSTODY_DIFFERS'

/** Breaks before lines that agree, material breaks first; otherwise in the order of the record. */
export const breaksFirst = <Each extends Pick<Line, 'cause' | 'material'>>(
  lines: readonly Each[],
): Each[] => lines.toSorted((a, b) => rankOf(a) - rankOf(b))

const rankOf = ({ cause, material }: Pick<Line, 'cause' | 'material'>): number => {
  if (cause === 'AGREED') return 2
  return material ? 0 : 1
}
