import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printDeclarations } from '../apps/console/declarations/print.ts'
import { fillBudget } from './fill-budget.ts'
import {
  findBrowserFiles,
  findFamilies,
  type Part,
  selectBrowserFiles,
  selectFamilies,
} from './select-families.ts'

const root = join(import.meta.dirname, '..')

describe('the families of the console', () => {
  const { files } = printDeclarations()
  const operations = [...files.values()].map(
    (file) => [file.entry.key, Object.keys(file.operations)] as const,
  )
  const families = findFamilies(new Map(operations))
  const touchedBy = (path: string) =>
    families.filter(({ covers }) => covers.some((part) => path.startsWith(part))).map((f) => f.name)

  it('each have a folder of the server and a file of the contract', () => {
    const lacking = families.filter(
      ({ covers }) =>
        !covers.some((part) => part.startsWith('apps/server/src/families/')) ||
        !covers.some((part) => part.startsWith('packages/contract/src/')),
    )
    expect(lacking).toEqual([])
  })

  it('are touched by a change to their folder, also if it has another name', () => {
    expect(touchedBy('apps/server/src/families/operate/protected-execution/records.ts')).toEqual(
      expect.arrayContaining(['protected-execution-plans', 'quote-requests', 'quote-sets']),
    )
    expect(touchedBy('packages/contract/src/plan/unlock-impacts.ts')).toEqual(['unlock-impacts'])
  })
})

describe('the browser files of the repository', () => {
  it('each name existing covered files, except the one that always runs', () => {
    for (const { name, covers } of findBrowserFiles()) {
      expect(
        covers.filter((path) => !existsSync(join(root, path))),
        name,
      ).toEqual([])
      if (!name.endsWith('/console.test.ts')) expect(covers.length, name).toBeGreaterThan(1)
    }
  })
})

describe('the choice of a landing', () => {
  const parts: Part[] = Array.from({ length: 60 }, (_, index) => ({
    name: `family-${index}`,
    covers: [`apps/server/src/families/plan/f${index}`],
  }))
  const commits = Array.from({ length: 60 }, (_, index) => `commit ${index}`)

  it('holds every family that the change touches', () => {
    const changed = ['apps/server/src/families/plan/f7/a.ts']
    for (const commit of commits) {
      expect(selectFamilies(parts, { commit, changed })).toContain('family-7')
    }
  })

  it('holds a third of the families, and each within 60 commits', () => {
    const everything = parts.flatMap(({ covers }) => covers)
    for (const changed of [[], everything, null]) {
      const chosen = commits.map((commit) => selectFamilies(parts, { commit, changed }))
      expect(chosen.every(({ length }) => length === 20)).toBe(true)
      expect(new Set(chosen.flat()).size).toBe(60)
    }
  })

  it('holds browser files within the budget, touched ones first, and each within 60 commits', () => {
    const costs = Object.fromEntries(parts.map(({ name }) => [name, 30]))
    const select = (commit: string, changed: readonly string[]) =>
      selectBrowserFiles(parts, { commit, changed }, { costs, budget: 240 })
    for (const commit of commits) {
      const { chosen, left } = select(commit, ['apps/server/src/families/plan/f7/a.ts'])
      expect([chosen[0], chosen.length, left.length]).toEqual(['family-7', 8, 52])
    }
    expect(new Set(commits.flatMap((commit) => select(commit, []).chosen)).size).toBe(60)
  })
})

describe('a budget', () => {
  const parts = (...seconds: number[]) => seconds.map((each) => ({ seconds: each }))

  it('is filled in order, and may be exceeded by half', () => {
    expect(fillBudget(parts(40, 50, 70, 10), 100)).toEqual({
      chosen: parts(40, 50, 10),
      left: parts(70),
      seconds: 100,
    })
    expect(fillBudget(parts(90, 60, 10), 100).seconds).toBe(150)
  })

  it('always holds the first part', () => {
    expect(fillBudget(parts(500, 10), 100)).toEqual({
      chosen: parts(500),
      left: parts(10),
      seconds: 500,
    })
  })
})
