import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What each part may import of ours; tests may also use the local chain. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': [],
  'packages/engine': [],
  'packages/evidence': [],
  'packages/localchain': [],
  'packages/client': ['contract'],
  'apps/server': ['contract', 'engine', 'evidence'],
  'apps/demo': ['client', 'contract', 'localchain', 'server'],
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder, 'src'), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${sep}testing${sep}`))
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
}

describe.each(Object.entries(allowed))('%s', (folder, names) => {
  it('imports only what lies below it', () => {
    const wrong = sources(folder).flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('@liquidity-os/'))
        .filter((name) => !names.includes(name.split('/')[1] ?? ''))
        .map((name) => `${relative(root, file)} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })
})

it('keeps the families of the server apart', () => {
  const wrong = sources('apps/server').flatMap((file) => {
    const own = /domains[/\\]([^/\\]+[/\\][^/\\]+)[/\\]/.exec(file)?.[1]?.replaceAll(sep, '/')
    if (!own) return []
    return importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) =>
        relative(join(root, 'apps/server/src/domains'), join(file, '..', name)).replaceAll(
          sep,
          '/',
        ),
      )
      .filter((path) => !path.startsWith('..') && path.includes('/') && !path.startsWith(`${own}/`))
      .map((path) => `${relative(root, file)} imports ${path}`)
  })
  expect(wrong).toEqual([])
})
