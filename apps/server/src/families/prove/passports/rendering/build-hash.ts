import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

let hash: string | null = null

/**
 * SHA-256 over the source of the passport renderer: two lines per file, its path and its content
 * hash.
 */
export function rendererBuildHash(): string {
  hash ??= hashOf(['./', '../../../../reports/', '../../../../drawing/'])
  return hash
}

function hashOf(folders: readonly string[]): string {
  const total = createHash('sha256')
  for (const folder of folders) {
    const root = fileURLToPath(new URL(folder, import.meta.url))
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ file, name: file.slice(root.length).replaceAll('\\', '/') }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const { file, name } of files) {
      const content = createHash('sha256').update(readFileSync(file)).digest('hex')
      total.update(`${folder}${name}\n${content}\n`)
    }
  }
  return `0x${total.digest('hex')}`
}
