import { csvField } from '@liquidity-os/sheet/csv-field'

/** A CSV cell that spreadsheets never evaluate. Objects are JSON. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return csvField(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

export const csvOf = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [columns, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n')

/** Downloads a text as a file. */
export function saveText(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
