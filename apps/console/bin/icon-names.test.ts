import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { iconShapes } from '../src/ui/generated/icon-shapes.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const sources = globSync(['apps/console/src/**/*.{ts,tsx}', 'packages/contract/src/**/*.ts'], {
  cwd: root,
})
  .filter((file) => !file.includes('/generated/') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(root + file, 'utf8'))
  .join('\n')

test('every icon that the console or a family names has a shape', () => {
  const named = [...sources.matchAll(/(?:\bicon(?:=|: )|<Icon name=)['"]([\w-]+)['"]/g)]
  const names = new Set(named.map(([, name = '']) => name))
  expect(names.size).toBeGreaterThan(40)
  expect([...names].filter((name) => !Object.hasOwn(iconShapes, name))).toEqual([])
})

test('every shape is used', () => {
  const unused = Object.keys(iconShapes).filter(
    (name) => !sources.includes(`'${name}'`) && !sources.includes(`"${name}"`),
  )
  expect(unused).toEqual([])
})
