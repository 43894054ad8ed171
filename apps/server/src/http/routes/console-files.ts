import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { KeptText } from '../kept-text.ts'

/** Where the console is built to; it is no part of this package, and may be absent. */
const folder = new URL('../../../../console/dist/', import.meta.url)

/** What an asset is served as, by the ending of its name; nothing else is served. */
export const assetTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
}

/** Colours that a reader may have chosen. */
export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

type Coding = 'br' | 'gzip'
const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

const missing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}

/**
 * The built console. An asset bears the hash of its bytes in its name, so what was read once is kept; the page is read anew when
 * it was built anew.
 */
export class ConsoleFiles {
  readonly #assets = new Map<string, Promise<Uint8Array | null>>()
  #page: { changedAt: number; texts: ReadonlyMap<Theme | null, KeptText> } | null = null

  /** The page in the colours that were chosen; null where the console is not built. */
  async page(theme: Theme | null): Promise<KeptText | null> {
    const file = fileURLToPath(new URL('index.html', folder))
    const found = await stat(file).catch(missing)
    if (found === null) return null
    if (this.#page?.changedAt !== found.mtimeMs) {
      const html = await readFile(file, 'utf8')
      const texts = ([null, ...themes] as const).map(
        (one) => [one, new KeptText(inTheme(html, one))] as const,
      )
      this.#page = { changedAt: found.mtimeMs, texts: new Map(texts) }
    }
    return this.#page.texts.get(theme) ?? null
  }

  /**
   * An asset as it was compressed when it was built, or as it is; null where there is none of that name.
   *
   * @param name without any folder
   */
  async asset(name: string, coding: Coding | null): Promise<Uint8Array | null> {
    if (!/^[\w-][\w.-]*$/.test(name)) return null
    const path = `assets/${name}${coding === null ? '' : endings[coding]}`
    const known = this.#assets.get(path)
    if (known) return known
    const read: Promise<Uint8Array | null> = readFile(new URL(path, folder)).catch(missing)
    // What is not there may be there after the next build, and nobody may fill the memory by asking for it.
    if ((await read) !== null) this.#assets.set(path, read)
    return read
  }
}

const inTheme = (html: string, theme: Theme | null): string =>
  theme === null ? html : html.replace('<html lang="en">', `<html lang="en" data-theme="${theme}">`)
