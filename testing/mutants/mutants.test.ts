import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { choose } from './choose.ts'
import { mutate, readList } from './list.ts'
import { findEdits } from './operators.ts'
import { relatedTests } from './related.ts'

const root = join(import.meta.dirname, '../..')

/** The texts that the operators make of one source text. */
const variantsOf = (text: string): string[] =>
  findEdits('a.ts', text).map(
    (edit) => `${text.slice(0, edit.start)}${edit.text}${text.slice(edit.end)}`,
  )

describe('the operators', () => {
  it('move boundaries, negate, and exchange logic', () => {
    expect(variantsOf('const a = b < 1')).toEqual(['const a = b <= 1'])
    expect(variantsOf('const a = !b && c === d')).toEqual([
      ...['const a = b && c === d', 'const a = !b || c === d', 'const a = !b && c !== d'],
    ])
  })

  it('drop guards, calls and rounding', () => {
    expect(variantsOf('if (isBad) throw fault')).toEqual(['if (false) throw fault'])
    expect(variantsOf('if (isGood) keep = true')).toEqual(['if (isGood) keep = false'])
    expect(variantsOf('commit(change)')).toEqual(['void 0'])
    expect(variantsOf('const a = Math.floor(b)')).toEqual(['const a = Math.ceil(b)'])
    expect(variantsOf('const a = divideRoundingUp(b, c)')).toEqual(['const a = ((b) / (c))'])
  })

  it('leave types, texts and lines of the log alone', () => {
    expect(variantsOf('type A = { b: true }')).toEqual([])
    expect(variantsOf("const a = 'b' + c")).toEqual([])
    expect(variantsOf("services.log.warn('Late.')")).toEqual([])
  })
})

describe('a mutant', () => {
  const change = { file: 'a.ts', line: 'if (a < b) stop()', replacement: 'if (a <= b) stop()' }

  it('is found by its line, wherever that has moved', () => {
    expect(mutate('let c\n  if (a < b) stop()\n', change)).toBe('let c\n  if (a <= b) stop()\n')
  })

  it('is stale if its line is gone or no longer unique', () => {
    expect(mutate('if (a > b) stop()', change)).toBeNull()
    const twice = 'if (a < b) stop()\nif (a < b) stop()'
    expect(mutate(twice, change)).toBeNull()
    expect(mutate(twice, { ...change, occurrence: 2 })).toBe(
      'if (a < b) stop()\nif (a <= b) stop()',
    )
  })

  it('must parse', () => {
    expect(() => mutate('if (a < b) stop()', { ...change, replacement: 'if (a' })).toThrow('parse')
  })
})

describe('the list', () => {
  const { seed, mutants, equivalent } = readList()

  it('holds no stale mutant, and names an existing test for each', () => {
    const faults = mutants.flatMap((mutant) => {
      const isFresh = mutate(readFileSync(join(root, mutant.file), 'utf8'), mutant) !== null
      const isTested = mutant.killedBy !== null && existsSync(join(root, mutant.killedBy))
      return isFresh && isTested ? [] : [`${mutant.file}: ${mutant.line}`]
    })
    expect(faults).toEqual([])
  })

  it('is drawn alike whenever a seed is repeated', () => {
    const draw = () => choose(root, { seed, mutants: [], equivalent }, seed, 5).mutants
    expect(draw()).toHaveLength(5)
    expect(draw()).toEqual(draw())
  })

  it('says which sentence each promise mutant breaks', () => {
    expect(mutants.filter(({ kind, promise }) => kind === 'promise' && !promise)).toEqual([])
  })
})

it('runs the test next to the source first', () => {
  const { near } = relatedTests(root, 'apps/server/src/integrations/webhooks/retry-schedule.ts')
  expect(near[0]).toEqual(['apps/server/src/integrations/webhooks/retry-schedule.test.ts'])
})
