import { simulatedMark } from '@liquidity-os/contract/test-networks'
import type { Table, Workbook } from '@liquidity-os/sheet'

/** Marks data of local and test chains: a line of the summary, and a column of the main table. */
export function withMark(workbook: Workbook, chainIds: readonly number[]): Workbook {
  if (chainIds.length === 0) return workbook
  const { facts, tables, ...others } = workbook
  const value = `${simulatedMark}: local or test chain ${chainIds.join(', ')}`
  const [first, ...rest] = tables
  const isStated = facts.some(({ label }) => label === evidence)
  return {
    ...others,
    facts: isStated ? facts : [{ label: evidence, value }, ...facts],
    tables: first ? [markedTable(first), ...rest] : [],
  }
}

/** Label of the line in a summary. */
const evidence = 'Evidence'

const markedTable = ({ columns, rows, ...table }: Table): Table => ({
  ...table,
  columns: [...columns, { key: 'evidence', title: 'evidence', kind: 'TEXT' }],
  rows: rows.map((row) => [...row, simulatedMark]),
})
