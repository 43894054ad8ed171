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
