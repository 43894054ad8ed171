import { readFileSync, writeFileSync } from 'node:fs'
import {
  isPermissive,
  type LockFile,
  type ProductionPackage,
  productionPackages,
} from './production-packages.ts'

const root = new URL('../../../', import.meta.url)

/** Of Inter, a font that may be bundled with any software. */
const bundled: ReadonlySet<string> = new Set(['OFL-1.1'])

/** Text of `NOTICE`: the packages of a production install and their licenses. */
export function printNotice(): string {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as LockFile
  const packages = productionPackages(lock, 'apps/server')
  const refused = packages.filter(({ license }) => !isPermissive(license))
  if (refused.length > 0) throw new Error(`Not for production: ${JSON.stringify(refused)}`)
  const held = new Set(packages.map(({ name }) => name))
  const inConsole = productionPackages(lock, 'apps/console').filter(({ name }) => !held.has(name))
  const unfit = inConsole.filter(({ license }) => !isPermissive(license) && !bundled.has(license))
  if (unfit.length > 0) throw new Error(`Not for the console: ${JSON.stringify(unfit)}`)
  const tool = JSON.parse(readFileSync(new URL('tools/lucide/package.json', root), 'utf8')) as {
    dependencies: { 'lucide-react': string }
  }
  const lucide = tool.dependencies['lucide-react']
  return `Liquidity OS is licensed under the Apache License 2.0, see LICENSE.

A production install, \`npm ci --omit=dev --workspace apps/server\`, holds besides the packages below. Each carries its
licence and its copyright notices in its own folder of node_modules; what is made for one platform is installed there only.

${linesOf(packages)}

The console that is built from apps/console holds these besides; licenses.md beside what is built has their texts. The font may be
served with it and not sold by itself.

${linesOf(inConsole)}

Inside of these: @electric-sql/pglite is PostgreSQL, compiled (PostgreSQL License), and apps/server/image is a fresh data
directory that it wrote; highs is HiGHS, compiled (MIT). The console holds icons of lucide-react ${lucide} (ISC, and MIT for
those of Feather), apps/console/src/ui/generated/lucide.txt. The catalogue of tokens (apps/server/src/families/intelligence/discovery/catalogue)
holds facts alone, chain, address, symbol, name and decimals, which @uniswap/default-token-list 22.21.0 (GPL-3.0-or-later) lists; neither
its files nor its pictures are part of this.

Tests and the demo use further packages, among them the genuine contracts of Uniswap (GPL-2.0-or-later, GPL-3.0-or-later,
BUSL-1.1) and Safe (LGPL-3.0), unchanged and from their publishers. They are no part of a production install.
`
}

const linesOf = (packages: readonly ProductionPackage[]): string =>
  packages.map(({ name, version, license }) => `${name} ${version}: ${license}`).join('\n')

if (import.meta.main) writeFileSync(new URL('NOTICE', root), printNotice())
