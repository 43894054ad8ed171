import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../../../datasets/', import.meta.url))

/**
 * Text of a dataset file, decompressed if its name ends in `.gz`. For tests only: the engine itself
 * reads no files.
 */
export function readDataset(path: string): string {
  const bytes = readFileSync(`${root}${path}`)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** Parsed JSON of a dataset file; the caller states the shape its SOURCE.md documents. */
export function readDatasetJson<T>(path: string): T {
  return JSON.parse(readDataset(path)) as T
}

/** Parsed JSON of any file of the repository, by its full path. */
export function readJsonFile(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Rows of a dataset CSV as objects by column name; quoted cells may hold commas. */
export function readDatasetRows(path: string): Record<string, string>[] {
  const [header, ...lines] = readDataset(path).trimEnd().split('\n')
  const columns = splitCells(header!)
  return lines.map((line) => {
    const cells = splitCells(line)
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
  })
}

function splitCells(line: string): string[] {
  const cells: string[] = []
  for (const match of line.replace(/\r$/, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'))
  }
  return cells
}
