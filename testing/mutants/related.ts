import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLong } from '../tiers.ts'

/** Test files that fail for every change of the engine, so their failure shows nothing about a mutant. */
const blind = new Set(['packages/engine/build-hash.test.ts'])
const heavy = /every-operation|documentation|production-install/

/**
 * Test files in the order in which they are likely to notice a change of a source file. The near groups are
 * related by folder, import or name; the rest is the rest of the short tier.
 */
export function relatedTests(root: string, file: string): { near: string[][]; rest: string[] } {
  const sources = globSync(['packages/*/src/**/*.ts', 'apps/*/{src,test}/**/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**', 'apps/*/test/browser/**'],
  }).sort()
  const textOf = new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const tests = sources.filter((path) => path.endsWith('.test.ts') && !blind.has(path))
  const imports = (path: string, other: string) =>
    textOf.get(path)!.includes(`/${basename(other)}'`)
  const name = basename(file, '.ts')
  const importers = sources.filter((path) => !path.endsWith('.test.ts') && imports(path, file))
  const taken = new Set<string>()
  const take = (isMeant: (test: string) => boolean): string[] => {
    const meant = tests.filter((test) => !taken.has(test) && !heavy.test(test) && isMeant(test))
    for (const test of meant) taken.add(test)
    return meant
  }
  const isShort = (test: string) => !isLong(join(root, test))
  // Tests of `treasury-reconciliations` may be called `treasury-reconciliations-age`.
  const called = (test: string, text: string) =>
    basename(test).includes(text.replace(/s$/, '').split('-').slice(0, 2).join('-'))
  const folders = dirname(file).split('/').slice(3)
  const [group, packageName] = file.split('/')
  const isSmallPackage = group === 'packages' && packageName !== 'engine'
  const near = [
    take((test) => test === `${dirname(file)}/${name}.test.ts`),
    take((test) => imports(test, file)),
    take((test) => dirname(test) === dirname(file)),
    take((test) => isShort(test) && importers.some((path) => imports(test, path))),
    take((test) => isSmallPackage && test.startsWith(`packages/${packageName}/`)),
    take((test) => /[a-z][A-Z]/.test(name) && textOf.get(test)!.includes(`'${name}'`)),
    take((test) => isShort(test) && called(test, name)),
    // The group of a family, such as `operate`, names no test.
    ...folders
      .filter((_, depth) => folders[0] !== 'families' || depth > 1)
      .toReversed()
      .map((folder) => take((test) => isShort(test) && called(test, folder))),
    take((test) => dirname(test) === dirname(dirname(file))),
  ].filter((found) => found.length > 0)
  return { near, rest: tests.filter((test) => !taken.has(test) && isShort(test)) }
}
