import { escapeXml } from '@liquidity-os/drawing/markup'
import type { Rendered } from './markdown.ts'
import { sections } from './sections.ts'

/** A search result in the guide. */
export interface Found {
  readonly address: string
  readonly page: string
  readonly heading: string
  readonly excerpt: string
}

type Titles = ReadonlyMap<string, string>

const addressOf = (name: string) => `/docs/${name.replace(/(^|\/)README$/, '$1')}`
const linkTo = (name: string, titles: Titles, current = '') =>
  `<a href="${addressOf(name)}"${name === current ? ' aria-current="page"' : ''}>${escapeXml(titles.get(name) ?? name)}</a>`

export function homePage(titles: Titles): string {
  const cards = sections.map(
    ({ title, pages }) =>
      `<section><h2>${title}</h2><ul>${pages.map((name) => `<li>${linkTo(name, titles)}</li>`).join('')}</ul></section>`,
  )
  return shell('Guide', titles, '', [
    '<h1>Liquidity OS</h1>',
    '<p class="lead">Plan, simulate, operate, analyze and prove the liquidity of a token. The service executes no transactions. Only the owners of the issuer’s Safe can.</p>',
    '<p class="doors"><a href="/docs/getting-started">Getting started</a> <a href="/docs/api/">API reference</a> <a href="/">Console</a></p>',
    `<div class="parts">${cards.join('\n')}</div>`,
  ])
}

/** A page of the guide, with the previous and the next page. */
export function pageOf(path: string, { title, html, parts }: Rendered, titles: Titles): string {
  const name = path.replace(/\.md$/, '')
  const names = sections.flatMap(({ pages }) => pages)
  const at = names.indexOf(name)
  const [before, behind] = [at > 0 ? names[at - 1] : undefined, at >= 0 ? names[at + 1] : undefined]
  const headings = parts.filter(({ depth }) => depth === 2)
  const contents = headings
    .map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeXml(heading)}</a></li>`)
    .join('')
  return shell(title, titles, name, [
    ...(headings.length > 1
      ? [`<nav class="contents" aria-label="On this page"><ul>${contents}</ul></nav>`]
      : []),
    `<article>${html}</article>`,
    '<nav class="turn" aria-label="Previous and next page">',
    before ? `<span>← ${linkTo(before, titles)}</span>` : '<span></span>',
    behind ? `<span>${linkTo(behind, titles)} →</span>` : '',
    '</nav>',
  ])
}

export function searchPage(query: string, found: readonly Found[], titles: Titles): string {
  const items = found.map(
    ({ address, page, heading, excerpt }) =>
      `<li><a href="${escapeXml(address)}">${escapeXml(heading || page)}</a>${heading && heading !== page ? ` <small>${escapeXml(page)}</small>` : ''}<p>${escapeXml(excerpt)}</p></li>`,
  )
  const resultText =
    query === ''
      ? 'Enter a search term: a word, an error code or an operation name.'
      : `${found.length === 0 ? 'Nothing' : `${found.length} places`} for “${escapeXml(query)}”`
  return shell(
    query === '' ? 'Search' : `Search: ${query}`,
    titles,
    '',
    [
      '<h1>Search</h1>',
      `<p role="status">${resultText}</p>`,
      `<ol class="found">${items.join('\n')}</ol>`,
    ],
    query,
  )
}

function shell(
  title: string,
  titles: Titles,
  current: string,
  lines: readonly string[],
  query = '',
): string {
  const parts = sections.map(({ title: name, pages }) => {
    const isOpen = pages.includes(current)
    const links = pages.map((one) => `<li>${linkTo(one, titles, current)}</li>`).join('')
    return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><ul>${links}</ul></details>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)} · Liquidity OS</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/docs/guide.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="/docs/">Liquidity OS</a>
<form role="search" action="/docs/search"><input type="search" name="q" aria-label="Search the guide" placeholder="Search the guide" maxlength="200" value="${escapeXml(query)}"><button>Search</button></form>
<nav aria-label="Elsewhere"><a class="all" href="#pages">Pages</a> <a href="/docs/api/">API</a> <a href="/">Console</a></nav>
</header>
<div class="columns">
<nav class="pages" id="pages" aria-label="Pages">${parts.join('\n')}</nav>
<main id="main" tabindex="-1">
${lines.join('\n')}
</main>
</div>
</body>
</html>
`
}
