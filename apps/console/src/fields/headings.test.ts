import { expect, it } from 'vitest'
import { printDeclarations } from '../../declarations/print.ts'
import { columnsOf } from '../pages/rows.ts'
import { headingsOf } from './meaning.ts'

it('adds the member around a heading that is taken or says nothing alone', () => {
  const paths = ['payload.seller.name', 'payload.window.from', 'payload.kind', 'status']
  expect([...headingsOf(paths, ['Name']).values()]).toEqual([
    'Seller name',
    'Window from',
    'Kind',
    'Status',
  ])
  expect([...headingsOf(['payload.base.size', 'payload.quote.size'], []).values()]).toEqual([
    'Base size',
    'Quote size',
  ])
})

it('names the record and the event in place of an ID and a time', () => {
  const paths = ['payload.vaultId', 'payload.venue.id', 'createdAt', 'payload.probe.at']
  expect([...headingsOf(paths, []).values()]).toEqual(['Vault', 'Venue', 'Created', 'Last probe'])
})

it('gives each list titles that differ and contain no name of the API', () => {
  for (const file of printDeclarations().files.values()) {
    const titles = ['Name', ...headingsOf(columnsOf(file), ['Name']).values()]
    expect(new Set(titles).size, `${file.entry.key}: ${titles}`).toBe(titles.length)
    for (const title of titles) expect(title).not.toMatch(/ (ID|at|key|of|to|pips)$/i)
  }
})
