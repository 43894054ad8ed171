import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('writes cells that no spreadsheet takes for a formula', () => {
  const rows = [['=1+1', '-5', '-0.05', -1.5e-7, '-x', 'a,b', 'say "so"', null, { a: 1 }]]
  expect(csvOf(['name'], rows)).toBe(
    `name\r\n'=1+1,-5,-0.05,-1.5e-7,'-x,"a,b","say ""so""",,"{""a"":1}"`,
  )
})
