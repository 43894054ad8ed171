import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { printNotice } from '../bin/print-notice.ts'
import { isPermissive, type LockFile, productionPackages } from '../bin/production-packages.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as LockFile
const namesOf = (workspace: string) => productionPackages(lock, workspace).map(({ name }) => name)

describe('a production install of the server', () => {
  it('leaves out the chain, the compilers, the tools and the Node that come with the repository', () => {
    const unwanted =
      /^(@foundry-rs|@uniswap|@safe-global|@ethersproject|ethers|typescript|vitest|node-(bin|darwin|linux|win))/
    expect(namesOf('apps/server').filter((name) => unwanted.test(name))).toEqual([])
    // The walk does find them where they are wanted.
    expect(namesOf('apps/demo').filter((name) => unwanted.test(name))).toContain('@uniswap/v3-core')
  })

  it('holds nothing that is copyleft or not yet open source', () => {
    const refused = (workspace: string) =>
      productionPackages(lock, workspace).filter(({ license }) => !isPermissive(license))
    expect(refused('apps/server')).toEqual([])
    expect(new Set(refused('packages/localchain').map(({ license }) => license))).toEqual(
      new Set(['BUSL-1.1', 'GPL-2.0-or-later', 'GPL-3.0', 'GPL-3.0-or-later', 'LGPL-3.0']),
    )
  })

  it('runs no program of a package: those that would like to are known, and none is needed', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
    const wanting = Object.entries(lock.packages).filter(
      ([, { hasInstallScript }]) => hasInstallScript,
    )
    // Anvil is started from the package of its platform. The script of ccxt prints an advertisement. Its optional bufferutil
    // speeds up WebSockets, which the service does not use.
    expect(wanting.map(([path]) => path)).toEqual([
      'node_modules/@foundry-rs/anvil',
      'node_modules/bufferutil',
      'node_modules/ccxt',
    ])
  })

  it('reads an expression of licences as a choice or as a sum', () => {
    expect(isPermissive('(MIT OR GPL-3.0-only)')).toBe(true)
    expect(isPermissive('MIT AND MPL-2.0')).toBe(false)
    for (const license of ['AGPL-3.0-only', 'EPL-2.0', 'UNLICENSED', 'SEE LICENSE IN LICENSE'])
      expect(isPermissive(license), license).toBe(false)
  })

  it('is listed in NOTICE', () => {
    // Otherwise: npm run notice
    expect(read('NOTICE')).toBe(printNotice())
  })
})

describe('the Node that comes as a package', () => {
  const manifest = JSON.parse(read('package.json')) as {
    optionalDependencies: Record<string, string>
  }
  const names = Object.keys(manifest.optionalDependencies)

  it('is left out where the Node of the machine runs TypeScript', () => {
    expect(names).toHaveLength(5)
    // npm skips an optional package whose engines do not fit. If it wrote the lock file anew, add them again.
    const engines = names.map((name) => lock.packages[`node_modules/${name}`]?.engines)
    expect(engines).toEqual(names.map(() => ({ node: '<24' })))
    expect(read('bin/with-node.js')).toMatch(/^const oldest = 24$/m)
  })
})

describe.each([
  'apps/server',
  'packages/contract',
  'packages/drawing',
  'packages/engine',
  'packages/evidence',
  'packages/sheet',
])('%s', (folder) => {
  it('names every package that it imports at run time among its dependencies', () => {
    const { dependencies } = JSON.parse(read(`${folder}/package.json`)) as {
      dependencies: Record<string, string>
    }
    const undeclared = sourcesOf(folder).flatMap((file) =>
      packagesImportedBy(read(file))
        .filter((name) => !(name in dependencies))
        .map((name) => `${file} imports ${name}`),
    )
    expect(undeclared).toEqual([])
  })
})

const sourcesOf = (folder: string) =>
  globSync(`${folder}/{src/**/,}*.ts`, { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/testing\//.test(file),
  )

/** Names of the packages whose code runs when the text does; an import of types alone is gone by then. */
function packagesImportedBy(text: string): string[] {
  const imports =
    /^(?:import|export) (?!type )[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)|\b(?:require|meta)\.resolve\(['`]([^'`]+)['`]\)/gm
  return [...text.matchAll(imports)]
    .flatMap(([, ...names]) => names.filter((name) => name !== undefined))
    .filter((name) => /^[@a-z]/.test(name) && !isBuiltin(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
}
