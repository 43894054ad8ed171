import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const lists = new URL('./exports/', import.meta.url)
const subjects = readdirSync(new URL('./src/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `${name}.ts`)

it.each(subjects)(
  '%s lists the exports and computes no value, so the build hash excludes it',
  (name) => {
    const text = readFileSync(new URL(name, lists), 'utf8')
    const [folder] = name.split('.')
    const rest = text.replaceAll(
      new RegExp(`^export (type )?\\{[^}]*\\} from '\\.\\./src/${folder}/[^']+'\n`, 'gm'),
      '',
    )
    expect(rest).toBe('')
  },
)

it('has a list for every subject, and the version', () => {
  expect(readdirSync(lists).toSorted()).toEqual([...subjects, 'version.ts'].toSorted())
})
