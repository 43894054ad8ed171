import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CachedText } from '../cached-text.ts'

/** Build output of the console, which is a separate package and may be absent. */
const folder = new URL('../../../../console/dist/', import.meta.url)

/** Media type by file extension; other extensions are not served. */
export const assetTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
}

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

type Coding = 'br' | 'gzip'
const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

const missing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}

/**
 * The built console. Asset names contain a hash of their bytes, so assets are cached. The page is
 * reread after a new build.
 */
export class ConsoleFiles {
  readonly #assets = new Map<string, Promise<Uint8Array | null>>()
  #page: { changedAt: number; texts: ReadonlyMap<Theme | null, CachedText> } | null = null

  /** The page in the chosen theme; null if the console is not built. */
  async page(theme: Theme | null): Promise<CachedText | null> {
    const file = fileURLToPath(new URL('index.html', folder))
    const found = await stat(file).catch(missing)
    if (found === null) return null
    if (this.#page?.changedAt !== found.mtimeMs) {
      const html = await readFile(file, 'utf8')
      const texts = ([null, ...themes] as const).map(
        (one) => [one, new CachedText(inTheme(html, one))] as const,
      )
      this.#page = { changedAt: found.mtimeMs, texts: new Map(texts) }
    }
    return this.#page.texts.get(theme) ?? null
  }

  /**
   * A precompressed or plain asset; null if it does not exist.
   *
   * @param name without any folder
   */
  async asset(name: string, coding: Coding | null): Promise<Uint8Array | null> {
    if (!/^[\w-][\w.-]*$/.test(name)) return null
    const path = `assets/${name}${coding === null ? '' : endings[coding]}`
    const known = this.#assets.get(path)
    if (known) return known
    const read: Promise<Uint8Array | null> = readFile(new URL(path, folder)).catch(missing)
    // A missing asset may exist after the next build. Caching misses would also let third parties
    // fill the memory.
    if ((await read) !== null) this.#assets.set(path, read)
    return read
  }
}

const inTheme = (html: string, theme: Theme | null): string =>
  theme === null ? html : html.replace('<html lang="en">', `<html lang="en" data-theme="${theme}">`)
