import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printed, withPart } from '../../../../docs/print.ts'
import { anchorOf } from '../../src/http/routes/guide/markdown.ts'
import { root } from './demo-process.ts'
import { fencesOf } from './examples.ts'

const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'datasets/*.md'], { cwd: root })
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The text of a page without its blocks, where brackets are code. */
const proseOf = (page: string) => page.replace(/^(`{3,})[^\n]*\n.*?^\1$/gms, '')

const anchorsOf = (path: string) =>
  [...proseOf(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

describe('pages', () => {
  it.each(pages)('%s links only to what exists', (page) => {
    const broken: string[] = []
    for (const [, target = ''] of proseOf(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      const isFound =
        existsSync(join(root, path)) && (anchor === undefined || anchorsOf(path).includes(anchor))
      if (!isFound) broken.push(target)
    }
    expect(broken).toEqual([])
  })

  it.each(printed)('$file states of $name the value of the code', ({ file, name, text }) => {
    const page = read(join('docs', file))
    // Otherwise: node docs/print.ts
    expect(page).toBe(withPart(page, name, text()))
  })

  it.each(pages)('%s runs TypeScript also on a machine with Node 20', (page) => {
    const text = read(page)
    // The sourced file puts the Node of the repository on the path.
    const direct = text.includes('. docs/terminal.sh') ? [] : text.match(/\bnode \S+\.ts\b/g)
    // Otherwise: npm run ts -- FILE
    expect(direct ?? []).toEqual([])
  })

  it.each(pages)('%s closes its blocks', (page) => {
    expect(() => fencesOf(read(page))).not.toThrow()
  })
})
