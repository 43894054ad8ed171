import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printDeclarations } from '../apps/console/declarations/print.ts'
import { findBrowserFiles, findFamilies, type Part, selectParts } from './select-families.ts'

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
      expect(selectParts(parts, { commit, changed })).toContain('family-7')
    }
  })

  it('holds about a third of the others, and each within 60 commits', () => {
    const chosen = commits.map((commit) => selectParts(parts, { commit, changed: [] }))
    const mean = chosen.reduce((sum, { length }) => sum + length, 0) / chosen.length
    expect(mean).toBeGreaterThan(17)
    expect(mean).toBeLessThan(23)
    expect(new Set(chosen.flat()).size).toBe(60)
  })

  it('holds all if the repository has no commit before', () => {
    expect(selectParts(parts, { commit: 'commit 1', changed: null })).toHaveLength(60)
  })
})
