import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const engine = fileURLToPath(new URL('..', import.meta.url))
const root = join(engine, '../..')

/** Writes the package for publication: only compiled JavaScript, types, README and license. */
export function packEngine(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const compiler = join(root, 'node_modules/typescript-compiler/bin/tsc')
  const project = join(engine, 'tsconfig.package.json')
  execFileSync(process.execPath, [compiler, '-p', project, '--outDir', folder], {
    stdio: 'inherit',
  })
  const { name, version, license, description, keywords } = JSON.parse(
    readFileSync(join(engine, 'package.json'), 'utf8'),
  )
  const manifest = {
    name,
    version,
    license,
    description,
    keywords,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: { './*': { types: './exports/*.d.ts', default: './exports/*.js' } },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(engine, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  const [folder = join(engine, 'dist'), ...more] = process.argv.slice(2)
  if (folder.startsWith('-') || more.length > 0) {
    process.stdout.write(
      'node packages/engine/bin/pack.ts [FOLDER]   writes the package, to packages/engine/dist\n',
    )
  } else {
    packEngine(folder)
    process.stdout.write(`${folder} is ready: npm publish ${folder}\n`)
  }
}
