import type { Item } from '../api/records.ts'
import type { FamilyFile } from '../declared/types.ts'

/** Rows of a list. */
export interface RowsProps {
  file: FamilyFile
  items: readonly Item[]
  /** Records to compare. */
  chosen: readonly string[]
  onChoose: (id: string) => void
}

/** The name comes first; a column that repeats it is omitted. */
export const columnsOf = ({ columns, entry }: FamilyFile): string[] =>
  columns.filter((path) => path !== entry.title)
