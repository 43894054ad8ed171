import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Guide } from './guide.ts'
import { addressIn, renderMarkdown } from './markdown.ts'
import { sections } from './sections.ts'

const folder = fileURLToPath(new URL('../../../../../../docs/', import.meta.url))
const names = sections.flatMap(({ pages }) => pages)
const guide = new Guide()

async function htmlOf(path: string): Promise<string> {
  const file = await guide.file(path)
  if (!file) throw new Error(`The guide has nothing at ${path}.`)
  return Buffer.from((await file.text.formFor({})).body).toString()
}

const rendered = (source: string) => renderMarkdown(source, (href) => href)

describe('the guide', () => {
  it('has every page of the folder in one place', () => {
    const pages = globSync('**/*.md', { cwd: folder }).map((path) => path.replace(/\.md$/, ''))
    expect([...names].sort()).toEqual(pages.sort())
  })

  it('links each page only to existing pages and headings', async () => {
    const pages = new Map<string, string>()
    for (const name of ['', ...names]) {
      const path = name.replace(/(^|\/)README$/, '$1')
      pages.set(`/docs/${path}`, await htmlOf(path))
    }
    const broken: string[] = []
    for (const [page, html] of pages) {
      const article = html.slice(html.indexOf('<main'))
      for (const [, address = ''] of article.matchAll(/(?:href|src)="(\/docs\/[^"]*|#[^"]*)"/g)) {
        const [path = '', anchor] = address.split('#')
        const target = path === '' ? page : path
        const isFound =
          pages.has(target) || target === '/docs/api/' || (await guide.file(target.slice(6)))
        const there = pages.get(target)
        if (!isFound || (anchor && there && !there.includes(`id="${anchor}"`))) {
          broken.push(`${page}: ${address}`)
        }
      }
    }
    expect(broken).toEqual([])
  })

  it('finds a code, an operation and a field name on their pages', async () => {
    const code = await guide.search('LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET')
    const address = '/docs/errors#liquidity_capital_range_narrower_than_target'
    expect(code).toMatch(new RegExp(`<ol class="found"><li><a href="${address}"`))
    expect(await htmlOf('errors')).toContain(`<tr id="${address.split('#')[1]}">`)
    expect(await guide.search('createPassports')).toContain('/docs/operations')
    expect(await guide.search('resrvation of capital')).toContain('/docs/capital')
    const [first = ''] =
      (await guide.search('impermanent divergence loss')).match(/<ol.*?<\/li>/s) ?? []
    expect(first.toLowerCase()).toContain('divergence')
    expect(await guide.search('LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET '.repeat(4))).toContain(
      address,
    )
    expect(await guide.search('qqqqzzzz')).toContain('Nothing for “qqqqzzzz”')
  })

  it('shows the query as text', async () => {
    const html = await guide.search('"><script>alert(1)</script>')
    expect(html).not.toContain('<script')
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  })

  it.each(['nothing', '../package.json', '..', 'methodology/nothing', 'print.ts/', '.'])(
    'has nothing at %s',
    async (path) => {
      expect(await guide.file(path)).toBeNull()
    },
  )
})

describe('a page', () => {
  it('names its headings as the repository does, and counts equal ones', () => {
    const { title, html, parts } = rendered(
      '# A `b`, c!\n\nAbove.\n\n## Again\n\none\n\n## Again\n\n- two\n',
    )
    expect(title).toBe('A b, c!')
    expect(parts.map(({ anchor, text }) => [anchor, text.trim()])).toEqual([
      ['', ''],
      ['a-b-c', 'Above.'],
      ['again', 'one'],
      ['again-1', 'two'],
    ])
    expect(html).toContain('<h2 id="again-1">')
  })

  it('gives a row that begins with a name an anchor, and finds it', () => {
    const { html, parts } = rendered(
      '| Code | |\n| --- | --- |\n| `A_B` | what *it* is |\n| plain | no |\n',
    )
    expect(html).toContain('<tr id="a_b"><td><code>A_B</code></td>')
    expect(parts.map(({ anchor, text }) => [anchor, text])).toContainEqual(['a_b', 'what it is'])
    expect(parts).toHaveLength(2)
  })

  it('has no markup', () => {
    const { html } = rendered(
      'a <b onclick="x">c</b>\n\n<script>x</script>\n\n<!-- printed -->\n\n```sh\n<i>\n```\n',
    )
    expect(html).not.toMatch(/<(b|script|i)\b|<!--/)
    expect(html).toContain('&lt;script&gt;')
  })

  it('resolves links within its own folder', () => {
    const isKnown = (path: string) =>
      ['capital.md', 'methodology/README.md', 'a.svg'].includes(path)
    const address = (path: string, href: string) => addressIn(path, href, isKnown)
    expect(address('methodology/capital.md', '../capital.md#what')).toBe('/docs/capital#what')
    expect(address('capital.md', 'methodology/README.md')).toBe('/docs/methodology/')
    expect(address('capital.md', 'a.svg')).toBe('/docs/a.svg')
    expect(address('capital.md', '../NOTICE')).toBeNull()
    expect(address('capital.md', '#here')).toBe('#here')
    expect(address('capital.md', 'https://example.org')).toBe('https://example.org')
  })
})
