import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { printDeclarations } from '../declarations/print.ts'

const folder = fileURLToPath(new URL('../', import.meta.url))

/** Rebuilds the whole console and compresses it once for all readers. */
export async function makeConsole(): Promise<void> {
  // Test runners set `NODE_ENV`; the build must equal the production build anyway.
  const { NODE_ENV: before } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await bundle()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
  appendLicenses()
  await Promise.all(globSync('dist/**/*.{js,css,html}', { cwd: folder }).map(compress))
}

async function bundle(): Promise<void> {
  await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    plugins: [react(), declarations()],
    resolve: {
      alias: { 'node:crypto': join(folder, 'src/api/sha256.ts') },
    },
    build: {
      target: 'es2023',
      outDir: 'dist',
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
      chunkSizeWarningLimit: 2_000,
    },
  })
}

/** The icons are copied from a package, so the bundler does not see their license. */
function appendLicenses(): void {
  const text = readFileSync(join(folder, 'src/ui/generated/lucide.txt'), 'utf8')
  appendFileSync(join(folder, 'dist/licenses.md'), `\n## lucide-react (ISC, MIT)\n\n${text}`)
}

async function compress(file: string): Promise<void> {
  const path = join(folder, file)
  const bytes = readFileSync(path)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
  writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

/**
 * Modules made from the contract. `virtual:declarations` is the index in the shell.
 * `virtual:family/…` contains the data for the pages of one family and loads with the first of
 * these pages.
 */
function declarations(): Plugin {
  const { index, files } = printDeclarations()
  return {
    name: 'declarations',
    resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : null),
    load: (id) => {
      if (id === '\0virtual:declarations') {
        const loaders = [...files.keys()].map(
          (key) => `${JSON.stringify(key)}: () => import('virtual:family/${key}')`,
        )
        return `export const index = ${jsonText(index)}\nexport const load = {${loaders.join(',')}}`
      }
      const file = files.get(id.replace('\0virtual:family/', ''))
      return file ? `export default ${jsonText(file)}` : null
    },
  }
}

/** Browsers parse JSON faster than they parse a program of the same length. */
const jsonText = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`
