import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faultsOf, lowered, readRules } from './check.ts'
import { fromMarkdown, fromTypeScript, subjectText } from './extract.ts'
import { hitsOf, measure } from './measure.ts'

const rules = readRules()
const none = { files: {}, groups: {}, missing: [] }
const samples = JSON.parse(readFileSync(new URL('samples.json', import.meta.url), 'utf8')) as {
  pairs: { before: string; after: string }[]
  after: string[]
}
const unit = (text: string) => ({
  file: 'sample',
  line: 1,
  text: text.replace(/`[^`]*`/g, 'CODE').replace(/\*+/g, ''),
})

describe('the rules', () => {
  it('find a fault in four of five sentences that was rewritten', () => {
    const before = samples.pairs.map((pair) => unit(pair.before))
    const found = before.filter((one) => measure([one], 'ui', rules).hits.length > 0)
    expect(found.length / before.length).toBeGreaterThan(0.8)
    expect(measure(before, 'ui', rules).dialect).toBeGreaterThan(20)
  })

  it('accept the rewritten sentences', () => {
    const texts = [...samples.pairs.map(({ after }) => after), ...samples.after].map(unit)
    expect(measure(texts, 'ui', rules).dialect).toBeLessThanOrEqual(rules.limits.ui?.dialect ?? 0)
  })
})

describe('British spelling', () => {
  const found = (text: string) =>
    hitsOf([unit(text)], 'ui', rules, 'terms').map(({ match }) => match)

  it('is a hit', () => {
    expect(found('Optimise the behaviour of a cancelled order.')).toEqual([
      'Optimise',
      'behaviour',
      'cancelled',
    ])
  })

  it('is no hit in an enum value, nor in a word that both spellings share', () => {
    expect(found('The optimistic value of a CANCELLED obligation.')).toEqual([])
  })
})

describe('an exception', () => {
  const old = {
    file: '/x/old.md',
    line: 1,
    text: 'What it is was told. Whoever asks for it is told what it has.',
  }
  const texts = new Map([['docs', [old]]])

  it('lets a file keep its hits, and not one more', () => {
    const exceptions = lowered(texts, rules, null)
    expect(faultsOf('docs', [old], rules, exceptions)).toEqual([])
    const worse = { ...old, text: `${old.text} Nobody tells it.` }
    expect(faultsOf('docs', [worse], rules, exceptions).join('\n')).toMatch(/old\.md: .* hits/)
  })

  it('is not there for another file', () => {
    const exceptions = lowered(texts, rules, null)
    const moved = { ...old, file: '/x/new.md' }
    expect(faultsOf('docs', [moved], rules, exceptions)).not.toEqual([])
  })

  it('only shrinks', () => {
    const exceptions = lowered(texts, rules, null)
    const better = new Map([['docs', [{ ...old, text: 'The service reports each result once.' }]]])
    expect(lowered(better, rules, exceptions).files.docs).toEqual({})
    expect(lowered(texts, rules, none).files.docs).toEqual({})
    const others = lowered(new Map([['ui', []]]), rules, exceptions)
    expect(others.files.docs).toEqual(exceptions.files.docs)
  })
})

describe('prose', () => {
  it('of a commit is its subject without type, scope and file names', () => {
    expect(subjectText('fix(server): rename face.ts to api.ts')).toBe('rename CODE to CODE')
  })

  it('of TypeScript has no data: a marker covers the strings up to a blank line', () => {
    const source = `/** Words of a prompt. @language-data */
const list = ['told by nobody']
const more = ['asked by nobody']

const text = 'Shown to the reader'
`
    const { strings, comments } = fromTypeScript('a.ts', source)
    expect(strings.map(({ text }) => text)).toEqual(['Shown to the reader'])
    expect(comments.map(({ text }) => text.trim())).toEqual(['Words of a prompt.'])
  })

  it('of Markdown has no code, and a cell of a table is a text', () => {
    const source =
      '# Title\n\nOne `x` line\nand [a link](u.md).\n\n```sh\nwhoever\n```\n\n| A | B |\n| - | - |\n| c | d |\n'
    expect(fromMarkdown('a.md', source).map(({ line, text }) => [line, text])).toEqual([
      [1, 'Title'],
      [3, 'One CODE line and a link.'],
      [10, 'A'],
      [10, 'B'],
      [12, 'c'],
      [12, 'd'],
    ])
  })

  it('of TypeScript is its comments, strings and the text between tags', () => {
    const source = `import x from 'whoever tells'
// Two lines
// of one comment.
const a = 'Some words here'
const b = \`Has \${a ? \`\${a}\` : 1} rows\`
/** A block comment. */
const c = <p className="told by nobody">Shown to the reader</p>
`
    const { strings, comments } = fromTypeScript('a.tsx', source)
    expect(comments.map(({ text }) => text)).toEqual([
      'Two lines of one comment.',
      'A block comment.',
    ])
    expect(strings.map(({ text }) => text)).toEqual([
      'Some words here',
      'Has X rows',
      'Shown to the reader',
    ])
  })
})
