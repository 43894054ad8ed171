import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sections } from '../../src/http/routes/guide/sections.ts'
import { root } from './demo-process.ts'
import { examplesOf } from './examples.ts'

/** Sections of the guide whose pages run against one demo. Each chapter has a test file. */
export const chapters = {
  begin: ['Getting started', 'Walkthroughs'],
  plan: ['Plan', 'Simulate'],
  operate: ['Operate', 'Intelligence'],
  prove: ['Prove', 'Platform', 'Administration'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Chapter = keyof typeof chapters

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Paths of all pages that have a command to execute, in the order of their names. */
export const executedPages = globSync('docs/**/*.md', { cwd: root })
  .filter((path) => examplesOf(read(path)).length > 0)
  .sort()

/**
 * Paths of the executed pages of a chapter, in the order of their names. Some pages need a market as the demo leaves
 * it, or a token that an earlier page has followed, and this order provides both.
 */
export function pagesOf(chapter: Chapter): string[] {
  const titles: readonly string[] = chapters[chapter]
  const pages = sections.filter(({ title }) => titles.includes(title)).flatMap(({ pages }) => pages)
  return executedPages.filter((path) => pages.some((page) => path === `docs/${page}.md`))
}
