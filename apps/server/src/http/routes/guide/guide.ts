import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { textAfterLast } from '../../../texts.ts'
import { CachedText } from '../../cached-text.ts'
import { addressIn, type Rendered, renderMarkdown } from './markdown.ts'
import { type Found, homePage, pageOf, searchPage } from './pages.ts'
import { sections } from './sections.ts'

const folder = fileURLToPath(new URL('../../../../../../docs/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  ts: 'text/plain; charset=utf-8',
  sh: 'text/plain; charset=utf-8',
  json: 'application/json',
}

export interface GuideFile {
  readonly type: string
  readonly text: CachedText
}

interface GuideSection {
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

/** Length of an excerpt, and maximum search results. */
const [excerptCharacters, maxFound] = [240, 30]
/** Maximum number of search words, and minimum length for prefix matching. */
const [maxWords, shortestPrefix] = [8, 3]

/** The pages of `docs`, each rendered once on first request. */
export class Guide {
  readonly #files: Promise<ReadonlySet<string>>
  readonly #pages = new Map<string, Promise<Rendered>>()
  readonly #named = new Map<string, Promise<ReadonlyMap<string, string>>>()
  readonly #sent = new Map<string, Promise<GuideFile>>()
  readonly #index = new Map<string, Promise<MiniSearch<GuideSection>>>()

  constructor() {
    this.#files = filesIn(folder)
  }

  /**
   * @param path below `/docs/`, without the page extension; the result is null if the page does not
   * exist
   */
  async file(path: string): Promise<GuideFile | null> {
    const files = await this.#files
    const name = path === '' || path.endsWith('/') ? `${path}README.md` : path
    const known = [name, `${name}.md`, `${name}/README.md`].find((one) => files.has(one))
    if (path !== '' && known === undefined) return null
    // Without the `docs` folder, no guide exists.
    if (files.size === 0) return null
    return cachedIn(this.#sent, path, () =>
      known === undefined ? this.#home() : this.#made(known),
    )
  }

  async #home(): Promise<GuideFile> {
    return pageFile(homePage(await this.#titles()))
  }

  async #made(path: string): Promise<GuideFile> {
    const type = types[textAfterLast(path, '.')]
    if (type) return { type, text: new CachedText(await readFile(join(folder, path))) }
    const titles = await this.#titles()
    return pageFile(pageOf(path, await this.#page(path), titles))
  }

  async search(query: string): Promise<string> {
    const index = await cachedIn(this.#index, '', () => this.#indexed())
    // Each word costs an index scan, and a short prefix matches half of the index.
    const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}]+/u))].filter(Boolean)
    const terms = words.slice(0, maxWords).join(' ')
    const prefix = (word: string) => word.length >= shortestPrefix
    const boost = { title: 2, heading: 4 }
    const exact = index.search(terms, { prefix, combineWith: 'AND', boost })
    // Fall back to partial and fuzzy matches.
    const fuzzy = (word: string) => (word.length > shortestPrefix ? 1 : false)
    const all = exact.length > 0 ? exact : index.search(terms, { fuzzy, boost })
    const found = all.slice(0, maxFound).map(
      ({ id, title, heading, text, terms }): Found => ({
        address: `/docs/${id}`,
        page: title,
        heading,
        excerpt: excerptOf(text, terms),
      }),
    )
    return searchPage(query, found, await this.#titles())
  }

  async #indexed(): Promise<MiniSearch<GuideSection>> {
    const index = new MiniSearch<GuideSection>({
      fields: ['title', 'heading', 'text'],
      storeFields: ['title', 'heading', 'text'],
    })
    for (const { pages } of sections) {
      for (const name of pages) {
        const { title, parts } = await this.#page(`${name}.md`)
        const address = name.replace(/(^|\/)README$/, '$1')
        const places = parts
          .filter(({ heading, text }) => heading !== '' || text.trim() !== '')
          .map(({ anchor, heading, text }) => ({
            id: anchor === '' ? address : `${address}#${anchor}`,
            title,
            heading,
            text,
          }))
        // Indexed in small chunks, so other requests are served in between.
        await index.addAllAsync(places, { chunkSize: 5 })
      }
    }
    return index
  }

  #page(path: string): Promise<Rendered> {
    return cachedIn(this.#pages, path, () => this.#read(path))
  }

  async #read(path: string): Promise<Rendered> {
    const [source, files] = await Promise.all([readFile(join(folder, path), 'utf8'), this.#files])
    const isKnown = (one: string) => files.has(one)
    return renderMarkdown(source, (href) => addressIn(path, href, isKnown))
  }

  #titles(): Promise<ReadonlyMap<string, string>> {
    return cachedIn(this.#named, '', () => this.#readTitles())
  }

  async #readTitles(): Promise<ReadonlyMap<string, string>> {
    const names = sections.flatMap(({ pages }) => pages)
    const titles = names.map(async (name) => {
      const source = await readFile(join(folder, `${name}.md`), 'utf8')
      return [name, source.slice(2, source.indexOf('\n')).replaceAll('`', '')] as const
    })
    return new Map(await Promise.all(titles))
  }
}

const pageFile = (html: string): GuideFile => ({
  type: 'text/html; charset=utf-8',
  text: new CachedText(html),
})

/**
 * Returns the cached value or computes it. A failure is not cached, so the next request retries.
 */
function cachedIn<T>(
  all: Map<string, Promise<T>>,
  name: string,
  make: () => Promise<T>,
): Promise<T> {
  const known = all.get(name)
  if (known) return known
  const made = make().catch((error: unknown) => {
    all.delete(name)
    throw error
  })
  all.set(name, made)
  return made
}

async function filesIn(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const paths = names.map((name) => name.split(sep).join('/'))
  return new Set(paths.filter((path) => /\.(md|svg|png|ts|sh|json)$/.test(path)))
}

/** The text around the first of the terms. */
function excerptOf(text: string, terms: readonly string[]): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const places = terms.map((term) => plain.toLowerCase().indexOf(term)).filter((at) => at >= 0)
  const from = Math.max(0, (places.length > 0 ? Math.min(...places) : 0) - excerptCharacters / 3)
  const excerpt = plain.slice(from, from + excerptCharacters)
  return `${from > 0 ? '…' : ''}${excerpt}${from + excerptCharacters < plain.length ? '…' : ''}`
}
