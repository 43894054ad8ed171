/** Position of an input error, with the expected and the found value. */
export interface InputFault {
  readonly file: string
  /** From 1; absent when the file as a whole is meant. */
  readonly line?: number
  /** Column of a table, or path within a JSON document. */
  readonly column?: string
  readonly expected: string
  readonly found: string
}

export class ReplayInputError extends Error {
  readonly fault: InputFault

  constructor(fault: InputFault) {
    const place = [
      fault.file,
      fault.line === undefined ? null : `line ${fault.line}`,
      fault.column === undefined ? null : `column ${fault.column}`,
    ]
    const where = place.filter((part) => part !== null).join(', ')
    super(`${where}: expected ${fault.expected}, found ${fault.found}`)
    this.name = 'ReplayInputError'
    this.fault = fault
  }
}

/** Formats a cell for a message: quoted and truncated. */
export function showCell(cell: string | undefined): string {
  if (cell === undefined) return 'no such column'
  if (cell === '') return 'an empty cell'
  return cell.length > 60 ? `"${cell.slice(0, 57)}…"` : `"${cell}"`
}
