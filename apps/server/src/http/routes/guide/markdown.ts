import { posix } from 'node:path'
import { escapeXml } from '@liquidity-os/drawing/markup'
import { Marked, type Token, type Tokens } from 'marked'
import { textOrEmpty } from '../../../texts.ts'

/** A section of a page: from one heading to the next, or a table row with a name. */
export interface Part {
  /** Empty above the first heading, as is the heading. */
  readonly anchor: string
  readonly heading: string
  /** Heading level: 1 for the page title, 0 for text above it. */
  readonly depth: number
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly parts: readonly Part[]
}

/**
 * Anchor of a heading, as GitHub generates it: lower case, hyphens for spaces, punctuation removed.
 */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/**
 * Renders a page of the guide. Raw HTML is escaped.
 *
 * @param source Markdown
 * @param addressOf resolves the target of a link or image; null if the guide lacks it
 */
export function renderMarkdown(
  source: string,
  addressOf: (href: string) => string | null,
): Rendered {
  const marked = new Marked()
  const tokens = marked.lexer(source)
  const parts = new Parts(tokens)
  marked.use({ renderer: rendererOf(parts, addressOf) })
  const title = textOrEmpty(parts.list.find(({ depth }) => depth === 1)?.heading)
  return { title, html: marked.parser(tokens), parts: parts.list }
}

type Cells = readonly Tokens.TableCell[]

/** Anchored parts of a page: headings, and table rows that start with a name in code style. */
class Parts {
  readonly list: Part[] = []
  readonly #anchors = new Map<Token | Cells, string>()
  readonly #taken = new Map<string, number>()

  constructor(tokens: readonly Token[]) {
    let open: Token[] = []
    let begun = { anchor: '', heading: '', depth: 0 }
    const close = () => this.list.push({ ...begun, text: open.map(plainOf).join('\n') })
    for (const token of tokens) {
      if (token.type === 'table') this.#rows(token as Tokens.Table)
      if (token.type !== 'heading') {
        open.push(token)
        continue
      }
      close()
      const heading = plainOf(token)
      begun = { anchor: this.#name(token, heading), heading, depth: token.depth }
      open = []
    }
    close()
  }

  #rows({ rows }: Tokens.Table): void {
    for (const row of rows) {
      const [first] = row[0]?.tokens ?? []
      if (row[0]?.tokens.length !== 1 || first?.type !== 'codespan') continue
      const heading = plainOf(first)
      this.list.push({
        anchor: this.#name(row, heading),
        heading,
        depth: rowDepth,
        text: row.slice(1).map(textOf).join(' '),
      })
    }
  }

  #name(of: Token | Cells, heading: string): string {
    const anchor = anchorOf(heading)
    const known = this.#taken.get(anchor) ?? 0
    this.#taken.set(anchor, known + 1)
    const name = known === 0 ? anchor : `${anchor}-${known}`
    this.#anchors.set(of, name)
    return name
  }

  anchor(of: Token | Cells): string | null {
    return this.#anchors.get(of) ?? null
  }
}

/** Depth of a table row: below every heading level. */
const rowDepth = 7

function rendererOf(parts: Parts, addressOf: (href: string) => string | null) {
  const rowOf = (cells: Cells, tag: string, inline: Inline) => {
    const anchor = parts.anchor(cells)
    // An empty header cell becomes a plain cell.
    const cellOf = ({ tokens }: Tokens.TableCell) =>
      tokens.length === 0 ? '<td></td>' : `<${tag}>${inline(tokens)}</${tag}>`
    return `<tr${anchor === null ? '' : ` id="${anchor}"`}>${cells.map(cellOf).join('')}</tr>`
  }
  return {
    html: ({ text }: { text: string }) => (text.startsWith('<!--') ? '' : escapeXml(text)),
    heading(this: Renderer, token: Tokens.Heading) {
      const { tokens, depth } = token
      const anchor = parts.anchor(token)
      const inner = this.parser.parseInline(tokens)
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`
    },
    code: ({ text, lang = '' }: Tokens.Code) =>
      `<pre tabindex="0"${lang === 'text' ? ' class="answer"' : ''}><code>${escapeXml(text)}</code></pre>\n`,
    table(this: Renderer, { header, rows }: Tokens.Table) {
      const inline: Inline = (tokens) => this.parser.parseInline(tokens)
      const head = rowOf(header, 'th', inline)
      const body = rows.map((row) => rowOf(row, 'td', inline)).join('\n')
      return `<div class="table" tabindex="0"><table>\n<thead>${head}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`
    },
    link(this: Renderer, { href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens)
      const address = addressOf(href)
      return address === null
        ? `<span title="${escapeXml(`In the repository: ${href}`)}">${inner}</span>`
        : `<a href="${escapeXml(address)}">${inner}</a>`
    },
    image: ({ href, text }: Tokens.Image) => {
      const address = addressOf(href)
      return address === null
        ? escapeXml(text)
        : `<img src="${escapeXml(address)}" alt="${escapeXml(text)}" loading="lazy">`
    },
  }
}

type Inline = (tokens: Token[]) => string
interface Renderer {
  parser: { parseInline: Inline }
}

/** Guide address of a link target; null if the guide lacks it. */
export function addressIn(
  path: string,
  href: string,
  isKnown: (path: string) => boolean,
): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const found = posix.join(posix.dirname(path), file)
  if (!isKnown(found)) return null
  const address = `/docs/${found.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '')}`
  return anchor === undefined ? address : `${address}#${anchor}`
}

const textOf = ({ tokens }: Tokens.TableCell): string => tokens.map(plainOf).join('')

function plainOf(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((row) => row.map(textOf).join(' ')).join('\n')
  }
  const inner = 'tokens' in token ? token.tokens : token.type === 'list' ? token.items : undefined
  if (inner) return (inner as Token[]).map(plainOf).join(token.type === 'list' ? '\n' : '')
  return 'text' in token ? (token.text as string) : ''
}
