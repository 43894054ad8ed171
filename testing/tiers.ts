import { readFileSync } from 'node:fs'

/** Tags that a test file declares in its leading comments: `// @module-tag long`. */
export function readTags(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/^\/\/ @module-tag ([\w-]+)$/gm)].flatMap(([, tag]) => tag ?? [])
}

/** True if the file belongs to the long tier, which `npm test` leaves out. */
export const isLong = (file: string): boolean => readTags(file).includes('long')
