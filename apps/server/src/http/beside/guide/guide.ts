import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { KeptText } from '../../kept-text.ts'
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

/** A file of the guide as it is sent. */
export interface GuideFile {
  readonly type: string
  readonly text: KeptText
}

interface Place {
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

/** Characters of an excerpt, and places that a search shows. */
const [excerptCharacters, mostFound] = [240, 30]

/** The pages of `docs`, each read and drawn once when it is first asked for. */
export class Guide {
  readonly #files: Promise<ReadonlySet<string>>
  readonly #pages = new Map<string, Promise<Rendered>>()
  readonly #sent = new Map<string, Promise<GuideFile>>()
  #index: Promise<MiniSearch<Place>> | null = null

  constructor() {
    this.#files = filesIn(folder)
  }

  /** @param path below `/docs/`, without the ending of a page; null where there is nothing */
  async file(path: string): Promise<GuideFile | null> {
    const files = await this.#files
    const name = path === '' || path.endsWith('/') ? `${path}README.md` : path
    const known = [name, `${name}.md`, `${name}/README.md`].find((one) => files.has(one))
    if (path !== '' && known === undefined) return null
    const sent = this.#sent.get(path) ?? this.#made(known ?? '')
    this.#sent.set(path, sent)
    return sent
  }

  async #made(path: string): Promise<GuideFile> {
    const type = types[path.split('.').at(-1) ?? '']
    if (type) return { type, text: new KeptText(await readFile(join(folder, path))) }
    const titles = await this.#titles()
    const html = path === '' ? homePage(titles) : pageOf(path, await this.#page(path), titles)
    return { type: 'text/html; charset=utf-8', text: new KeptText(html) }
  }

  /** The places that say what is asked, the best first. */
  async search(query: string): Promise<string> {
    this.#index ??= this.#indexed()
    const index = await this.#index
    const boost = { title: 2, heading: 4 }
    const exact = index.search(query, { prefix: true, combineWith: 'AND', boost })
    // Some of the words, or something that is written like them, rather than nothing.
    const all = exact.length > 0 ? exact : index.search(query, { fuzzy: 0.2, boost })
    const found = all.slice(0, mostFound).map(
      ({ id, title, heading, text, terms }): Found => ({
        ...{ address: `/docs/${id}`, page: title, heading },
        excerpt: excerptOf(text, terms),
      }),
    )
    return searchPage(query, found, await this.#titles())
  }

  async #indexed(): Promise<MiniSearch<Place>> {
    const index = new MiniSearch<Place>({
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
            ...{ id: anchor === '' ? address : `${address}#${anchor}`, title, heading, text },
          }))
        // A few at a time: others are answered in between.
        await index.addAllAsync(places, { chunkSize: 5 })
      }
    }
    return index
  }

  #page(path: string): Promise<Rendered> {
    const known = this.#pages.get(path) ?? this.#read(path)
    this.#pages.set(path, known)
    return known
  }

  async #read(path: string): Promise<Rendered> {
    const [source, files] = await Promise.all([readFile(join(folder, path), 'utf8'), this.#files])
    const isKnown = (one: string) => files.has(one)
    return renderMarkdown(source, (href) => addressIn(path, href, isKnown))
  }

  /** Of every page, from the first line of its file. */
  async #titles(): Promise<ReadonlyMap<string, string>> {
    const names = sections.flatMap(({ pages }) => pages)
    const titles = names.map(async (name) => {
      const source = await readFile(join(folder, `${name}.md`), 'utf8')
      return [name, source.slice(2, source.indexOf('\n')).replaceAll('`', '')] as const
    })
    return new Map(await Promise.all(titles))
  }
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
